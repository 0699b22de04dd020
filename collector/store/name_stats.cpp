// SPDX-License-Identifier: MIT
#include "collector/store/name_stats.h"

#include "collector/store/histogram.h"
#include "collector/store/named_columns.h"

#include <algorithm>
#include <bit>

namespace flowgauge::store {

NameStat& NameStat::operator+=(const NameStat& other)
{
    calls += other.calls;
    failed += other.failed;
    bytes += other.bytes;
    totalNs += other.totalNs;
    shortestNs = std::min(shortestNs, other.shortestNs);
    longestNs = std::max(longestNs, other.longestNs);
    for (std::size_t i = 0; i < byLog2.size(); ++i) byLog2[i] += other.byLog2[i];
    return *this;
}

void NameStats::add(const EventColumns& events)
{
    NamedColumns columns(events);
    std::uint64_t last = 0;
    std::size_t known = m_stats.size();
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Kind kind = columns.kind(i);
        const std::uint64_t key = kindNameKey(kind, columns.name(i));
        if (key != last || known == m_stats.size()) known = m_index[key];
        last = key;
        if (known == m_stats.size()) m_stats.emplace_back();
        NameStat& stat = m_stats[known];
        const Nanos duration = std::max<Nanos>(0, events.duration(i));
        ++stat.calls;
        stat.failed += (events.flags(i) & flagFailed) != 0 ? 1 : 0;
        stat.bytes += columns.bytes(i);
        stat.totalNs += duration;
        stat.shortestNs = std::min(stat.shortestNs, duration);
        stat.longestNs = std::max(stat.longestNs, duration);
        ++stat.byLog2[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(duration)))];
    }
}

void NameStats::write(Database& database, std::int64_t track)
{
    Statement find(database,
                   "SELECT calls, failed, bytes, total_ns, shortest_ns, longest_ns, histogram FROM name_stat "
                   "WHERE track_id = ?1 AND kind = ?2 AND name_id = ?3");
    Statement put(database, "INSERT OR REPLACE INTO name_stat VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    for (std::size_t i = 0; i < m_stats.size(); ++i) {
        NameStat& stat = m_stats[i];
        const Id name = nameOfKey(m_index.keys()[i]);
        const std::string_view kind = rowOf(kindOfKey(m_index.keys()[i])).sqlName;
        find.bind(1, track).bind(2, kind).bind(3, name);
        if (find.step())
            stat += NameStat{find.integer(0),
                             find.integer(1),
                             find.integer(2),
                             find.integer(3),
                             find.integer(4),
                             find.integer(5),
                             unpackHistogram(find.blob(6))};
        find.reset();
        put.bind(1, track).bind(2, kind).bind(3, name).bind(4, stat.calls).bind(5, stat.failed).bind(6, stat.bytes);
        put.bind(7, stat.totalNs).bind(8, stat.shortestNs).bind(9, stat.longestNs).bind(10, packHistogram(stat.byLog2)).run();
    }
    m_index.clear();
    m_stats.clear();
}

}  // namespace flowgauge::store
