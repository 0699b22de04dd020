// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/search.h"
#include "gui/widgets/view.h"

class QLabel;
class QLineEdit;
class QScrollBar;

namespace flowgauge::widgets {

class Minimap;
class SelectionPanel;
class StripCache;
class TimelineCanvas;
class TimelineSearch;

/// "Where in time?": hosts, ranks and their lanes on one axis.
class TimelineView : public View {
    Q_OBJECT
public:
    explicit TimelineView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;
    [[nodiscard]] TimelineCanvas& canvas() { return *m_canvas; }
    [[nodiscard]] TimelineSearch& search() { return *m_search; }
    [[nodiscard]] SelectionPanel& selection() { return *m_selection; }
    [[nodiscard]] Minimap& minimap() { return *m_minimap; }

private:
    QWidget* buildTools();
    QWidget* buildPanes();
    QWidget* buildPicture();
    QWidget* buildBottom();
    void buildKeys();
    void fitScrollBar();
    void find(bool forward);
    void showHit(const load::Hit& hit);

    load::RunPtr m_run;
    StripCache* m_strips;
    TimelineCanvas* m_canvas;
    Minimap* m_minimap;
    TimelineSearch* m_search;
    SelectionPanel* m_selection;
    QScrollBar* m_scroll = nullptr;
    QLineEdit* m_filter = nullptr;  ///< of rows
    QLabel* m_details = nullptr;
};

}  // namespace flowgauge::widgets
