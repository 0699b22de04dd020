// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/rank_facts.h"

#include <string_view>
#include <vector>

namespace flowgauge::facts {

/// A kernel of NCCL that ran on one of a rank's GPUs.
struct CollectiveKernel {
    Interval when;
    Kind kind = Kind::None;  ///< what its name says it carries; None: sends and receives, or anything
};
/// By the one word of the name that is evidence.
[[nodiscard]] Kind kindOfKernel(std::string_view name);

/// Collectives that were only seen as NCCL took them get the span of the kernel that ran them. NCCL launches them in the order in which it
/// takes them, so the n-th is taken for the n-th, but only if there are as many of both, each kernel's name fits its call, and none began
/// before its call: fused groups, messages and replayed graphs have other numbers, and then all calls stay as they are.
void takeKernelSpans(std::vector<CollectiveKernel> kernels, std::vector<CollectiveCall>& collectives);

}  // namespace flowgauge::facts
