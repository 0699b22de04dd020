// SPDX-License-Identifier: MIT
#pragma once
#include "gui/state/view_state.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace flowgauge::state {

/// Where the user has been, to go back and forward like in a browser. The newest place is the present one.
class History {
public:
    /// Steps that follow each other within one gesture (a held key, a turned wheel) are one place: pass `gesture` the same.
    void visit(const ViewState& place, std::int64_t gesture);
    [[nodiscard]] std::optional<ViewState> back();
    [[nodiscard]] std::optional<ViewState> forward();
    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_places.size(); }
    void clear();

private:
    std::vector<ViewState> m_places;
    std::size_t m_at = 0;
    std::int64_t m_gesture = -1;
};

}  // namespace flowgauge::state
