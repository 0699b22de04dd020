// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_reads.h"

#include "analyzer/facts/page_cache.h"

#include <algorithm>
#include <random>

namespace flowgauge::facts {
namespace {

constexpr std::int64_t pageBytes = 4096;
/// A file is taken or left in stretches of this length.
constexpr std::int64_t placeBytes = 16 << 20;
constexpr std::int64_t mostBytes = std::int64_t{2} << 30;
constexpr std::size_t mostStretches = 1 << 18;

std::uint64_t hashOf(std::int64_t file, std::int64_t number)
{
    std::uint64_t value = static_cast<std::uint64_t>(file) * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(number);
    value = (value ^ (value >> 31U)) * 0xBF58476D1CE4E5B9U;
    return value ^ (value >> 29U);
}

}  // namespace

EpochReads::EpochReads(store::RunStore& store, Interval when, const IntervalSet& beside)
{
    std::uint32_t thread = 0;
    for (const store::TrackRow& track : store.tracks()) {
        if (track.key.lane != Lane::Io) continue;
        m_lastOf.clear();
        store.scanTrack(track, {{Kind::FileRead}, {}, when}, [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
            for (const store::StoredEvent& event : events) take(event, thread, beside.totalWithin({event.begin, event.begin + 1}) > 0);
            return true;
        });
        ++thread;
    }
    std::stable_sort(m_stretches.begin(), m_stretches.end(), [](const Stretch& one, const Stretch& other) { return one.at < other.at; });
}

void EpochReads::take(const store::StoredEvent& event, std::uint32_t thread, bool beside)
{
    const std::int64_t offset = event.arg[1], bytes = event.arg[2];
    if (bytes <= 0 || offset < 0) return;
    if (!beside) m_asked += bytes;
    const std::uint64_t hash = hashOf(event.arg[0], offset / placeBytes);
    if ((hash & m_mask) != 0) return;
    if (!beside) m_keptAsked += bytes;
    const auto [known, isNew] = m_placeOf.try_emplace(hash, static_cast<std::uint32_t>(m_places.size()));
    if (isNew) m_places.push_back({hash, 0});
    const std::uint32_t number = known->second;
    Place& place = m_places[number];
    const std::int64_t begin = offset % placeBytes, end = begin + bytes;
    m_keptBytes += std::max<std::int64_t>(end - place.bytes, 0);
    place.bytes = std::max(place.bytes, end);
    const auto [last, isFirst] = m_lastOf.try_emplace(number, m_stretches.size());
    if (!isFirst && m_stretches[last->second].end == begin && m_stretches[last->second].beside == beside) {
        Stretch& goesOn = m_stretches[last->second];
        goesOn.end = end;
        goesOn.call = std::max(goesOn.call, bytes);
        return;
    }
    last->second = m_stretches.size();
    m_stretches.push_back({number, thread, begin, end, bytes, event.begin, beside});
    while ((m_keptBytes > mostBytes || m_stretches.size() > mostStretches) && m_places.size() > 1) thinOut();
}

/// Half of the places go, by their hash: whoever is left was taken from the begin.
void EpochReads::thinOut()
{
    m_mask = m_mask * 2 + 1;
    std::vector<std::uint32_t> now(m_places.size());
    std::vector<Place> kept;
    m_placeOf.clear();
    m_lastOf.clear();
    m_keptBytes = m_keptAsked = 0;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        if ((m_places[i].hash & m_mask) != 0) continue;
        now[i] = static_cast<std::uint32_t>(kept.size());
        m_placeOf.emplace(m_places[i].hash, now[i]);
        m_keptBytes += m_places[i].bytes;
        kept.push_back(m_places[i]);
    }
    std::erase_if(m_stretches, [this](const Stretch& one) { return (m_places[one.place].hash & m_mask) != 0; });
    for (Stretch& one : m_stretches) {
        one.place = now[one.place];
        if (!one.beside) m_keptAsked += one.end - one.begin;
    }
    m_places = std::move(kept);
}

namespace {

/// The kept reads and a cache to play them against.
class Player {
public:
    Player(const EpochReads& reads, const Playing& how)
        : m_reads(reads),
          m_cache(pagesOf(static_cast<double>(how.cacheBytes) * reads.keptPart()), allPages(),
                  {how.readAheadBytes / pageBytes, how.largestRequestBytes / pageBytes, how.goesOnWithinCalls})
    {
    }
    /// Stretches in that order, each by the thread whose turn it was in the first epoch; what is read beside training comes last.
    PageCache::Counts epoch(const std::vector<const EpochReads::Stretch*>& order)
    {
        m_readers.clear();
        auto turn = m_reads.stretches().begin();
        for (const EpochReads::Stretch* const one : order) {
            while (turn->beside) ++turn;
            readStretch(*one, (turn++)->thread);
        }
        const PageCache::Counts counts = m_cache.takeCounts();
        for (const EpochReads::Stretch& one : m_reads.stretches())
            if (one.beside) readStretch(one, one.thread);
        static_cast<void>(m_cache.takeCounts());
        return counts;
    }

private:
    static std::size_t pagesOf(double bytes) { return static_cast<std::size_t>(bytes / pageBytes); }
    /// Also lays the places side by side.
    std::size_t allPages()
    {
        std::uint32_t pages = 0;
        for (const EpochReads::Place& place : m_reads.places()) {
            m_files.push_back({pages, static_cast<std::uint32_t>((place.bytes + pageBytes - 1) / pageBytes)});
            pages += m_files.back().pages;
        }
        return pages;
    }
    void readStretch(const EpochReads::Stretch& stretch, std::uint32_t thread)
    {
        PageCache::Reader& reader = m_readers[(std::uint64_t{thread} << 32U) | stretch.place];
        for (std::int64_t at = stretch.begin; at < stretch.end; at += stretch.call) {
            const std::int64_t end = std::min(at + stretch.call, stretch.end);
            m_cache.read(m_files[stretch.place], reader, at / pageBytes, (end + pageBytes - 1) / pageBytes);
        }
    }

    const EpochReads& m_reads;
    std::vector<PageCache::File> m_files;
    PageCache m_cache;
    std::unordered_map<std::uint64_t, PageCache::Reader> m_readers;
};

double over(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

Played play(const EpochReads& reads, const Playing& how)
{
    Player player(reads, how);
    std::vector<const EpochReads::Stretch*> order;
    double asked = 0;  // bytes an epoch
    for (const EpochReads::Stretch& one : reads.stretches()) {
        if (one.beside) continue;
        order.push_back(&one);
        asked += static_cast<double>(one.end - one.begin);
    }
    const auto bytesOf = [](std::int64_t pages) { return static_cast<double>(pages * pageBytes); };
    Played played;
    played.firstFetched = over(bytesOf(player.epoch(order).fetched), asked);
    std::mt19937 random(1);
    PageCache::Counts later;
    for (int epoch = 0; epoch < how.epochs; ++epoch) {
        if (how.order == ReadOrder::Shuffled) std::shuffle(order.begin(), order.end(), random);
        const PageCache::Counts counts = player.epoch(order);
        if (epoch < how.epochs - how.counted) continue;
        later.missing += counts.missing;
        later.fetched += counts.fetched;
    }
    played.later.fetched = over(bytesOf(later.fetched), asked * how.counted);
    played.later.spared = 1 - std::min(1.0, played.later.fetched);
    played.later.held = 1 - std::min(1.0, over(bytesOf(later.missing), asked * how.counted));
    return played;
}

}  // namespace flowgauge::facts
