// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/data_thread.h"
#include "gui/load/snapshot.h"

#include <optional>
#include <vector>

namespace flowgauge::load {

/// An epoch as the shown ranks lived it.
struct EpochFigures {
    Interval when;           ///< of the job
    facts::TimeParts parts;  ///< of the shown ranks, added up: their sum is parts.wall
    Nanos unwritten = 0;     ///< of the same: outside of steps, where a recording leaves steps out. In no part; 0 for whole recordings
    std::int64_t ranks = 0;  ///< how many took part
    findings::EpochRow row;  ///< all ranks: the report's own; some: asked, fetched and samples are theirs
};

/// Where a rank's time went in a piece of time. Of a thinned recording: in the steps of it that were written, whose length is its wall:
/// what lies between them may have been anything.
[[nodiscard]] facts::TimeParts partsWithin(const Analysis& analysis, std::size_t rankAt, Interval when);

/// ranks: empty means all.
[[nodiscard]] std::vector<EpochFigures> epochFigures(const Analysis& analysis, const std::vector<int>& ranks);

/// The first epoch against the later ones.
struct ColdAgainstWarm {
    Nanos first = 0, later = 0;  ///< later: the median
    Measured<std::int64_t> firstFetched, laterFetched;
};
[[nodiscard]] std::optional<ColdAgainstWarm> coldAgainstWarm(const std::vector<EpochFigures>& epochs);

/// Bytes of all hosts while an epoch went on: what the machines' counters say, whoever caused it.
struct EpochFlow {
    Measured<double> received, sent, disks;
    Measured<double> fromStorageCache;  ///< share of fetched that no disk of the storage was read for
};
/// In the order of the intervals.
[[nodiscard]] std::vector<EpochFlow> epochFlows(store::RunStore& store, const std::vector<Interval>& epochs, const Cancel& cancel);

}  // namespace flowgauge::load
