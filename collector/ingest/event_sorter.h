// SPDX-License-Identifier: MIT
#pragma once
#include "collector/ingest/clock_line.h"
#include "collector/ingest/spool_meta.h"
#include "collector/store/run_store.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace flowgauge::ingest {

/// Keys of one process's names to row ids of the store; a row is made when an event first uses the name. Open addressing:
/// one probe an event in the common case.
class NameTable {
public:
    NameTable(store::RunStore& store, const std::vector<NamedText>& names);
    /// 0 for a key whose text was lost.
    [[nodiscard]] store::Id idOf(NameKey key)
    {
        if (key == m_lastKey) return m_lastId;
        return lookUp(key);
    }

private:
    struct Entry {
        NameKey key = 0;
        store::Id id = 0;
        const NamedText* name = nullptr;
    };
    store::Id lookUp(NameKey key);
    [[nodiscard]] Entry& entryOf(NameKey key);

    store::RunStore& m_store;
    std::vector<Entry> m_entries;
    NameKey m_lastKey = 0;
    store::Id m_lastId = 0;
};

/// Turns one process's events into StoredEvents and sorts them into tracks: by thread and lane, counters by (counter, source).
/// The hot loop of ingest: no virtual call and no map for an event; a map only where the thread changes or for a counter.
class EventSorter {
public:
    struct Owner {
        store::Id host, process;
    };
    EventSorter(store::RunStore& store, Owner owner, ClockLine& clock, NameTable& names);

    /// Takes the events with sequence in [from, piece.settled). Returns the first sequence that was not taken.
    std::uint64_t take(const Piece& piece, std::uint64_t from);
    /// Hands what is still held to the store. To be called before each store.flush().
    void handOver();

    [[nodiscard]] std::int64_t taken() const { return m_taken; }      ///< events newly stored
    [[nodiscard]] std::int64_t seen() const { return m_seen; }        ///< events in the spool, the ones stored before included
    [[nodiscard]] std::int64_t unknown() const { return m_unknown; }  ///< events of kinds that this build does not know

private:
    struct Track {
        store::Id id = 0;
        std::vector<store::StoredEvent> events;
    };
    using Lanes = std::array<Track*, laneCount>;
    void takeOne(const Event& event);
    [[nodiscard]] Track& trackOf(const Event& event, Lane lane);
    [[nodiscard]] Track& counterTrack(const Event& event, store::Id source);
    Track& makeTrack(const store::TrackKey& key);

    store::RunStore& m_store;
    Owner m_owner;
    ClockLine& m_clock;
    NameTable& m_names;
    std::map<std::uint32_t, SlotWalk> m_walks;  ///< by ring
    std::vector<std::unique_ptr<Track>> m_tracks;
    std::unordered_map<std::int64_t, Lanes> m_lanes;  ///< by thread, or stream of a device; nodes stay where they are
    std::unordered_map<std::uint64_t, Track*> m_counters;
    std::int64_t m_lastThread = 0;
    Lanes* m_lastLanes = nullptr;
    std::int64_t m_taken = 0, m_seen = 0, m_unknown = 0;
};

}  // namespace flowgauge::ingest
