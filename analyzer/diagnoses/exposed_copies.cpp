// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/exposed_copies.h"

#include <algorithm>
#include <map>

namespace flowgauge::diagnoses {
namespace {

// As CUPTI numbers them.
constexpr std::int64_t toDevice = 1;
constexpr std::int64_t toHost = 2;

std::string directionName(std::int64_t direction)
{
    switch (direction) {
        case toDevice:
            return "from host to GPU";
        case toHost:
            return "from GPU to host";
        case 8:
            return "within a GPU";
        case 10:
            return "between GPUs";
        default:
            return "of other directions";
    }
}

Nanos exposedIn(const RankView& view, Interval window) { return view.parts.exposedCopy.totalWithin(window); }

std::map<std::int64_t, facts::CopySum> copiesOf(const Subject& subject)
{
    std::map<std::int64_t, facts::CopySum> all;
    for (const RankView& view : subject.ranks)
        for (const auto& [direction, sum] : view.rank->gpu.copies) {
            all[direction].count += sum.count;
            all[direction].bytes += sum.bytes;
            all[direction].time += sum.time;
        }
    return all;
}

/// Which direction took longest, hidden or not; 0 without any.
std::int64_t longestOf(const std::map<std::int64_t, facts::CopySum>& copies)
{
    const auto most =
        std::max_element(copies.begin(), copies.end(), [](const auto& a, const auto& b) { return a.second.time < b.second.time; });
    return most == copies.end() ? 0 : most->first;
}

std::string adviceFor(std::int64_t direction)
{
    if (direction == toDevice)
        return "Copy the next batch while this one is computed: pinned memory (pin_memory=True), non_blocking=True, and a stream of its "
               "own.";
    if (direction == toHost)
        return "Keep results on the GPU until they are needed: no .item(), .cpu() or printing of losses in every step.";
    return "Avoid copies between layouts and types in the step; reuse buffers.";
}

}  // namespace

std::optional<findings::Finding> exposedCopies(const Subject& subject)
{
    const Nanos exposed = subject.totalOf(exposedIn);
    const auto copies = copiesOf(subject);
    if (exposed <= 0 || copies.empty()) return std::nullopt;
    findings::Finding finding;
    finding.title = "Exposed copies";
    finding.amount = exposed;
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    finding.gain = findings::possible(subject.gainOf(exposedIn), finding.share());
    const std::int64_t longest = longestOf(copies);
    finding.verdict = findings::Sentence("Copies keep the GPU from computing for ", findings::Share{finding.share()},
                                         subject.bySteps ? " of the step" : " of the run", ", most of them ", directionName(longest),
                                         "; hiding them would save up to ", finding.gain, ".");
    for (const auto& [direction, sum] : copies) {
        if (sum.time <= 0) continue;
        finding.details.emplace_back(findings::Count{sum.count}, sum.count == 1 ? " copy " : " copies ", directionName(direction), ", ",
                                     findings::Bytes{static_cast<double>(sum.bytes)}, " in ", findings::Duration{sum.time}, " (",
                                     findings::BytesPerSecond{static_cast<double>(sum.bytes) * 1e9 / static_cast<double>(sum.time)}, ").");
    }
    const auto most = std::max_element(subject.ranks.begin(), subject.ranks.end(), [](const RankView& a, const RankView& b) {
        return a.parts.exposedCopy.total() < b.parts.exposedCopy.total();
    });
    for (const Interval stretch : most->parts.exposedCopy.longest(3))
        finding.evidence.push_back({most->rank->rank, stretch, "copying while nothing computes"});
    finding.advice = adviceFor(longest);
    return finding;
}

}  // namespace flowgauge::diagnoses
