// SPDX-License-Identifier: MIT
#include "gui/state/view_state.h"

#include <algorithm>

namespace flowgauge::state {

Interval framed(Interval selection, Interval whole)
{
    const Nanos margin = std::max<Nanos>(selection.length() / 4, 500);
    return kept({selection.begin - margin, selection.end + margin}, whole);
}

Interval kept(Interval window, Interval whole, Nanos shortest)
{
    if (whole.empty()) return whole;
    const Nanos length = std::min(std::max(window.length(), shortest), whole.length());
    const Nanos begin = std::clamp(window.begin, whole.begin, whole.end - length);
    return {begin, begin + length};
}

bool shows(const ViewState& state, int rank)
{
    return state.ranks.empty() || std::binary_search(state.ranks.begin(), state.ranks.end(), rank);
}

}  // namespace flowgauge::state
