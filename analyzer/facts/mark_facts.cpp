// SPDX-License-Identifier: MIT
#include "analyzer/facts/mark_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace flowgauge::facts {
namespace {

using store::StoredEvent;
using store::TrackRow;

constexpr std::array<std::string_view, 4> computePhases{"forward", "backward", "optimizer", "compute"};

/// Collects one rank's marks; sets are built when all have been seen (threads interleave).
struct MarkBuilder {
    std::map<store::Id, std::vector<Interval>> phases;  ///< by name
    std::vector<Step> steps;
    std::vector<MarkedEpoch> epochs, starts;
};

void take(const StoredEvent& event, Interval when, MarkBuilder& into)
{
    const auto samples = static_cast<std::uint64_t>(event.arg[1]);
    switch (event.kind) {
        case Kind::StepMark:
            into.steps.push_back({event.arg[0], when, samples});
            break;
        case Kind::EpochMark:
            into.epochs.push_back({event.arg[0], when, samples, false});
            break;
        case Kind::EpochStart:
            into.starts.push_back({event.arg[0], {event.begin, event.begin}, 0, true});
            break;
        case Kind::PhaseMark:
            into.phases[event.arg[0]].push_back(when);
            break;
        default:
            break;
    }
}

/// Closed epochs, and those whose start alone was seen: they last until the next begins or the rank's last event.
std::vector<MarkedEpoch> epochsOf(MarkBuilder& builder, Interval extent)
{
    std::vector<MarkedEpoch> epochs = std::move(builder.epochs);
    for (const MarkedEpoch& start : builder.starts) {
        const bool closed =
            std::any_of(epochs.begin(), epochs.end(), [&](const MarkedEpoch& epoch) { return epoch.number == start.number; });
        if (!closed) epochs.push_back(start);
    }
    const auto earlier = [](const MarkedEpoch& left, const MarkedEpoch& right) { return left.when.begin < right.when.begin; };
    std::sort(epochs.begin(), epochs.end(), earlier);
    for (std::size_t i = 0; i < epochs.size(); ++i)
        if (epochs[i].open) epochs[i].when.end = i + 1 < epochs.size() ? epochs[i + 1].when.begin : extent.end;
    return epochs;
}

void finish(store::RunStore& store, MarkBuilder& builder, RankFacts& rank)
{
    for (auto& [name, intervals] : builder.phases) rank.phases[store.nameText(name)] = IntervalSet::of(std::move(intervals));
    for (const std::string_view name : computePhases) rank.compute = rank.compute.united(rank.phase(std::string(name)));
    rank.communication = rank.phase("communication");
    rank.waiting = rank.phase("input");
    rank.inputMarked = !rank.waiting.empty();
    rank.steps = std::move(builder.steps);
    std::sort(rank.steps.begin(), rank.steps.end(), [](const Step& left, const Step& right) { return left.when.begin < right.when.begin; });
    rank.computeKnown = rank.compute.empty()
                            ? Measured<bool>::missing("no GPU kernels recorded, no phase forward, backward, optimizer or compute marked")
                            : Measured<bool>(true);
    rank.communicationKnown =
        rank.communication.empty() ? Measured<bool>::missing("no MPI call seen, no phase communication marked") : Measured<bool>(true);
}

}  // namespace

std::vector<std::vector<MarkedEpoch>> readMarks(store::RunStore& store, Layout& layout, std::vector<RankFacts>& ranks)
{
    std::vector<MarkBuilder> builders(ranks.size());
    store.scan(layout.query({Kind::EpochStart, Kind::EpochMark, Kind::StepMark, Kind::PhaseStart, Kind::PhaseMark}),
               [&](const TrackRow& track, std::span<const StoredEvent> events) {
                   const auto rank = layout.rankOf(track);
                   if (!rank) return true;
                   layout.trainingThreads.insert({track.key.process, track.key.thread});
                   for (const StoredEvent& event : events) {
                       const Interval when = layout.clipped(event);
                       widen(ranks[*rank].extent, when);
                       take(event, when, builders[*rank]);
                   }
                   return true;
               });
    std::vector<std::vector<MarkedEpoch>> epochs;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        finish(store, builders[i], ranks[i]);
        epochs.push_back(epochsOf(builders[i], ranks[i].extent));
    }
    return epochs;
}

}  // namespace flowgauge::facts
