// SPDX-License-Identifier: MIT
#include "workloads/simulate/counter_lines.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::simulate {

void CounterLine::addToBeat(std::size_t beat, double amount)
{
    if (m_amounts.size() <= beat) m_amounts.resize(std::max(beat + 1, m_amounts.size() * 2));
    m_amounts[beat] += amount;
}

void CounterLine::add(Interval when, double amount)
{
    if (amount == 0) return;
    const auto first = static_cast<std::size_t>(when.begin / m_beat);
    const auto last = static_cast<std::size_t>(std::max(when.begin, when.end - 1) / m_beat);
    if (first == last) return addToBeat(first, amount);
    const double perNs = amount / static_cast<double>(when.length());
    for (std::size_t beat = first; beat <= last; ++beat) {
        const Nanos begin = std::max(when.begin, static_cast<Nanos>(beat) * m_beat);
        const Nanos end = std::min(when.end, static_cast<Nanos>(beat + 1) * m_beat);
        addToBeat(beat, perNs * static_cast<double>(end - begin));
    }
}

void CounterLine::write(store::RunStore& store, const store::TrackKey& place, Nanos end, double start, double most) const
{
    std::vector<store::StoredEvent> samples;
    const double scale = rowOf(m_counter).scale;
    const auto number = static_cast<std::int64_t>(m_counter);
    double sum = start;
    const auto beats = static_cast<std::size_t>(end / m_beat + 1);
    for (std::size_t beat = 0; beat <= beats; ++beat) {
        const Nanos at = std::min(end, static_cast<Nanos>(beat) * m_beat);
        samples.push_back({at, at, 0, Kind::CounterSample, 0, {number, place.source, std::llround(std::min(sum, most) / scale), 0}});
        if (at == end) break;
        if (beat < m_amounts.size()) sum += m_amounts[beat];
    }
    store.append(store.track(place), samples);
}

}  // namespace flowgauge::simulate
