// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/sentence.h"

#include <string>
#include <vector>

namespace flowgauge::findings {

/// A place on the time line that shows what a finding says.
struct Evidence {
    int rank = 0;
    Interval when;
    std::string what;
    friend bool operator==(const Evidence&, const Evidence&) = default;
};

/// The answer of one diagnosis: an amount, out of what, where, what fixing it would gain, and what to do.
/// gain is a share of outOf's whole (the step, the run): what the time would shrink by without this one thing. It is never
/// larger than the amount, and gains of several findings do not add up.
struct Finding {
    std::string diagnosis;  ///< the diagnosis's name: exposed_communication, slow_storage, ...
    std::string title;
    Nanos amount = 0;
    Nanos outOf = 0;
    std::string outOfWhat;  ///< "step time", "the run"
    std::vector<int> ranks;
    std::string where;  ///< "all steps", "after epochs 1, 2"
    Sentence verdict;   ///< cause and amount, a whole sentence
    std::vector<Sentence> details;
    std::vector<Evidence> evidence;
    Estimate gain;
    std::string advice;
    std::string toBeSure;    ///< what would have to be known; "" when nothing
    double partOfRun = 1.0;  ///< how much of the run outOf makes up: steps may be a small part of it
    bool heads = false;      ///< stands above all others, whatever it gains: the numbers below it cannot be trusted

    [[nodiscard]] double share() const { return outOf > 0 ? static_cast<double>(amount) / static_cast<double>(outOf) : 0.0; }
};

/// A finding that gains less is told, but it is no fault: step times of a healthy run differ by as much.
inline constexpr double worthFixing = 0.05;
/// A finding that gains less is not told: it is below what two recordings of the same job differ by.
inline constexpr double worthTelling = 0.01;

/// A gain that is no larger than its amount: the mean of steps' shares is not the share of their sum.
[[nodiscard]] Estimate possible(Estimate gain, double share);

/// What heads first, what is worth fixing next, then by what of the run is gained, then by amount. Drops what is not worth telling; clamps
/// each gain to its amount.
[[nodiscard]] std::vector<Finding> ranked(std::vector<Finding> findings);

/// The mean of per-step shares with its error: the larger of 1.96 standard errors over steps and half the range over ranks.
/// Each inner list is one rank's steps. Empty lists say nothing: {0, 0}.
[[nodiscard]] Estimate estimateOf(const std::vector<std::vector<double>>& sharesPerRank);

}  // namespace flowgauge::findings
