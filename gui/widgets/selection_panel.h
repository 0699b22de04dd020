// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/selection.h"
#include "gui/widgets/view.h"

#include <QTimer>

#include <functional>
#include <optional>

namespace flowgauge::widgets {

class ChartWidget;
class TablePanel;

/// "What happened in the selection?": a table by name, and how long each event of the picked name took. Counted beside the window,
/// once the selection has come to rest.
class SelectionPanel : public QWidget {
    Q_OBJECT
public:
    /// tracks: those that are counted, asked anew each time.
    SelectionPanel(const ViewContext& context, std::function<std::vector<store::Id>()> tracks, QWidget* parent = nullptr);
    void setRun(const load::RunPtr& run);
    /// Marks where in its histogram an event lies, and shows that of its name.
    void pointAt(const std::string& name, Kind kind, Nanos duration);
    [[nodiscard]] bool isSettled() const { return !load::isAwaited(m_asked) && !m_calm.isActive(); }
    [[nodiscard]] TablePanel& table() { return *m_table; }
    [[nodiscard]] ChartWidget& histogram() { return *m_histogram; }
    [[nodiscard]] qint64 lastCountMs() const { return m_countMs; }  ///< what the last count took, -1 before one

private:
    void follow();
    void ask();
    void show(load::SelectionAnswer answer);
    void showHistogram(std::size_t row);
    [[nodiscard]] QString noteOf() const;

    ViewContext m_context;
    std::function<std::vector<store::Id>()> m_tracks;
    load::RunPtr m_run;
    TablePanel* m_table;
    ChartWidget* m_histogram;
    QTimer m_calm;  ///< a selection that is still being drawn is not worth a scan
    load::Cancel m_asked;
    qint64 m_countMs = -1;
    bool m_told = false;  ///< of the run and what is selected in it: nothing, or m_counted
    std::optional<Interval> m_counted;
    std::vector<int> m_countedRanks;
    load::SelectionAnswer m_answer;
    struct Pointed {
        std::string name;
        Kind kind = Kind::None;
        Nanos duration = 0;
    };
    std::optional<Pointed> m_pointed;
};

}  // namespace flowgauge::widgets
