// SPDX-License-Identifier: MIT
#include "gui/timeline/bars.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::timeline {

int assignLanes(std::vector<Bar>& bars, int mostLanes)
{
    std::vector<Nanos> free;  // when each lane is free again
    for (Bar& bar : bars) {
        const auto lane = std::find_if(free.begin(), free.end(), [&](Nanos until) { return until <= bar.event.begin; });
        if (lane != free.end())
            bar.lane = static_cast<int>(lane - free.begin());
        else if (static_cast<int>(free.size()) < mostLanes)
            bar.lane = static_cast<int>(free.size());
        else
            bar.lane = mostLanes - 1;
        if (bar.lane == static_cast<int>(free.size())) free.push_back(0);
        Nanos& until = free[static_cast<std::size_t>(bar.lane)];
        until = std::max(until, std::max(bar.event.end, bar.event.begin + 1));
    }
    return std::max(1, static_cast<int>(free.size()));
}

int barAt(const std::vector<Bar>& bars, const TimeScale& scale, double x, int lane, double reachPx)
{
    int best = -1;
    double bestAway = reachPx;
    Nanos bestLength = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
        if (lane >= 0 && bars[i].lane != lane) continue;
        const double left = scale.xOf(bars[i].event.begin);
        const double right = std::max(left + 1, scale.xOf(bars[i].event.end));
        const double away = x < left ? left - x : x > right ? x - right : 0;
        const Nanos length = bars[i].when().length();
        if (away > bestAway || (away == bestAway && best >= 0 && length >= bestLength)) continue;
        best = static_cast<int>(i);
        bestAway = away;
        bestLength = length;
    }
    return best;
}

}  // namespace flowgauge::timeline
