// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <span>
#include "workloads/ledger.h"

namespace flowgauge::workloads {

/// Writes `folder`/epoch-0001.ckpt: the floats as they lie in memory, written in pieces of 4 MiB, synced, then renamed into place, so
/// that a reader never meets half a checkpoint. Makes the folder. Throws Failure when the disk refuses.
void writeCheckpoint(const std::filesystem::path& folder, std::uint64_t epoch, std::span<const float> state, Ledger& ledger);

}  // namespace flowgauge::workloads
