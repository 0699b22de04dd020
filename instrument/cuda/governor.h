// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace flowgauge::cuda {

/// How much of the GPU is recorded, from all that was asked for down to nothing.
enum class Level : std::uint8_t { All, WithoutCalls, WholeGraphs, Sometimes, Off };

/// What a level means, as the run's ledger says it.
[[nodiscard]] constexpr std::string_view levelText(Level level)
{
    constexpr std::array<std::string_view, 5> texts{"everything that was asked for", "calls and waits are not recorded any more",
                                                    "CUDA graphs are recorded as a whole, not their kernels",
                                                    "kernels are recorded for one second in ten", "the GPU is not recorded any more"};
    return texts[static_cast<std::size_t>(level)];
}

/// What recording cost during a piece of time.
struct Cost {
    Nanos wallNs;
    Nanos ownNs;       ///< processor time of our thread and in CUPTI's calls to us
    Nanos overheadNs;  ///< what CUPTI itself reports as overhead
};

/// Decides when recording has become too dear: over budget in two pieces of time in a row, it takes one step down. Never up again: a
/// cost that goes when recording goes would come back with it. The first pieces do not count, in which CUPTI readies every kernel.
class Governor {
public:
    explicit constexpr Governor(double budgetShare) : m_budget(budgetShare) {}

    /// True when the next cheaper level is due.
    [[nodiscard]] constexpr bool isDue(const Cost& cost)
    {
        if (cost.wallNs <= 0 || m_pieces++ < freePieces) return false;
        m_share = static_cast<double>(cost.ownNs + cost.overheadNs) / static_cast<double>(cost.wallNs);
        m_dear = m_share > m_budget ? m_dear + 1 : 0;
        if (m_dear < 2) return false;
        m_dear = 0;
        return true;
    }
    /// The share of the last piece.
    [[nodiscard]] constexpr double share() const { return m_share; }

private:
    static constexpr std::uint32_t freePieces = 3;
    double m_budget;
    double m_share = 0;
    std::uint32_t m_pieces = 0, m_dear = 0;
};

}  // namespace flowgauge::cuda
