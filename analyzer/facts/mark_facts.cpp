// SPDX-License-Identifier: MIT
#include "analyzer/facts/mark_facts.h"

#include <algorithm>
#include <array>

namespace flowgauge::facts {
namespace {

using store::StoredEvent;
using store::TrackRow;

constexpr std::array computePhases{Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Compute};

/// Marked phases of one rank: tracks come one after the other, each sorted.
class PhaseBuilder {
public:
    PhaseBuilder(store::RunStore& store, const PieceLimit& limit) : m_store(store), m_asked(limit), m_shown(limit) {}

    void take(store::Id name, Interval when)
    {
        const auto [at, isNew] = m_track.try_emplace(name);
        Stretches& phase = at->second;
        if (isNew) phase.asked = isAskedFor(m_store.nameText(name));
        if (phase.asked) return m_asked.append(phase.when, when);
        const std::size_t before = phase.when.size();
        phase.when.append(when);
        m_shownPieces += phase.when.size() - before;
        if (m_shownPieces > 2 * m_shown.most && m_shown.cellLog2 < PieceLimit::coarsest) thinShown();
    }
    void endTrack()
    {
        for (auto& [name, phase] : m_track) {
            Stretches& all = m_all[name];
            all = {all.when.united(phase.when), phase.asked};
        }
        m_track.clear();
    }
    void put(RankFacts& rank)
    {
        for (auto& [name, phase] : m_all) {
            if (phase.asked) m_asked.keep(phase.when);
            phase.when.giveBack();
            rank.phases[m_store.nameText(name)] = std::move(phase.when);
        }
        rank.closeness.cell = std::max(rank.closeness.cell, m_asked.cell());
    }

private:
    struct Stretches {
        IntervalSet when;
        bool asked = false;
    };
    using Phases = std::map<store::Id, Stretches>;  ///< by name

    /// There may be hundreds of names: they share a limit.
    void thinShown()
    {
        while (m_shownPieces > m_shown.most && m_shown.cellLog2 < PieceLimit::coarsest) {
            m_shown.widen();
            m_shownPieces = 0;
            for (Phases* phases : {&m_track, &m_all})
                for (auto& [name, phase] : *phases) {
                    if (phase.asked) continue;
                    phase.when.coarsen(m_shown.cellLog2);
                    m_shownPieces += phase.when.size();
                }
        }
    }

    store::RunStore& m_store;
    PieceLimit m_asked, m_shown;
    std::size_t m_shownPieces = 0;
    Phases m_track, m_all;
};

/// Collects one rank's marks.
struct MarkBuilder {
    PhaseBuilder phases;
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
            into.phases.take(event.arg[0], when);
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

void finish(MarkBuilder& builder, RankFacts& rank)
{
    builder.phases.put(rank);
    for (const Phase phase : computePhases) rank.compute = rank.compute.united(rank.phase(phase));
    rank.communication = rank.phase(Phase::Communication);
    rank.waiting = rank.phase(Phase::Input);
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

std::vector<MarkedEpoch> readMarks(store::RunStore& store, Layout& layout, std::size_t group, RankFacts& rank)
{
    MarkBuilder builder{PhaseBuilder(store, layout.limit), {}, {}, {}};
    store::Id atTrack = 0;
    const std::vector<Kind> marks{Kind::EpochStart, Kind::EpochMark, Kind::StepMark, Kind::PhaseStart, Kind::PhaseMark};
    layout.scan(store, group, marks, [&](const TrackRow& track, std::span<const StoredEvent> events) {
        if (track.id != atTrack) builder.phases.endTrack();
        atTrack = track.id;
        layout.trainingThreads.insert({track.key.process, track.key.thread});
        for (const StoredEvent& event : events) {
            const Interval when = layout.clipped(event);
            widen(rank.extent, when);
            take(event, when, builder);
        }
    });
    builder.phases.endTrack();
    finish(builder, rank);
    return epochsOf(builder, rank.extent);
}

}  // namespace flowgauge::facts
