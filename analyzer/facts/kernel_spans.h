// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/communication_facts.h"
#include "analyzer/facts/rank_facts.h"

#include <string_view>
#include <vector>

namespace flowgauge::facts {

/// A kernel of NCCL that ran on one of a rank's GPUs.
struct CollectiveKernel {
    Interval when;
    Kind kind = Kind::None;  ///< what its name says it carries; None: sends and receives, or anything
    store::Id process = 0;
    std::uint64_t link = 0;  ///< shared with its launch; 0: not told
    store::Id stream = 0;    ///< the track of its stream
};
/// The call of CUDA that launched a kernel of NCCL.
struct Launch {
    store::Id process = 0;
    std::int64_t thread = 0;
    Nanos begin = 0;
    std::size_t kernel = 0;  ///< which one
};

/// By the one word of the name that is evidence.
[[nodiscard]] Kind kindOfKernel(std::string_view name);

/// Collectives that were only seen as NCCL took them get the span of the kernel that ran them.
///
/// Where the launches were recorded each call's own is known: it is the last one of its thread before the call's end (the profiler plugin
/// hears of a call just after its launch, whoever wraps the call just around it). A launch that carries several calls is nobody's.
/// Kernels that were given away leave the list.
void takeLaunchedSpans(std::vector<CollectiveKernel>& kernels, std::vector<Launch> launches, const std::vector<QueuedCall>& queued,
                       std::vector<CollectiveCall>& collectives);

/// The same by order, for what is left: NCCL launches in the order in which it takes, so the n-th is taken for the n-th, but only if there
/// are as many of both, each kernel's name fits its call, none began before its call, and no other order is possible (calls of two
/// communicators that wait on two streams at once): otherwise all calls stay as they are, as with fused groups, messages and replayed
/// graphs.
void takeKernelSpans(std::vector<CollectiveKernel> kernels, std::vector<CollectiveCall>& collectives);

}  // namespace flowgauge::facts
