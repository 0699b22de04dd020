// SPDX-License-Identifier: MIT
#include "workloads/simulate/faults.h"

#include <algorithm>
#include <array>

namespace flowgauge::simulate {

std::span<const FaultRow> faultRows()
{
    static constexpr std::array rows{
        FaultRow{"slow_storage", "MB/s of the whole storage", "slow_storage storage_ceiling cold_epoch cold_cache",
                 [](const Fault& fault, Parameters& into) { into.storage.bandwidthMbPerS = fault.amount; }},
        FaultRow{"small_cache", "GB of a node's memory", "slow_storage storage_ceiling cache_too_small data_exceeds_cache",
                 [](const Fault& fault, Parameters& into) { into.cluster.memoryGb = fault.amount; }},
        FaultRow{"small_reads", "kB of a request", "small_reads",
                 [](const Fault& fault, Parameters& into) {
                     into.data.requestKb = fault.amount;
                     into.recording.readsPerStep = 1'000'000;  // the evidence is their number
                 }},
        FaultRow{"slow_loader", "ms of work on a batch", "input_stall",
                 [](const Fault& fault, Parameters& into) { into.data.decodeMs = fault.amount; }},
        FaultRow{"slow_link", "Gb/s", "exposed_communication no_overlap slow_link late_bucket",
                 [](const Fault& fault, Parameters& into) { into.link.gbps = fault.amount; }},
        FaultRow{"no_overlap", "nothing", "exposed_communication no_overlap slow_link late_bucket",
                 [](const Fault&, Parameters& into) { into.model.overlap = false; }},
        FaultRow{"straggler", "share by which the rank is slower", "straggler imbalance",
                 [](const Fault& fault, Parameters& into) {
                     into.slowRanks.push_back({fault.rank, fault.amount});
                 }},
        FaultRow{"shuffle_pause", "seconds between epochs", "shuffle_gap",
                 [](const Fault& fault, Parameters& into) { into.training.shufflePauseS = fault.amount; }},
        FaultRow{"checkpoint", "seconds after each epoch", "checkpoint checkpoint_stall shuffle_gap",
                 [](const Fault& fault, Parameters& into) {
                     into.training.checkpointS = fault.amount;
                     into.training.checkpointEvery = 1;
                 }},
        FaultRow{"missing_rank", "nothing", "", [](const Fault& fault, Parameters& into) { into.missingRanks.push_back(fault.rank); }},
        FaultRow{"lost_events", "how many", "lost_events",
                 [](const Fault& fault, Parameters& into) { into.lostEvents = static_cast<std::int64_t>(fault.amount); }},
        FaultRow{"link_errors", "errors a second on each port", "link_errors",
                 [](const Fault& fault, Parameters& into) { into.linkErrorsPerS = fault.amount; }},
    };
    return rows;
}

const FaultRow* findFault(std::string_view kind)
{
    const auto rows = faultRows();
    const auto found = std::find_if(rows.begin(), rows.end(), [kind](const FaultRow& row) { return row.kind == kind; });
    return found == rows.end() ? nullptr : &*found;
}

std::string faultNames()
{
    std::string names;
    for (const FaultRow& row : faultRows()) names.append(names.empty() ? "" : ", ").append(row.kind);
    return names;
}

Parameters withFaults(const Parameters& parameters, int except)
{
    Parameters result = parameters;
    for (std::size_t i = 0; i < parameters.faults.size(); ++i)
        if (static_cast<int>(i) != except) findFault(parameters.faults[i].kind)->apply(parameters.faults[i], result);
    return result;
}

}  // namespace flowgauge::simulate
