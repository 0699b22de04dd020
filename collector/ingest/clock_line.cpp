// SPDX-License-Identifier: MIT
#include "collector/ingest/clock_line.h"

#include <algorithm>
#include <limits>

namespace flowgauge::ingest {
namespace {

constexpr Nanos shortestPieceNs = 10'000'000;

/// The anchors in order of ticks, with at least 10 ms from one to the next.
std::vector<ClockAnchor> spaced(std::vector<ClockAnchor> anchors)
{
    std::sort(anchors.begin(), anchors.end(), [](const ClockAnchor& a, const ClockAnchor& b) { return a.ticks < b.ticks; });
    std::vector<ClockAnchor> kept;
    for (const ClockAnchor& anchor : anchors)
        if (kept.empty() || (anchor.rawNs - kept.back().rawNs >= shortestPieceNs && anchor.ticks > kept.back().ticks))
            kept.push_back(anchor);
    return kept;
}

double slopeBetween(const ClockAnchor& from, const ClockAnchor& to)
{
    return static_cast<double>(to.rawNs - from.rawNs) / static_cast<double>(to.ticks - from.ticks);
}

}  // namespace

ClockLine::ClockLine(std::vector<ClockAnchor> anchors, double fallbackSlope, Nanos rawToRunNs)
{
    const std::vector<ClockAnchor> kept = spaced(std::move(anchors));
    constexpr Ticks endOfTime = std::numeric_limits<Ticks>::max();
    if (kept.size() < 2) {
        m_pieces.push_back({0, endOfTime, kept.front().ticks, kept.front().rawNs + rawToRunNs, fallbackSlope});
        return;
    }
    for (std::size_t i = 0; i + 1 < kept.size(); ++i)
        m_pieces.push_back(
            {kept[i].ticks, kept[i + 1].ticks, kept[i].ticks, kept[i].rawNs + rawToRunNs, slopeBetween(kept[i], kept[i + 1])});
    m_pieces.front().begin = 0;
    m_pieces.back().end = endOfTime;
}

void ClockLine::find(Ticks ticks)
{
    const auto after =
        std::upper_bound(m_pieces.begin(), m_pieces.end(), ticks, [](Ticks t, const Piece& piece) { return t < piece.begin; });
    m_last = after == m_pieces.begin() ? 0 : static_cast<std::size_t>(after - m_pieces.begin()) - 1;
}

std::optional<double> ClockLine::slopeOf(std::vector<ClockAnchor> anchors)
{
    const std::vector<ClockAnchor> kept = spaced(std::move(anchors));
    if (kept.size() < 2) return std::nullopt;
    return slopeBetween(kept.front(), kept.back());
}

}  // namespace flowgauge::ingest
