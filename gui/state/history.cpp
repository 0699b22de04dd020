// SPDX-License-Identifier: MIT
#include "gui/state/history.h"

namespace flowgauge::state {

namespace {
constexpr std::size_t mostPlaces = 500;
}

void History::visit(const ViewState& place, std::int64_t gesture)
{
    if (!m_places.empty() && m_places[m_at] == place) return;
    const bool goesOn = gesture >= 0 && gesture == m_gesture && m_at > 0 && m_at + 1 == m_places.size();
    m_gesture = gesture;
    if (goesOn) {
        m_places[m_at] = place;
        return;
    }
    if (!m_places.empty()) m_places.resize(m_at + 1);
    m_places.push_back(place);
    if (m_places.size() > mostPlaces) m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
}

std::optional<ViewState> History::back()
{
    if (!canGoBack()) return std::nullopt;
    m_gesture = -1;
    return m_places[--m_at];
}

std::optional<ViewState> History::forward()
{
    if (!canGoForward()) return std::nullopt;
    m_gesture = -1;
    return m_places[++m_at];
}

void History::clear()
{
    m_places.clear();
    m_at = 0;
    m_gesture = -1;
}

}  // namespace flowgauge::state
