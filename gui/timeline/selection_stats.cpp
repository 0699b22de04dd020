// SPDX-License-Identifier: MIT
#include "gui/timeline/selection_stats.h"

#include "collector/store/chunk_table.h"
#include "collector/store/named_columns.h"

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
    return std::size_t{log2 - 3} * 16 + static_cast<std::size_t>((ns >> (log2 - 4)) & 15U);
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

DurationHistogram& DurationHistogram::operator+=(const DurationHistogram& other)
{
    for (std::size_t i = 0; i < m_classes.size(); ++i) m_classes[i] += other.m_classes[i];
    m_count += other.m_count;
    return *this;
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

store::Histogram DurationHistogram::byLog2() const
{
    store::Histogram bins{};
    for (std::size_t i = 0; i < m_classes.size(); ++i) {
        const std::size_t bin = i < 16 ? static_cast<std::size_t>(std::bit_width(i)) : i / 16 + 4;
        bins[std::min(bin, bins.size() - 1)] += m_classes[i];
    }
    return bins;
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

NameSum& NameSum::operator+=(const NameSum& other)
{
    count += other.count;
    bytes += other.bytes;
    total += other.total;
    whole += other.whole;
    longest = std::max(longest, other.longest);
    durations += other.durations;
    return *this;
}

std::size_t SelectionStats::newPlace(Kind kind, store::Id name)
{
    if (m_sums.size() >= mostNames && name != otherNames) return placeOf(kind, otherNames);
    m_sums.emplace_back();
    m_sums.back().kind = kind;
    m_sums.back().name = name;
    return m_sums.size() - 1;
}

std::size_t SelectionStats::placeOf(Kind kind, store::Id name)
{
    const std::size_t number = m_index[store::kindNameKey(kind, name)];
    if (number == m_places.size()) {
        m_places.push_back(0);
        const std::size_t place = newPlace(kind, name);  // may meet a new key on its way
        m_places[number] = place;
    }
    return m_places[number];
}

void SelectionStats::add(const store::EventColumns& batch)
{
    store::NamedColumns columns(batch);
    NameSum* sum = nullptr;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Interval when{batch.begin(i), batch.end(i)};
        const Kind kind = columns.kind(i);
        if (!store::shows(m_selection, when.begin, when.end) || kind == Kind::CounterSample) continue;
        const store::Id name = columns.name(i);
        if (sum == nullptr || sum->kind != kind || sum->name != name) sum = &m_sums[placeOf(kind, name)];
        const Nanos duration = when.end - when.begin;
        sum->count += 1;
        sum->bytes += columns.bytes(i);
        sum->total += std::max<Nanos>(0, std::min(when.end, m_selection.end) - std::max(when.begin, m_selection.begin));
        sum->whole += duration;
        sum->longest = std::max(sum->longest, duration);
        sum->durations.add(duration);
    }
}

SelectionStats& SelectionStats::operator+=(const SelectionStats& other)
{
    for (const NameSum& sum : other.m_sums) m_sums[placeOf(sum.kind, sum.name)] += sum;
    return *this;
}

std::vector<NameSum> SelectionStats::sums() const
{
    std::vector<NameSum> sums(m_sums.begin(), m_sums.end());
    std::sort(sums.begin(), sums.end(), [](const NameSum& left, const NameSum& right) {
        return left.total != right.total ? left.total > right.total : std::pair(left.kind, left.name) < std::pair(right.kind, right.name);
    });
    return sums;
}

}  // namespace flowgauge::timeline
