// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

namespace flowgauge::diagnoses {

/// Why the step waits for data. One stall has one cause, so that three diagnoses do not tell it three times.
enum class StallCause : std::uint8_t { None, Storage, SmallReads, Loader };

struct Stall {
    StallCause cause = StallCause::None;
    Nanos total = 0;                ///< input stall in all windows of all ranks
    Nanos behindReads = 0;          ///< of it, while a process of the rank was inside a read call
    facts::ReadSums reads;          ///< of all ranks
    double savedByLargerReads = 0;  ///< share of read time that larger requests would save
    double savedError = 0;
    bool savedIsMeasured = false;  ///< the run holds larger reads to compare with
};

[[nodiscard]] Stall stallOf(const Subject& subject);

/// What the three have in common: amount, where, gain = the stall, evidence.
[[nodiscard]] findings::Finding stallFinding(const Subject& subject, const Stall& stall);

/// Stall of one window that lies behind reads.
[[nodiscard]] Nanos stallBehindReads(const RankView& view, Interval window);

}  // namespace flowgauge::diagnoses
