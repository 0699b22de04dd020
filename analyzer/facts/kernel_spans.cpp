// SPDX-License-Identifier: MIT
#include "analyzer/facts/kernel_spans.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

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

bool fits(const CollectiveKernel& kernel, Kind call)
{
    const bool namesOne = std::any_of(kernelWords.begin(), kernelWords.end(), [&](const KernelWord& word) { return word.kind == call; });
    return kernel.kind == (namesOne ? call : Kind::None);
}

template <typename Items, typename Value>
bool allSame(const Items& items, const Value& valueOf)
{
    return std::all_of(items.begin(), items.end(), [&](const auto& item) { return valueOf(item) == valueOf(items.front()); });
}

/// Whether two calls were waiting at once, for two communicators on two streams, whose kernels could be each other's.
bool anyCouldBeSwapped(const std::vector<CollectiveKernel>& kernels, const std::vector<CollectiveCall*>& calls)
{
    if (allSame(kernels, [](const CollectiveKernel& one) { return one.stream; }) ||
        allSame(calls, [](const CollectiveCall* one) { return one->comm; }))
        return false;
    for (std::size_t i = 0; i < calls.size(); ++i)
        for (std::size_t next = i + 1; next < calls.size() && calls[next]->when.begin <= kernels[i].when.begin; ++next)
            if (kernels[i].stream != kernels[next].stream && calls[i]->comm != calls[next]->comm && calls[i]->kind == calls[next]->kind)
                return true;
    return false;
}

/// For what has a time.
template <typename Timed>
bool beginsEarlier(const Timed& left, const Timed& right)
{
    return left.when.begin < right.when.begin;
}

void giveKernel(const CollectiveKernel& kernel, CollectiveCall& call)
{
    call.when = kernel.when;
    call.enqueued = false;
}

bool onOneThread(const Launch& launch, const QueuedCall& call) { return launch.process == call.process && launch.thread == call.thread; }

/// The calls that each launch may have been for, by position in `queued`.
std::vector<std::vector<std::size_t>> callsOf(const std::vector<Launch>& launches, const std::vector<QueuedCall>& queued)
{
    std::vector<std::vector<std::size_t>> calls(launches.size());
    for (std::size_t i = 0; i < queued.size(); ++i) {
        const QueuedCall& call = queued[i];
        const auto behind = std::partition_point(launches.begin(), launches.end(), [&](const Launch& launch) {
            return std::tie(launch.process, launch.thread, launch.begin) < std::tie(call.process, call.thread, call.when.end);
        });
        if (behind != launches.begin() && onOneThread(behind[-1], call))
            calls[static_cast<std::size_t>(behind - launches.begin()) - 1].push_back(i);
    }
    return calls;
}

}  // namespace

Kind kindOfKernel(std::string_view name)
{
    const auto word = std::find_if(kernelWords.begin(), kernelWords.end(),
                                   [&](const KernelWord& one) { return name.find(one.word) != std::string_view::npos; });
    return word == kernelWords.end() ? Kind::None : word->kind;
}

void takeLaunchedSpans(std::vector<CollectiveKernel>& kernels, std::vector<Launch> launches, const std::vector<QueuedCall>& queued,
                       std::vector<CollectiveCall>& collectives)
{
    std::sort(launches.begin(), launches.end(), [](const Launch& left, const Launch& right) {
        return std::tie(left.process, left.thread, left.begin) < std::tie(right.process, right.thread, right.begin);
    });
    const auto calls = callsOf(launches, queued);
    std::map<std::pair<Nanos, CollectiveKey>, std::size_t> kernelOf;  // by the call's begin and key
    for (std::size_t i = 0; i < launches.size(); ++i)
        if (calls[i].size() == 1)
            if (const QueuedCall& call = queued[calls[i].front()]; fits(kernels[launches[i].kernel], static_cast<Kind>(call.key[2])))
                kernelOf[{call.when.begin, call.key}] = launches[i].kernel;
    std::vector<bool> given(kernels.size());
    for (CollectiveCall& call : collectives) {
        const auto kernel = call.enqueued ? kernelOf.find({call.when.begin, keyOf(call)}) : kernelOf.end();
        if (kernel == kernelOf.end()) continue;
        giveKernel(kernels[kernel->second], call);
        given[kernel->second] = true;
    }
    std::vector<CollectiveKernel> rest;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        if (!given[i]) rest.push_back(kernels[i]);
    kernels = std::move(rest);
    std::sort(collectives.begin(), collectives.end(), beginsEarlier<CollectiveCall>);
}

void takeKernelSpans(std::vector<CollectiveKernel> kernels, std::vector<CollectiveCall>& collectives)
{
    std::vector<CollectiveCall*> calls;
    for (CollectiveCall& call : collectives)
        if (call.enqueued) calls.push_back(&call);
    if (calls.empty() || calls.size() != kernels.size()) return;
    std::sort(kernels.begin(), kernels.end(), beginsEarlier<CollectiveKernel>);
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (kernels[i].when.begin < calls[i]->when.begin || !fits(kernels[i], calls[i]->kind)) return;
    if (anyCouldBeSwapped(kernels, calls)) return;
    for (std::size_t i = 0; i < calls.size(); ++i) giveKernel(kernels[i], *calls[i]);
    std::sort(collectives.begin(), collectives.end(), beginsEarlier<CollectiveCall>);
}

}  // namespace flowgauge::facts
