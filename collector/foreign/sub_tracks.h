// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstddef>
#include <vector>

namespace flowgauge::foreign {

/// Deals slices of one track, in order of begin, onto rows on each of which they nest: a slice lies in the one that is open when it
/// begins, or begins after it.
class SubTracks {
public:
    /// The row of the next slice, from 0; the first on which it fits.
    [[nodiscard]] std::size_t rowOf(Interval slice)
    {
        for (std::size_t row = 0; row < m_open.size(); ++row)
            if (fits(m_open[row], slice)) return row;
        m_open.push_back({slice.end});
        return m_open.size() - 1;
    }

private:
    /// `open`: ends of the slices that are open there, innermost last.
    static bool fits(std::vector<Nanos>& open, Interval slice)
    {
        while (!open.empty() && open.back() <= slice.begin) open.pop_back();
        if (!open.empty() && open.back() < slice.end) return false;
        open.push_back(slice.end);
        return true;
    }
    std::vector<std::vector<Nanos>> m_open;
};

}  // namespace flowgauge::foreign
