// SPDX-License-Identifier: MIT
#include "gui/timeline/time_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace flowgauge::timeline {

namespace {

constexpr Nanos second = 1'000'000'000;
constexpr Nanos minute = 60 * second;

/// The smallest round distance that is no shorter.
Nanos roundUp(double shortest)
{
    static constexpr std::array<Nanos, 9> minutes{1, 2, 5, 10, 15, 30, 60, 120, 300};
    for (Nanos power = 1; power <= 10 * second; power *= 10)
        for (const Nanos step : {power, 2 * power, 5 * power}) {
            if (static_cast<double>(step) >= shortest && step < minute) return step;
        }
    for (const Nanos step : minutes)
        if (static_cast<double>(step * minute) >= shortest) return step * minute;
    return static_cast<Nanos>(std::ceil(shortest / static_cast<double>(300 * minute))) * 300 * minute;
}

Nanos floorTo(Nanos time, Nanos step)
{
    const Nanos rest = time % step;
    return time - (rest < 0 ? rest + step : rest);
}

int partsOf(Nanos step)
{
    Nanos lead = step >= minute ? step / minute : step;
    while (lead % 10 == 0 && lead >= 10) lead /= 10;
    return lead == 2 || lead == 12 ? 4 : lead == 15 || lead == 3 || lead == 6 ? 3 : 5;
}

std::string clock(Nanos time)
{
    const Nanos seconds = std::abs(time) / second;
    std::array<char, 48> text{};
    const char* sign = time < 0 ? "-" : "";
    const auto hours = static_cast<long long>(seconds / 3600);
    const auto minutes = static_cast<long long>(seconds / 60 % 60);
    const auto rest = static_cast<long long>(seconds % 60);
    if (hours > 0)
        std::snprintf(text.data(), text.size(), "%s%lld:%02lld:%02lld h", sign, hours, minutes, rest);
    else
        std::snprintf(text.data(), text.size(), "%s%lld:%02lld min", sign, minutes, rest);
    return text.data();
}

}  // namespace

Nanos TimeScale::timeAt(double x) const { return window.begin + static_cast<Nanos>(std::llround(x * nanosPerPx())); }

Interval TimeScale::zoomed(double factor, double x, Interval whole, Nanos shortest) const
{
    if (whole.empty() || !(factor > 0)) return window;
    const double wanted = static_cast<double>(window.length()) * factor;
    const double longest = static_cast<double>(whole.length());
    const auto length = static_cast<Nanos>(std::clamp(wanted, std::min(static_cast<double>(shortest), longest), longest));
    const double share = widthPx > 0 ? std::clamp(x / widthPx, 0.0, 1.0) : 0.5;
    const Nanos fixed = timeAt(x);
    const Nanos begin = fixed - static_cast<Nanos>(std::llround(share * static_cast<double>(length)));
    const Nanos kept = std::clamp(begin, whole.begin, whole.end - length);
    return {kept, kept + length};
}

Interval TimeScale::panned(double px, Interval whole) const
{
    const Nanos length = std::min(window.length(), whole.length());
    const Nanos moved = window.begin + static_cast<Nanos>(std::llround(px * nanosPerPx()));
    const Nanos begin = std::clamp(moved, whole.begin, whole.end - length);
    return {begin, begin + length};
}

std::string timeLabel(Nanos time, Nanos distance)
{
    if (distance >= second && std::abs(time) >= 2 * minute) return clock(time);
    struct Unit {
        Nanos size;
        const char* name;
    };
    static constexpr std::array<Unit, 4> units{{{second, "s"}, {1'000'000, "ms"}, {1'000, "µs"}, {1, "ns"}}};
    const Unit unit = std::abs(time) >= second || distance >= second || time == 0 ? units[0]
                      : std::abs(time) >= 1'000'000                               ? units[1]
                                                                                  : units[2];
    int digits = 0;
    for (Nanos size = unit.size; size > distance && digits < 9; size /= 10) ++digits;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f %s", digits, static_cast<double>(time) / static_cast<double>(unit.size), unit.name);
    return text.data();
}

std::vector<Tick> ticksOf(const TimeScale& scale, double spacePx)
{
    std::vector<Tick> ticks;
    if (scale.window.empty() || scale.widthPx <= 0) return ticks;
    const Nanos step = roundUp(scale.nanosPerPx() * spacePx);
    const int parts = step >= 5 ? partsOf(step) : 1;
    const Nanos small = std::max<Nanos>(1, step / parts);
    for (Nanos at = floorTo(scale.window.begin, step); at < scale.window.end; at += small) {
        if (at < scale.window.begin) continue;
        const bool large = floorTo(at, step) == at;
        ticks.push_back({at, scale.xOf(at), large ? timeLabel(at, step) : std::string()});
    }
    return ticks;
}

}  // namespace flowgauge::timeline
