// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/interval_set.h"
#include "analyzer/facts/storage_facts.h"
#include "collector/store/run_store.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace flowgauge::facts {

/// The reads of an epoch of all processes of a host, for playing them again. Of a large data set some places are kept alone, whole
/// stretches of files, so that memory is bounded; a cache that is smaller in proportion holds the same share of them.
class EpochReads {
public:
    /// Reads of one thread, each of which began where the one before ended.
    struct Stretch {
        std::uint32_t place = 0, thread = 0;
        std::int64_t begin = 0, end = 0;  ///< bytes of the place
        std::int64_t call = 0;            ///< bytes of the longest call
        Nanos at = 0;
        bool beside = false;  ///< in an evaluation or a checkpoint
    };
    struct Place {
        std::uint64_t hash = 0;
        std::int64_t bytes = 0;  ///< up to the end of the last read
    };

    /// Takes all reads in `when`; those that begin in `beside` do not count as asked for.
    EpochReads(store::RunStore& store, Interval when, const IntervalSet& beside);

    [[nodiscard]] const std::vector<Stretch>& stretches() const { return m_stretches; }  ///< in order of time
    [[nodiscard]] const std::vector<Place>& places() const { return m_places; }
    [[nodiscard]] std::int64_t asked() const { return m_asked; }  ///< bytes of all reads whose place in their file is known
    [[nodiscard]] double keptPart() const { return m_asked > 0 ? static_cast<double>(m_keptAsked) / static_cast<double>(m_asked) : 1; }

private:
    void take(const store::StoredEvent& event, std::uint32_t thread, bool beside);
    void thinOut();

    std::vector<Stretch> m_stretches;
    std::vector<Place> m_places;
    std::unordered_map<std::uint64_t, std::uint32_t> m_placeOf;  ///< by hash
    std::unordered_map<std::uint32_t, std::size_t> m_lastOf;     ///< place -> stretch of the thread that is being read
    std::uint64_t m_mask = 0;
    std::int64_t m_asked = 0, m_keptAsked = 0, m_keptBytes = 0;
};

/// What of a later epoch's bytes a cache spares: the first epoch is played from an empty one, then as many more, in the same order
/// or in a new one each.
/// epochs: after the first; the last `counted` of them are what is forecast.
struct Playing {
    std::int64_t cacheBytes = 0, readAheadBytes = 0, largestRequestBytes = 0;
    ReadOrder order = ReadOrder::Same;
    int epochs = 1, counted = 1;
    bool goesOnWithinCalls = false;  ///< PageCache::Requests
};
struct Played {
    double firstFetched = 0;  ///< in the first epoch, bytes a byte asked
    CacheForecast later;
};
[[nodiscard]] Played play(const EpochReads& reads, const Playing& how);

}  // namespace flowgauge::facts
