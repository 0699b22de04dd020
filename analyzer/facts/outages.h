// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/storage_facts.h"
#include "collector/store/run_store.h"

namespace flowgauge::facts {

/// Times of a second or more without a reply of an NFS server, after which requests ended that had waited as long. A client that asks
/// for nothing gets no reply either: that is none.
[[nodiscard]] std::vector<Outage> outagesOf(store::RunStore& store);

}  // namespace flowgauge::facts
