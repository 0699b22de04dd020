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

std::optional<std::vector<Nanos>> marked(std::vector<Nanos> marks, Nanos at, Nanos reach)
{
    if (std::erase_if(marks, [&](Nanos mark) { return std::max(mark, at) - std::min(mark, at) <= reach; }) > 0) return marks;
    if (marks.size() >= mostMarks) return std::nullopt;
    marks.push_back(at);
    return marks;
}

bool shows(const ViewState& state, int rank)
{
    return state.ranks.empty() || std::binary_search(state.ranks.begin(), state.ranks.end(), rank);
}

}  // namespace flowgauge::state
