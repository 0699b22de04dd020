// SPDX-License-Identifier: MIT
#include "gui/timeline/selection_stats.h"

#include "collector/store/kind_columns.h"

#include <algorithm>
#include <bit>

namespace flowgauge::timeline {

namespace {

constexpr std::size_t mostNames = 4096;  // a histogram each: a data set of a million files must not fill the memory

/// 16 classes between two powers of two; below 16 ns each ns has its own.
std::size_t classOf(Nanos duration)
{
    const auto ns = static_cast<std::uint64_t>(std::max<Nanos>(0, duration));
    if (ns < 16) return static_cast<std::size_t>(ns);
    const auto log2 = static_cast<unsigned>(std::bit_width(ns)) - 1;
    return (log2 - 3) * 16 + static_cast<std::size_t>((ns >> (log2 - 4)) & 15U);
}

Nanos middleOf(std::size_t number)
{
    if (number < 16) return static_cast<Nanos>(number);
    const std::size_t log2 = number / 16 + 3;
    const Nanos step = Nanos{1} << (log2 - 4);
    return (Nanos{1} << log2) + static_cast<Nanos>(number % 16) * step + step / 2;
}

}  // namespace

void DurationHistogram::add(Nanos duration)
{
    ++m_classes[std::min(classOf(duration), m_classes.size() - 1)];
    ++m_count;
}

Nanos DurationHistogram::percentile(double share) const
{
    if (m_count == 0) return 0;
    const auto rank = static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(m_count - 1));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < m_classes.size(); ++i) {
        seen += m_classes[i];
        if (seen > rank) return middleOf(i);
    }
    return 0;
}

store::Id nameOf(const store::StoredEvent& event)
{
    const store::KindColumns columns = store::kindColumns[static_cast<std::size_t>(event.kind)];
    return columns.name < 4 ? event.arg[columns.name] : 0;
}

std::int64_t bytesOf(const store::StoredEvent& event)
{
    const store::KindColumns columns = store::kindColumns[static_cast<std::size_t>(event.kind)];
    return columns.bytes < 4 ? std::max<std::int64_t>(0, event.arg[columns.bytes]) : -1;
}

void SelectionStats::add(const store::StoredEvent& event)
{
    store::Id name = nameOf(event);
    if (m_sums.size() >= mostNames && !m_sums.contains({event.kind, name})) name = otherNames;
    NameSum& sum = m_sums[{event.kind, name}];
    sum.kind = event.kind;
    sum.name = name;
    sum.count += 1;
    sum.bytes += std::max<std::int64_t>(0, bytesOf(event));
    sum.total += Interval{std::max(event.begin, m_selection.begin), std::min(event.end, m_selection.end)}.length();
    sum.whole += event.end - event.begin;
    sum.longest = std::max(sum.longest, event.end - event.begin);
    sum.durations.add(event.end - event.begin);
}

std::vector<NameSum> SelectionStats::sums() const
{
    std::vector<NameSum> sums;
    for (const auto& [key, sum] : m_sums) sums.push_back(sum);
    std::sort(sums.begin(), sums.end(), [](const NameSum& left, const NameSum& right) {
        return left.total != right.total ? left.total > right.total : std::pair(left.kind, left.name) < std::pair(right.kind, right.name);
    });
    return sums;
}

}  // namespace flowgauge::timeline
