// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/shuffle_gap.h"

#include "analyzer/diagnoses/gap_cause.h"
#include "analyzer/facts/median.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// Last collective of one step to the first of the next in the same epoch: what an epoch's border would cost if it were an ordinary step.
Nanos usualGap(const facts::RankFacts& rank)
{
    std::vector<Nanos> gaps;
    const auto& calls = rank.collectives;
    std::size_t next = 0;
    std::size_t epoch = 0;
    for (const facts::Step& step : rank.steps) {
        bool beginsEpoch = false;
        for (; epoch < rank.epochs.size() && rank.epochs[epoch].when.begin <= step.when.begin; ++epoch) beginsEpoch = true;
        while (next < calls.size() && calls[next].when.begin < step.when.begin) ++next;
        if (!beginsEpoch && next > 0 && next < calls.size() && step.when.contains(calls[next].when.begin))
            gaps.push_back(std::max<Nanos>(0, calls[next].when.begin - calls[next - 1].when.end));
    }
    return facts::medianOf(std::move(gaps));
}

struct Gaps {
    std::vector<Nanos> extra;  ///< ns beyond the usual, per border
    std::string after;         ///< "epochs 1, 2"
    GapEvidence sum;           ///< of all
    std::vector<findings::Evidence> evidence;
};

Gaps gapsOf(const Subject& subject)
{
    std::vector<Nanos> usual;
    for (const RankView& view : subject.ranks) usual.push_back(usualGap(*view.rank));
    const Nanos ordinary = facts::medianOf(std::move(usual));
    Gaps gaps;
    const auto& epochs = subject.run.epochs;
    for (std::size_t i = 1; i < epochs.size(); ++i) {
        if (!epochs[i].gapBefore.known()) continue;
        const Interval border{epochs[i - 1].when.end - ordinary, epochs[i].when.begin + ordinary};
        const GapEvidence evidence = evidenceOf(subject, border, epochs[i].gapBefore.value() - ordinary);
        const Nanos extra = evidence.length - evidence.named();
        gaps.extra.push_back(std::max<Nanos>(0, extra));
        if (extra <= 0) continue;
        gaps.sum += evidence;
        gaps.after += (gaps.after.empty() ? "" : ", ") + std::to_string(epochs[i - 1].number);
        gaps.evidence.push_back(
            {subject.ranks.empty() ? 0 : subject.ranks.front().rank->rank,
             {std::min(epochs[i - 1].when.end, epochs[i].when.begin), std::max(epochs[i - 1].when.end, epochs[i].when.begin)},
             "between two epochs"});
    }
    return gaps;
}

}  // namespace

std::optional<findings::Finding> shuffleGap(const Subject& subject)
{
    Gaps gaps = gapsOf(subject);
    Nanos sum = 0;
    for (const Nanos extra : gaps.extra) sum += extra;
    const Nanos run = subject.run.extent.length();
    if (sum <= 0 || run <= 0) return std::nullopt;
    findings::Finding finding;
    finding.amount = sum;
    finding.outOf = run;
    finding.outOfWhat = "the run";
    finding.ranks = subject.run.rankNumbers();
    finding.where = (gaps.after.find(',') == std::string::npos ? "after epoch " : "after epochs ") + gaps.after;
    const auto [least, most] = std::minmax_element(gaps.extra.begin(), gaps.extra.end());
    finding.gain = {finding.share(),
                    static_cast<double>((*most - *least) * static_cast<Nanos>(gaps.extra.size())) / 2 / static_cast<double>(run)};
    finding.verdict =
        findings::Sentence("Between epochs the job stands for ", findings::Duration{sum / static_cast<Nanos>(gaps.extra.size())},
                           " each time; without that the run would be ", finding.gain, " shorter.");
    finding.details.emplace_back(findings::Count{static_cast<std::int64_t>(gaps.extra.size())}, " borders, ", findings::Duration{sum},
                                 " in all, beyond an ordinary step, evaluation and checkpoints.");
    finding.evidence = std::move(gaps.evidence);
    describeCause(gaps.sum, finding);
    return finding;
}

}  // namespace flowgauge::diagnoses
