// SPDX-License-Identifier: MIT
#include "collector/ingest/event_sorter.h"

#include <cxxabi.h>
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>

namespace flowgauge::ingest {
namespace {

constexpr std::size_t handOverEvents = 512;  // 32 KiB: still in the nearest cache when the store copies them

/// What has to be done to a kind's arguments, derived from kinds.def: a bit for each that is a name, and for each that is a duration.
struct ArgumentPlan {
    unsigned names = 0, ticks = 0;
};

constexpr std::array<ArgumentPlan, kindCount> plans = [] {
    std::array<ArgumentPlan, kindCount> made{};
    for (std::size_t kind = 0; kind < kindCount; ++kind)
        for (std::size_t i = 0; i < 4; ++i) {
            const std::string_view argument = kindRows[kind].arguments[i];
            if (argument.ends_with(":name")) made[kind].names |= 1U << i;
            if (argument.ends_with(":ticks")) made[kind].ticks |= 1U << i;
        }
    return made;
}();

/// Kernels are recorded by their mangled names: taking them apart costs the job nothing when it is done here.
std::string readable(const NamedText& name)
{
    if (name.nameClass != NameClass::Kernel) return name.text;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.text.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? text.get() : name.text;
}

std::uint64_t mixed(NameKey key) { return key * 0x9E3779B97F4A7C15; }  // 2^64 / golden ratio

}  // namespace

NameTable::NameTable(store::RunStore& store, const std::vector<NamedText>& names)
    : m_store(store), m_entries(std::bit_ceil(names.size() * 2 + 2))
{
    for (const NamedText& name : names) {
        if (name.key == 0) continue;
        Entry& entry = entryOf(name.key);
        entry.key = name.key;
        entry.name = &name;
    }
}

NameTable::Entry& NameTable::entryOf(NameKey key)
{
    const std::size_t mask = m_entries.size() - 1;
    std::size_t at = (mixed(key) >> 32) & mask;
    while (m_entries[at].key != 0 && m_entries[at].key != key) at = (at + 1) & mask;
    return m_entries[at];
}

store::Id NameTable::lookUp(NameKey key)
{
    Entry& entry = entryOf(key);
    if (entry.key != key || key == 0) return 0;
    if (entry.id == 0) entry.id = m_store.name(readable(*entry.name));
    m_lastKey = key;
    return m_lastId = entry.id;
}

EventSorter::EventSorter(store::RunStore& store, Owner owner, ClockLine& clock, NameTable& names)
    : m_store(store), m_owner(owner), m_clock(clock), m_names(names)
{
}

std::uint64_t EventSorter::take(const Piece& piece, std::uint64_t from)
{
    SlotWalk& walk = m_walks[piece.ring];
    std::uint64_t sequence = piece.firstSequence;
    for (const Event& event : piece.events) {
        const std::uint64_t at = sequence++;
        if (at >= piece.settled) return std::max(from, at);
        if (walk.isText(at)) continue;
        if (event.kind == Kind::NameText) walk.enter(at, std::min<std::uint64_t>(event.arg[2], 4096));
        const bool known = isKind(static_cast<std::uint16_t>(event.kind));
        if (!known) m_unknown += 1;
        if (!known || rowOf(event.kind).lane == Lane::Meta) continue;
        m_seen += 1;
        if (at >= from) takeOne(event);
    }
    return std::max(from, sequence);
}

/// Fills the event where it is to lie: one that is put together first and then copied waits for its own stores.
void EventSorter::takeOne(const Event& event)
{
    const ArgumentPlan plan = plans[static_cast<std::size_t>(event.kind)];
    Track& track =
        event.kind == Kind::CounterSample ? counterTrack(event, m_names.idOf(event.arg[1])) : trackOf(event, rowOf(event.kind).lane);
    store::StoredEvent& stored = track.events.emplace_back();
    stored.begin = m_clock.at(event.begin);
    stored.end = event.end == event.begin ? stored.begin : std::max(stored.begin, m_clock.at(event.end));
    stored.link = event.link;
    stored.kind = event.kind;
    stored.flags = event.flags;
    for (std::size_t i = 0; i < 4; ++i) stored.arg[i] = static_cast<std::int64_t>(event.arg[i]);
    for (std::size_t i = 0; plan.names >> i != 0; ++i)
        if ((plan.names >> i & 1U) != 0) stored.arg[i] = m_names.idOf(event.arg[i]);
    for (std::size_t i = 0; plan.ticks >> i != 0; ++i)
        if ((plan.ticks >> i & 1U) != 0) stored.arg[i] = m_clock.duration(event.arg[i]);
    m_taken += 1;
    if (track.events.size() < handOverEvents) return;
    m_store.append(track.id, track.events);
    track.events.clear();
}

EventSorter::Track& EventSorter::trackOf(const Event& event, Lane lane)
{
    const std::int64_t thread = lane == Lane::Gpu
                                    ? streamThread(static_cast<std::int64_t>(event.arg[1]), static_cast<std::int64_t>(event.arg[2]))
                                    : static_cast<std::int64_t>(event.thread);
    if (m_lastLanes == nullptr || thread != m_lastThread) {
        m_lastLanes = &m_lanes[thread];
        m_lastThread = thread;
    }
    Track*& track = (*m_lastLanes)[static_cast<std::size_t>(lane)];
    if (track == nullptr) track = &makeTrack({m_owner.host, m_owner.process, thread, lane, std::nullopt, 0});
    return *track;
}

/// Counters of the machine belong to the host, whichever process read them; those of a process to it.
EventSorter::Track& EventSorter::counterTrack(const Event& event, store::Id source)
{
    const std::uint64_t number = event.arg[0];
    Track*& track = m_counters[(static_cast<std::uint64_t>(source) << 16) | (number & 0xFFFF)];
    if (track != nullptr) return *track;
    store::TrackKey key{m_owner.host, 0, 0, Lane::Counter, std::nullopt, source};
    if (isCounter(number)) {
        key.counter = static_cast<Counter>(number);
        const CounterFamily family = rowOf(*key.counter).family;
        if (family == CounterFamily::Process || family == CounterFamily::Sampler) key.process = m_owner.process;
    }
    return *(track = &makeTrack(key));
}

EventSorter::Track& EventSorter::makeTrack(const store::TrackKey& key)
{
    m_tracks.push_back(std::make_unique<Track>());
    m_tracks.back()->id = m_store.track(key);
    m_tracks.back()->events.reserve(handOverEvents);
    return *m_tracks.back();
}

void EventSorter::handOver()
{
    for (const auto& track : m_tracks) {
        if (track->events.empty()) continue;
        m_store.append(track->id, track->events);
        track->events.clear();
    }
}

}  // namespace flowgauge::ingest
