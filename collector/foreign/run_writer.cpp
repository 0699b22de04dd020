// SPDX-License-Identifier: MIT
#include "collector/foreign/run_writer.h"

#include <algorithm>

namespace flowgauge::foreign {
namespace {
constexpr std::size_t batch = 256;
}  // namespace

void RunWriter::put(std::int64_t thread, const store::StoredEvent& event)
{
    const Lane lane = rowOf(event.kind).lane;
    Waiting& waiting = m_waiting[{lane, thread}];
    if (waiting.track == 0) {
        store::TrackKey key;
        key.host = m_host;
        key.process = m_process;
        key.thread = thread;
        key.lane = lane;
        waiting.track = m_store.track(key);
        waiting.events.reserve(batch);
    }
    waiting.events.push_back(event);
    if (waiting.events.size() == batch) {
        m_store.append(waiting.track, waiting.events);
        waiting.events.clear();
    }
    m_extent.begin = m_events == 0 ? event.begin : std::min(m_extent.begin, event.begin);
    m_extent.end = m_events == 0 ? event.end : std::max(m_extent.end, event.end);
    ++m_events;
    ++m_kinds[static_cast<std::size_t>(event.kind)];
}

void RunWriter::finish()
{
    for (auto& [key, waiting] : m_waiting)
        if (!waiting.events.empty()) m_store.append(waiting.track, waiting.events);
    m_waiting.clear();
    m_store.flush();
}

}  // namespace flowgauge::foreign
