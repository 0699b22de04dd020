// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/event_columns.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace flowgauge::store {

/// Most events that run at once, fed in order of begin. Instants overlap nothing.
class OverlapCounter {
public:
    void add(const EventColumns& batch)
    {
        for (std::size_t i = 0; i < batch.size(); ++i) add(batch.begin(i), batch.end(i));
    }
    [[nodiscard]] std::int64_t most() const { return m_most; }

private:
    void add(Nanos begin, Nanos end)
    {
        if (begin >= m_latest) {
            m_ends.clear();  // the common case: one after the other
        } else {
            while (!m_ends.empty() && m_ends.front() <= begin) {
                std::pop_heap(m_ends.begin(), m_ends.end(), std::greater<>());
                m_ends.pop_back();
            }
        }
        if (end > begin) {
            m_ends.push_back(end);
            if (m_ends.size() > 1) std::push_heap(m_ends.begin(), m_ends.end(), std::greater<>());
            m_latest = std::max(m_latest, end);
        }
        m_most = std::max(m_most, static_cast<std::int64_t>(m_ends.size()));
    }

    std::vector<Nanos> m_ends;  ///< a heap, the earliest in front
    Nanos m_latest = INT64_MIN;
    std::int64_t m_most = 0;
};

}  // namespace flowgauge::store
