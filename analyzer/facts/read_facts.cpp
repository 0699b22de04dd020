// SPDX-License-Identifier: MIT
#include "analyzer/facts/read_facts.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

/// A thread that reads again within this time did nothing but read between: its calls are one stretch. Sums of durations are
/// taken from the calls themselves and stay exact.
constexpr Nanos oneStretch = 1'000;

/// Serialising a tensor between two writes takes less; a log line a second is no stretch.
constexpr Nanos oneWrite = 1'000'000;

void appendStretch(std::vector<Interval>& stretches, Interval next, Nanos closing = oneStretch)
{
    if (next.empty()) return;
    if (!stretches.empty() && next.begin - stretches.back().end <= closing)
        stretches.back().end = std::max(stretches.back().end, next.end);
    else
        stretches.push_back(next);
}

/// Without marks the main thread of a rank's first process is the one that trains.
bool trains(const Layout& layout, const store::TrackRow& track, std::size_t rank)
{
    if (layout.threadsMarked) return layout.trainingThreads.contains({track.key.process, track.key.thread});
    const store::ProcessRow& first = layout.groups[rank].processes.front();
    return track.key.process == first.id && track.key.thread == first.pid;
}

}  // namespace

ReadPass::ReadPass(const Layout& layout, const FoundEpochs& epochs, std::vector<RankFacts>& ranks)
    : m_layout(layout),
      m_ranks(ranks),
      m_collectVisits(epochs.source == EpochSource::None),
      m_mappedFiles(ranks.size()),
      m_visits(ranks.size())
{
    for (std::size_t i = 0; i < ranks.size() && !m_collectVisits; ++i) m_places.emplace_back(epochs.perRank[i], ranks[i]);
}

void ReadPass::run(store::RunStore& store)
{
    store.scan(m_layout.query(kindsOf(Lane::Io)), [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        if (const auto rank = m_layout.rankOf(track)) takeTrack(track, *rank, events);
        return true;
    });
    endTrack();
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
        for (const auto& [file, bytes] : m_mappedFiles[i]) m_ranks[i].mappedFiles[store.nameText(file)] = bytes;
}

void ReadPass::takeTrack(const store::TrackRow& track, std::size_t rank, std::span<const store::StoredEvent> events)
{
    if (track.id != m_track.id) {
        endTrack();
        m_track = {track.id, rank, trains(m_layout, track, rank), {}, 0, {}, {}, {}, VisitBuilder(track.key.process)};
    }
    for (const store::StoredEvent& event : events) {
        widen(m_ranks[rank].extent, m_layout.clipped(event));
        if (const auto read = readOf(event))
            takeRead(event, *read, rank);
        else
            takeOther(event, rank);
    }
}

std::optional<ReadPass::Read> ReadPass::readOf(const store::StoredEvent& event)
{
    constexpr std::int64_t submitsRead = 0;  // instrument/io/async_hooks.cpp: Operation
    const auto& arg = event.arg;
    switch (event.kind) {
        case Kind::FileRead:
        case Kind::FileCopy:
            return Read{arg[0], arg[1], arg[2], arg[3], true};
        case Kind::FileSubmit:  // what was requested is not told; a short one is rare
            return arg[3] == submitsRead ? std::optional(Read{arg[0], arg[1], arg[2], arg[2], false}) : std::nullopt;
        default:
            return std::nullopt;
    }
}

void ReadPass::takeOther(const store::StoredEvent& event, std::size_t rank)
{
    if (event.kind == Kind::FileMap && event.arg[2] > 0) {
        std::int64_t& longest = m_mappedFiles[rank][event.arg[0]];
        longest = std::max(longest, event.arg[2]);
    }
    if (event.kind == Kind::FileWrite || event.kind == Kind::FileSync) appendStretch(m_track.writing, m_layout.clipped(event), oneWrite);
    if (event.kind == Kind::FileOpen && m_collectVisits) m_track.visits.open(event.arg[0]);
}

void ReadPass::takeRead(const store::StoredEvent& event, const Read& read, std::size_t rank)
{
    const Interval when = m_layout.clipped(event);
    const std::int64_t got = std::max<std::int64_t>(read.bytesOrError, 0);
    m_ranks[rank].reads.add(event.end - event.begin, read.bytesOrError, static_cast<std::uint64_t>(read.requested));
    if (heldUpAStep(when, read.blocks)) appendStretch(m_track.reading, when);
    if (m_track.trains && read.blocks) m_track.blocking.append(when);
    if (m_collectVisits)
        m_track.visits.read(read.file, when, read.offset, got);
    else
        m_places[rank].take(m_track.place, read.file, event.begin, {1, got, event.end - event.begin});
}

/// While a step waits, or makes it wait. Reads that nobody waits for are most of a healthy run, and are not kept.
bool ReadPass::heldUpAStep(Interval when, bool blocks)
{
    if (m_track.trains && blocks) return true;
    const std::vector<Interval>& waits = m_ranks[m_track.rank].waiting.intervals();
    while (m_track.wait < waits.size() && waits[m_track.wait].end <= when.begin) ++m_track.wait;
    return m_track.wait < waits.size() && waits[m_track.wait].begin < when.end;
}

void ReadPass::putReadsOfEpochs(std::vector<RankFacts>& ranks) const
{
    for (std::size_t i = 0; i < m_places.size(); ++i) m_places[i].finish(ranks[i]);
}

void ReadPass::endTrack()
{
    if (m_track.id == 0) return;
    RankFacts& rank = m_ranks[m_track.rank];
    rank.reading = rank.reading.united(IntervalSet::of(std::move(m_track.reading)));
    rank.writing = rank.writing.united(IntervalSet::of(std::move(m_track.writing)));
    rank.waiting = rank.waiting.united(m_track.blocking);
    std::vector<Visit> visits = m_track.visits.take();
    auto& all = m_visits[m_track.rank];
    all.insert(all.end(), visits.begin(), visits.end());
}

}  // namespace flowgauge::facts
