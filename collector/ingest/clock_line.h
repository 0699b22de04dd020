// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/clock.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace flowgauge::ingest {

/// Ticks of one process to run time: piecewise linear through its anchors; before the first and after the last one with the
/// slope of the nearest piece. Monotone, so an event never ends before it begins.
class ClockLine {
public:
    /// `anchors` in any order, at least one; pieces shorter than 10 ms are left out, since the reading error would bend them.
    /// `fallbackSlope`: ns per tick for a process too short to have two good anchors. rawToRunNs: the host's.
    ClockLine(std::vector<ClockAnchor> anchors, double fallbackSlope, Nanos rawToRunNs);

    /// Run time in ns. Consecutive calls with near times are cheap: the last piece is tried first.
    [[nodiscard]] Nanos at(Ticks ticks)
    {
        if (ticks < m_pieces[m_last].begin || ticks >= m_pieces[m_last].end) find(ticks);
        const Piece& piece = m_pieces[m_last];
        return piece.runNs + static_cast<Nanos>(static_cast<double>(static_cast<std::int64_t>(ticks - piece.origin)) * piece.slope);
    }
    /// A duration in ticks, in ns.
    [[nodiscard]] Nanos duration(std::uint64_t ticks) const
    {
        return static_cast<Nanos>(static_cast<double>(ticks) * m_pieces[m_last].slope);
    }

    /// ns per tick over all good anchors; nothing when they are too near one another.
    [[nodiscard]] static std::optional<double> slopeOf(std::vector<ClockAnchor> anchors);

private:
    struct Piece {
        Ticks begin, end;  ///< half open; the outermost ones reach to the ends of time
        Ticks origin;
        Nanos runNs;  ///< at origin
        double slope;
    };
    void find(Ticks ticks);

    std::vector<Piece> m_pieces;
    std::size_t m_last = 0;
};

}  // namespace flowgauge::ingest
