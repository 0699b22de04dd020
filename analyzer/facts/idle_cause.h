// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"

namespace flowgauge::facts {

/// Why no stream of a group's GPUs had work: fills gpu.lateLaunch, gpu.afterSync and gpu.launchesKnown of a rank that used one.
/// A gap is the host's fault where the work that ends it was launched only after the gap had begun; where the host had been waiting
/// for the GPU when it ran dry, the waiting is why. Work that was launched before and yet did not run waits for the GPU itself.
void findIdleCauses(store::RunStore& store, const Layout& layout, std::size_t group, RankFacts& rank);

/// True for calls that return only when a GPU has caught up: cudaStreamSynchronize, cudaMemcpy, hipDeviceSynchronize, ...
[[nodiscard]] bool waitsForGpu(std::string_view call);

}  // namespace flowgauge::facts
