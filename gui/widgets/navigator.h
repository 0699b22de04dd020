// SPDX-License-Identifier: MIT
#pragma once
#include "gui/state/history.h"
#include "gui/state/view_state.h"

#include <QObject>

namespace flowgauge::widgets {

/// The one place where "what is shown" lives. Views ask it to go somewhere and obey its `changed`; nobody tells another view.
class Navigator : public QObject {
    Q_OBJECT
public:
    explicit Navigator(QObject* parent = nullptr);

    [[nodiscard]] const state::ViewState& state() const { return m_state; }
    /// The shown window: the state's, else the whole run.
    [[nodiscard]] Interval window() const { return m_state.window ? *m_state.window : m_whole; }
    [[nodiscard]] Interval whole() const { return m_whole; }

    void setWhole(Interval whole);              ///< of the run that was opened; the window is kept inside
    void reset(const state::ViewState& state);  ///< as opened: history begins here

    /// Steps of one gesture (a held key, a turned wheel) count as one place of the history.
    void showWindow(Interval window, std::int64_t gesture = -1);
    void showWhole();
    void select(std::optional<Interval> selection);
    void setRanks(std::vector<int> ranks);
    void setSearch(const std::string& search);
    /// Sets a mark, or removes the one that lies within `reach`; false where there are as many as there may be.
    bool toggleMark(Nanos at, Nanos reach);
    void goToMark(std::size_t number);  ///< counted from 1; shows it in the middle
    void setView(const std::string& view);
    /// A place that explains something: selects it and shows it with some time around.
    void explain(Interval when, std::vector<int> ranks);
    void go(state::ViewState state, std::int64_t gesture = -1);

    void back();  ///< marks stay as they are
    void forward();
    [[nodiscard]] bool canGoBack() const { return m_history.canGoBack(); }
    [[nodiscard]] bool canGoForward() const { return m_history.canGoForward(); }

signals:
    void changed();

private:
    void take(std::optional<state::ViewState> place);

    Interval m_whole;
    state::ViewState m_state;
    state::History m_history;
};

}  // namespace flowgauge::widgets
