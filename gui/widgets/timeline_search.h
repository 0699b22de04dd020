// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/search.h"
#include "gui/widgets/view.h"

#include <QTimer>

#include <functional>
#include <optional>

class QLabel;
class QLineEdit;

namespace flowgauge::widgets {

/// The search box of the timeline: counts what it finds as it is typed, and goes from hit to hit.
class TimelineSearch : public QWidget {
    Q_OBJECT
public:
    /// tracks: those that are searched, asked anew each time.
    TimelineSearch(const ViewContext& context, std::function<std::vector<store::Id>()> tracks, QWidget* parent = nullptr);
    void setRun(const load::RunPtr& run);
    /// To the next hit after a time, or the one before it.
    void find(bool forward, Nanos from);
    [[nodiscard]] QLineEdit& line() { return *m_line; }
    [[nodiscard]] QString told() const;  ///< what stands beside the box
    [[nodiscard]] bool isSettled() const { return !load::isAwaited(m_countAsked) && !m_calm.isActive(); }

signals:
    void wanted(bool forward);  ///< the user asks for the next hit
    void found(const flowgauge::load::Hit& hit);
    void counted(const flowgauge::load::HitCount& hits);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow();
    void count();
    [[nodiscard]] load::SearchQuestion question() const;

    ViewContext m_context;
    std::function<std::vector<store::Id>()> m_tracks;
    load::RunPtr m_run;
    QLineEdit* m_line;
    QLabel* m_told;
    QTimer m_calm;  ///< of typing
    load::Cancel m_countAsked, m_findAsked;
};

}  // namespace flowgauge::widgets
