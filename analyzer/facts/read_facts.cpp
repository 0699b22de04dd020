// SPDX-License-Identifier: MIT
#include "analyzer/facts/read_facts.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

/// A thread that reads again within this time did nothing but read between: its calls are one stretch. Sums of durations are
/// taken from the calls themselves and stay exact.
constexpr Nanos oneStretch = 1'000;

void appendStretch(std::vector<Interval>& stretches, Interval next)
{
    if (next.empty()) return;
    if (!stretches.empty() && next.begin - stretches.back().end <= oneStretch)
        stretches.back().end = std::max(stretches.back().end, next.end);
    else
        stretches.push_back(next);
}

/// Without marks the main thread of a rank's first process is the one that trains.
bool trains(const Layout& layout, const store::TrackRow& track, std::size_t rank)
{
    if (!layout.trainingThreads.empty()) return layout.trainingThreads.contains({track.key.process, track.key.thread});
    const store::ProcessRow& first = layout.groups[rank].processes.front();
    return track.key.process == first.id && track.key.thread == first.pid;
}

}  // namespace

ReadPass::ReadPass(const Layout& layout, const FoundEpochs& epochs, std::vector<RankFacts>& ranks)
    : m_layout(layout), m_epochs(epochs), m_ranks(ranks), m_collectVisits(epochs.source == EpochSource::None), m_visits(ranks.size())
{
    for (std::size_t i = 0; i < ranks.size(); ++i) m_epochReads.emplace_back(m_collectVisits ? 0 : epochs.perRank[i].size());
}

void ReadPass::run(store::RunStore& store)
{
    store.scan(m_layout.query(kindsOf(Lane::Io)), [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        if (const auto rank = m_layout.rankOf(track)) takeTrack(track, *rank, events);
        return true;
    });
    endTrack();
}

void ReadPass::takeTrack(const store::TrackRow& track, std::size_t rank, std::span<const store::StoredEvent> events)
{
    if (track.id != m_track.id) {
        endTrack();
        m_track = {track.id, rank, trains(m_layout, track, rank), 0, {}, {}, VisitBuilder(track.key.process)};
    }
    for (const store::StoredEvent& event : events) {
        widen(m_ranks[rank].extent, m_layout.clipped(event));
        if (event.kind == Kind::FileRead) takeRead(event, rank);
        if (event.kind == Kind::FileMap) m_ranks[rank].mappedBytes += std::max<std::int64_t>(event.arg[2], 0);
        if (event.kind == Kind::FileOpen && m_collectVisits) m_track.visits.open(event.arg[0]);
    }
}

void ReadPass::takeRead(const store::StoredEvent& event, std::size_t rank)
{
    const Interval when = m_layout.clipped(event);
    const std::int64_t got = std::max<std::int64_t>(event.arg[2], 0);
    m_ranks[rank].reads.add(event.end - event.begin, event.arg[2], static_cast<std::uint64_t>(event.arg[3]));
    appendStretch(m_track.reading, when);
    if (m_track.trains) m_track.blocking.append(when);
    if (m_collectVisits) return m_track.visits.read(event.arg[0], when, event.arg[1], got);
    const auto& epochs = m_epochs.perRank[rank];
    m_track.epoch = epochOfRead(epochs, m_track.epoch, event.begin);
    if (m_track.epoch == epochs.size()) return;
    ++m_epochReads[rank][m_track.epoch].calls;
    m_epochReads[rank][m_track.epoch].bytes += got;
}

void ReadPass::endTrack()
{
    if (m_track.id == 0) return;
    RankFacts& rank = m_ranks[m_track.rank];
    rank.reading = rank.reading.united(IntervalSet::of(std::move(m_track.reading)));
    rank.waiting = rank.waiting.united(m_track.blocking);
    std::vector<Visit> visits = m_track.visits.take();
    auto& all = m_visits[m_track.rank];
    all.insert(all.end(), visits.begin(), visits.end());
}

}  // namespace flowgauge::facts
