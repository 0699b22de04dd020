// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/finding.h"

#include <optional>
#include <vector>

namespace flowgauge::diagnoses {

/// NCCL itself says that some of its connections between hosts go through the hosts' memory.
[[nodiscard]] std::optional<findings::Finding> stagedByNccl(const Subject& subject);

/// The verdict and its evidence as the report says them; empty where nothing asks for one: NCCL printed nothing.
[[nodiscard]] std::vector<findings::Sentence> gpuDirectSentences(const facts::GpuDirect& found);

}  // namespace flowgauge::diagnoses
