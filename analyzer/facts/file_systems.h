// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/storage_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// What the clients of parallel file systems counted over the run, a mount each.
[[nodiscard]] std::vector<FileSystemBytes> fileSystemsOf(store::RunStore& store);

}  // namespace flowgauge::facts
