// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/selection.h"
#include "gui/widgets/view.h"

#include <QTimer>

class QLabel;
class QLineEdit;
class QScrollBar;
class QSplitter;

namespace flowgauge::widgets {

class Minimap;
class StripCache;
class TablePanel;
class TimelineCanvas;

/// "Where in time?": hosts, ranks and their lanes on one axis.
class TimelineView : public View {
    Q_OBJECT
public:
    explicit TimelineView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;
    [[nodiscard]] TimelineCanvas& canvas() { return *m_canvas; }
    [[nodiscard]] QLineEdit& searchLine() { return *m_search; }
    [[nodiscard]] TablePanel& selectionTable() { return *m_table; }

private:
    QWidget* buildTools();
    QWidget* buildPicture();
    QWidget* buildBottom();
    void buildKeys();
    void followState();
    void fitScrollBar();
    void askForSelection();
    void showSelection(const load::SelectionAnswer& answer);
    void find(bool forward);
    void showHit(const std::optional<load::Hit>& hit);

    load::RunPtr m_run;
    StripCache* m_strips;
    TimelineCanvas* m_canvas;
    Minimap* m_minimap;
    QScrollBar* m_scroll = nullptr;
    QLineEdit *m_search = nullptr, *m_filter = nullptr;
    QLabel *m_details = nullptr, *m_found = nullptr;
    TablePanel* m_table = nullptr;
    QSplitter* m_splitter = nullptr;
    QTimer m_selectionTimer;  ///< a selection that is still being drawn is not worth a scan
    load::Cancel m_selectionAsked, m_searchAsked;
    bool m_asking = false;
    Interval m_answered;
    std::vector<int> m_answeredRanks;
};

}  // namespace flowgauge::widgets
