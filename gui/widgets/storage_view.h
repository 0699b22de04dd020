// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/storage_data.h"
#include "gui/widgets/view.h"

#include <QTimer>

namespace flowgauge::widgets {

class ChartWidget;
class GridWidget;
class RankPicker;
class TablePanel;

/// "What did storage serve, when, and how was it asked?" Charts over time show the shared window; a drag in one moves it.
class StorageView : public View {
    Q_OBJECT
public:
    explicit StorageView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void follow();    ///< the navigator: asks anew when what it shows has changed
    void askFlow();   ///< of the window
    void askReads();  ///< of the ranks, whole run
    void askMap();    ///< of both
    void showCharts();

    load::RunPtr m_run;
    load::StorageFlow m_flow;
    std::shared_ptr<const load::StorageReads> m_reads;
    Interval m_window;
    std::vector<int> m_ranks;
    load::Cancel m_flowAsked, m_readsAsked, m_mapAsked;
    bool m_stale = true;  ///< not asked for since the run or the navigator changed: nobody looked
    QTimer m_calm;
    RankPicker* m_picker;
    ChartWidget *m_layers, *m_cache, *m_sizes, *m_latency;
    GridWidget* m_map;
    TablePanel* m_files;
};

}  // namespace flowgauge::widgets
