// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/run_store.h"

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace flowgauge::facts {

/// The processes of one rank: the one that trains and its workers.
struct ProcessGroup {
    int rank = 0;
    bool named = true;                         ///< false: no variable and no MPI said the rank; we counted
    std::vector<store::ProcessRow> processes;  ///< earliest first
};

/// A process belongs to the rank it names; one that names none belongs to its nearest recorded ancestor's. When nobody names a
/// rank, every process without a recorded parent makes a group of its own, numbered from 0 by time.
/// `active` are the processes that recorded anything but counters; groups without one are left out (the launcher's own).
[[nodiscard]] std::vector<ProcessGroup> groupProcesses(std::vector<store::ProcessRow> processes, const std::vector<store::Id>& active);

/// From a track's process to its group.
[[nodiscard]] std::unordered_map<store::Id, std::size_t> groupOfProcess(const std::vector<ProcessGroup>& groups);

}  // namespace flowgauge::facts
