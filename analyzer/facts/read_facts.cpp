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

/// Without marks the main thread of a rank's first process is the one that trains.
bool trains(const Layout& layout, const store::TrackRow& track, std::size_t rank)
{
    if (layout.threadsMarked) return layout.trainingThreads.contains({track.key.process, track.key.thread});
    const store::ProcessRow& first = layout.groups[rank].processes.front();
    return track.key.process == first.id && track.key.thread == first.pid;
}

}  // namespace

ReadPass::ReadPass(store::RunStore& store, const Layout& layout, std::size_t group, const std::vector<MarkedEpoch>* epochs, RankFacts& rank)
    : m_store(store), m_layout(layout), m_group(group), m_rank(rank), m_limit(layout.limit), m_visits(store)
{
    if (epochs != nullptr) m_places.emplace(*epochs, rank);
}

void ReadPass::run()
{
    m_layout.scan(m_store, m_group, kindsOf(Lane::Io),
                  [this](const store::TrackRow& track, std::span<const store::StoredEvent> events) { takeTrack(track, events); });
    endTrack();
    for (IntervalSet* set : {&m_rank.reading, &m_rank.writing, &m_rank.waiting}) {
        m_limit.keep(*set);
        set->giveBack();
    }
    m_rank.closeness.cell = std::max(m_rank.closeness.cell, m_limit.cell());
    for (const auto& [file, bytes] : m_mappedFiles) m_rank.mappedFiles[m_store.nameText(file)] = bytes;
}

void ReadPass::takeTrack(const store::TrackRow& track, std::span<const store::StoredEvent> events)
{
    if (track.id != m_track.id) {
        endTrack();
        m_track = {track.id, trains(m_layout, track, m_group), {}, 0, {}, {}, {}};
        m_visits.beginTrack(track.key.process);
    }
    for (const store::StoredEvent& event : events) {
        widen(m_rank.extent, m_layout.clipped(event));
        if (const auto read = readOf(event))
            takeRead(event, *read);
        else
            takeOther(event);
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

void ReadPass::takeOther(const store::StoredEvent& event)
{
    if (event.kind == Kind::FileMap && event.arg[2] > 0) {
        std::int64_t& longest = m_mappedFiles[event.arg[0]];
        longest = std::max(longest, event.arg[2]);
    }
    if (event.kind == Kind::FileWrite || event.kind == Kind::FileSync) m_limit.append(m_track.writing, m_layout.clipped(event), oneWrite);
    if (event.kind == Kind::FileOpen && !m_places) m_visits.open(event.arg[0]);
}

void ReadPass::takeRead(const store::StoredEvent& event, const Read& read)
{
    const Interval when = m_layout.clipped(event);
    const std::int64_t got = std::max<std::int64_t>(read.bytesOrError, 0);
    m_rank.reads.add(event.end - event.begin, read.bytesOrError, static_cast<std::uint64_t>(read.requested));
    if (heldUpAStep(when, read.blocks)) m_limit.append(m_track.reading, when, oneStretch);
    if (m_track.trains && read.blocks) m_limit.append(m_track.blocking, when);
    if (m_places)
        m_places->take(m_track.place, read.file, event.begin, {1, got, event.end - event.begin});
    else
        m_visits.read(read.file, when, read.offset, got);
}

/// While a step waits, or makes it wait. Reads that nobody waits for are most of a healthy run, and are not kept.
bool ReadPass::heldUpAStep(Interval when, bool blocks)
{
    if (m_track.trains && blocks) return true;
    const std::vector<Interval>& waits = m_rank.waiting.intervals();
    while (m_track.wait < waits.size() && waits[m_track.wait].end <= when.begin) ++m_track.wait;
    return m_track.wait < waits.size() && waits[m_track.wait].begin < when.end;
}

void ReadPass::endTrack()
{
    if (m_track.id == 0) return;
    m_rank.reading = m_rank.reading.united(m_track.reading);
    m_rank.writing = m_rank.writing.united(m_track.writing);
    m_rank.waiting = m_rank.waiting.united(m_track.blocking);
}

}  // namespace flowgauge::facts
