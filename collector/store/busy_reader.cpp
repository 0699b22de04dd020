// SPDX-License-Identifier: MIT
#include "collector/store/busy_reader.h"

#include <algorithm>
#include <utility>

namespace flowgauge::store {

BusyReader::BusyReader(Database& database, const std::vector<Id>& tracks, const ChunkFilter& filter) : m_filter(filter)
{
    for (const Id track : tracks) {
        m_sources.emplace_back(database, track, filter);
        if (!advance(m_sources.back())) m_sources.pop_back();
    }
}

/// To the next event of the kinds that lasts and lies in the window.
bool BusyReader::advance(Source& source) const
{
    for (;; ++source.at) {
        while (source.batch == nullptr || source.at >= source.batch->size()) {
            source.batch = source.reader.next();
            source.at = 0;
            if (source.batch == nullptr) return false;
        }
        if ((m_filter.kinds & bitOf(source.batch->kind(source.at))) == 0) continue;
        Interval event{source.batch->begin(source.at), source.batch->end(source.at)};
        if (m_filter.window) event = {std::max(event.begin, m_filter.window->begin), std::min(event.end, m_filter.window->end)};
        if (event.empty()) continue;
        source.current = event;
        ++source.at;
        return true;
    }
}

std::list<BusyReader::Source>::iterator BusyReader::earliest()
{
    return std::min_element(m_sources.begin(), m_sources.end(),
                            [](const Source& a, const Source& b) { return a.current.begin < b.current.begin; });
}

std::optional<Interval> BusyReader::next()
{
    while (!m_sources.empty()) {
        const auto source = earliest();
        const Interval event = source->current;
        if (!advance(*source)) m_sources.erase(source);
        if (!m_open) {
            m_open = event;
        } else if (event.begin <= m_open->end) {
            m_open->end = std::max(m_open->end, event.end);
        } else {
            return std::exchange(m_open, event);
        }
    }
    return std::exchange(m_open, std::nullopt);
}

}  // namespace flowgauge::store
