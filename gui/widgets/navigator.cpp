// SPDX-License-Identifier: MIT
#include "gui/widgets/navigator.h"

namespace flowgauge::widgets {

Navigator::Navigator(QObject* parent) : QObject(parent) {}

void Navigator::setWhole(Interval whole)
{
    m_whole = whole;
    if (m_state.window) m_state.window = state::kept(*m_state.window, whole);
    emit changed();
}

void Navigator::reset(const state::ViewState& state)
{
    m_history.clear();
    m_state = state;
    if (m_state.window && !m_whole.empty()) m_state.window = state::kept(*m_state.window, m_whole);
    m_history.visit(m_state, -1);
    emit changed();
}

void Navigator::go(state::ViewState state, std::int64_t gesture)
{
    if (state.window && !m_whole.empty()) {
        state.window = state::kept(*state.window, m_whole);
        if (*state.window == m_whole) state.window.reset();
    }
    if (state == m_state) return;
    m_state = std::move(state);
    m_history.visit(m_state, gesture);
    emit changed();
}

void Navigator::showWindow(Interval window, std::int64_t gesture)
{
    state::ViewState next = m_state;
    next.window = window;
    go(std::move(next), gesture);
}

void Navigator::showWhole()
{
    state::ViewState next = m_state;
    next.window.reset();
    go(std::move(next));
}

void Navigator::select(std::optional<Interval> selection)
{
    state::ViewState next = m_state;
    next.selection = selection;
    go(std::move(next), 0);
}

void Navigator::setRanks(std::vector<int> ranks)
{
    state::ViewState next = m_state;
    next.ranks = std::move(ranks);
    go(std::move(next));
}

void Navigator::setSearch(const std::string& search)
{
    state::ViewState next = m_state;
    next.search = search;
    go(std::move(next), 1);
}

void Navigator::setView(const std::string& view)
{
    state::ViewState next = m_state;
    next.view = view;
    go(std::move(next));
}

void Navigator::explain(Interval when, std::vector<int> ranks)
{
    state::ViewState next = m_state;
    next.selection = when;
    next.window = state::framed(when, m_whole);
    next.ranks = std::move(ranks);
    go(std::move(next));
}

bool Navigator::toggleMark(Nanos at, Nanos reach)
{
    auto marks = state::marked(m_state.marks, at, reach);
    if (!marks) return false;
    m_state.marks = std::move(*marks);
    emit changed();
    return true;
}

void Navigator::goToMark(std::size_t number)
{
    if (number == 0 || number > m_state.marks.size()) return;
    const Nanos length = window().length();
    const Nanos begin = m_state.marks[number - 1] - length / 2;
    showWindow({begin, begin + length});
}

void Navigator::take(std::optional<state::ViewState> place)
{
    if (!place) return;
    place->marks = std::move(m_state.marks);
    m_state = std::move(*place);
    emit changed();
}

void Navigator::back() { take(m_history.back()); }
void Navigator::forward() { take(m_history.forward()); }

}  // namespace flowgauge::widgets
