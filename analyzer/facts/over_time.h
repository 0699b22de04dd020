// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "collector/store/run_store.h"

#include <vector>

namespace flowgauge::facts {

/// Steps that begin in one slice of time, of all ranks.
struct StepSlice {
    std::int64_t steps = 0;
    TimeParts parts;  ///< added up; divided by steps: the mean step
};

/// The run in equal slices of time: what flowed through each layer, and where the steps' time went. For charts. Bytes per second of all
/// hosts together; an empty list was not measured.
struct OverTime {
    Interval when;
    std::vector<double> asked;           ///< by read calls, at the moment each begins
    std::vector<double> fetched;         ///< over the wire by the NFS client, else by the processes from storage
    std::vector<double> disks;           ///< read from whole disks: of storage servers where such are sampled
    std::vector<double> received, sent;  ///< by the hosts' ports, as PortTraffic knows them
    std::vector<StepSlice> steps;        ///< empty where no steps are known
};

/// Bytes a second that read calls asked for, at the moment each begins, in as many equal slices of `when`; empty without such calls.
[[nodiscard]] std::vector<double> askedOver(store::RunStore& store, Interval when, std::size_t slices);

/// slices: how many; at least 1. Reads counters and tiles, not events. asked: what askedOver tells of run.extent, of all parts of the run
/// added up where the store holds what is few of them alone.
[[nodiscard]] OverTime overTime(store::RunStore& store, const RunFacts& run, std::size_t slices, std::vector<double> asked);
[[nodiscard]] OverTime overTime(store::RunStore& store, const RunFacts& run, std::size_t slices);

}  // namespace flowgauge::facts
