// SPDX-License-Identifier: MIT
#include "analyzer/facts/kernel_spans.h"

#include <algorithm>
#include <array>

namespace flowgauge::facts {
namespace {

struct KernelWord {
    std::string_view word;
    Kind kind;
};
/// Longer words first: "Reduce" is a part of two others.
constexpr std::array kernelWords{
    KernelWord{"AllReduce", Kind::Allreduce}, KernelWord{"ReduceScatter", Kind::ReduceScatter},
    KernelWord{"AllGather", Kind::Allgather}, KernelWord{"Broadcast", Kind::Broadcast},
    KernelWord{"Reduce", Kind::Reduce},
};

bool fits(const CollectiveKernel& kernel, const CollectiveCall& call)
{
    const bool namesOne =
        std::any_of(kernelWords.begin(), kernelWords.end(), [&](const KernelWord& word) { return word.kind == call.kind; });
    return kernel.when.begin >= call.when.begin && kernel.kind == (namesOne ? call.kind : Kind::None);
}

}  // namespace

Kind kindOfKernel(std::string_view name)
{
    const auto word = std::find_if(kernelWords.begin(), kernelWords.end(),
                                   [&](const KernelWord& one) { return name.find(one.word) != std::string_view::npos; });
    return word == kernelWords.end() ? Kind::None : word->kind;
}

void takeKernelSpans(std::vector<CollectiveKernel> kernels, std::vector<CollectiveCall>& collectives)
{
    std::vector<CollectiveCall*> calls;
    for (CollectiveCall& call : collectives)
        if (call.enqueued) calls.push_back(&call);
    if (calls.empty() || calls.size() != kernels.size()) return;
    const auto earlier = [](const auto& left, const auto& right) { return left.when.begin < right.when.begin; };
    std::sort(kernels.begin(), kernels.end(), earlier);
    if (!std::equal(kernels.begin(), kernels.end(), calls.begin(),
                    [](const auto& kernel, const auto* call) { return fits(kernel, *call); }))
        return;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        calls[i]->when = kernels[i].when;
        calls[i]->enqueued = false;
    }
    std::sort(collectives.begin(), collectives.end(), earlier);
}

}  // namespace flowgauge::facts
