// SPDX-License-Identifier: MIT
#include "analyzer/facts/epochs.h"

#include "analyzer/facts/log/read_log.h"
#include "analyzer/facts/median.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

/// Last collective of one epoch to the first of the next; without collectives from last to first step; without steps from the
/// end of one epoch to the begin of the next.
Nanos gapBetween(const RankFacts& rank, Interval before, Interval after)
{
    const auto beginsBefore = [](const auto& thing, Nanos t) { return thing.when.begin < t; };
    const auto border = [&](const auto& things) -> std::optional<Nanos> {
        const auto next = std::lower_bound(things.begin(), things.end(), after.begin, beginsBefore);
        const auto last = std::lower_bound(things.begin(), next, before.end, beginsBefore);
        if (next == things.end() || next->when.begin >= after.end || last == things.begin()) return std::nullopt;
        if (std::prev(last)->when.begin < before.begin) return std::nullopt;
        return std::max<Nanos>(0, next->when.begin - std::prev(last)->when.end);
    };
    if (const auto gap = border(rank.collectives)) return *gap;
    if (const auto gap = border(rank.steps)) return *gap;
    return std::max<Nanos>(0, after.begin - before.end);
}

const EpochPart* partOf(const RankFacts& rank, std::int64_t number)
{
    const auto found =
        std::find_if(rank.epochs.begin(), rank.epochs.end(), [number](const EpochPart& part) { return part.number == number; });
    return found == rank.epochs.end() ? nullptr : &*found;
}

Measured<Nanos> medianGap(const std::vector<RankFacts>& ranks, std::int64_t before, std::int64_t after)
{
    std::vector<Nanos> gaps;
    for (const RankFacts& rank : ranks) {
        const EpochPart* first = partOf(rank, before);
        const EpochPart* second = partOf(rank, after);
        if (first != nullptr && second != nullptr) gaps.push_back(gapBetween(rank, first->when, second->when));
    }
    if (gaps.empty()) return Measured<Nanos>::missing("no rank has both epochs");
    return medianOf(std::move(gaps));
}

/// One epoch of the job from the ranks' parts of that number.
void join(const EpochPart& part, FoundBy found, std::vector<Epoch>& epochs)
{
    const auto at = std::find_if(epochs.begin(), epochs.end(), [&](const Epoch& epoch) { return epoch.number == part.number; });
    if (at == epochs.end()) {
        Epoch& epoch = epochs.emplace_back();
        epoch.number = part.number;
        epoch.when = part.when;
        epoch.source = found.source;
        epoch.confidence = found.confidence;
        epoch.complete = !part.open;
        epoch.samples = part.samples;
        return;
    }
    at->when = {std::min(at->when.begin, part.when.begin), std::max(at->when.end, part.when.end)};
    at->complete = at->complete && !part.open;
    at->samples += part.samples;
}

/// Reads tell an epoch's begin for each rank apart: what lies between the first and the last of them is doubt.
void putAgreement(const std::vector<RankFacts>& ranks, Epoch& epoch)
{
    Nanos latest = epoch.when.begin;
    for (const RankFacts& rank : ranks)
        if (const EpochPart* part = partOf(rank, epoch.number)) latest = std::max(latest, part->when.begin);
    const auto doubt = static_cast<double>(latest - epoch.when.begin);
    if (!epoch.when.empty()) epoch.confidence = std::max(0.0, 1 - doubt / static_cast<double>(epoch.when.length()));
}

}  // namespace

void putParts(const std::vector<MarkedEpoch>& epochs, RankFacts& rank)
{
    for (const MarkedEpoch& epoch : epochs) {
        EpochPart& part = rank.epochs.emplace_back();
        part.number = epoch.number;
        part.when = epoch.when;
        part.samples = epoch.samples;
        part.open = epoch.open;
    }
}

void joinEpochs(FoundBy foundBy, RunFacts& run)
{
    for (const RankFacts& rank : run.ranks)
        for (const EpochPart& part : rank.epochs) join(part, foundBy, run.epochs);
    if (run.ranks.empty()) {
        const FoundEpochs found = epochsOfLog(run.log, {});
        RankFacts wholeJob;
        if (found.source != EpochSource::None) putParts(found.perRank.front(), wholeJob);
        for (const EpochPart& part : wholeJob.epochs) join(part, {found.source}, run.epochs);
    }
    std::sort(run.epochs.begin(), run.epochs.end(),
              [](const Epoch& left, const Epoch& right) { return left.when.begin < right.when.begin; });
    const bool fromLog = foundBy.source == EpochSource::Log || foundBy.source == EpochSource::LogBlocks || run.ranks.empty();
    if (foundBy.source == EpochSource::FileCoverage)
        for (Epoch& epoch : run.epochs) putAgreement(run.ranks, epoch);
    for (std::size_t i = 0; i < run.epochs.size(); ++i) {
        if (run.epochs[i].samples == 0 && fromLog) run.epochs[i].samples = static_cast<std::uint64_t>(run.log.trainSamples.valueOr(0));
        run.epochs[i].gapBefore =
            i == 0 ? Measured<Nanos>::missing("first epoch") : medianGap(run.ranks, run.epochs[i - 1].number, run.epochs[i].number);
    }
}

}  // namespace flowgauge::facts
