// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/epochs_data.h"
#include "gui/widgets/view.h"

class QLabel;

namespace flowgauge::widgets {

class ChartWidget;
class RankPicker;
class TablePanel;

/// "Which epoch was slow, and where did its time go?" A click on an epoch shows it in every view.
class EpochsView : public View {
    Q_OBJECT
public:
    explicit EpochsView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;

private:
    void build();
    void askFlows();
    void show();    ///< all of it, from the figures
    void follow();  ///< the navigator
    void goTo(std::size_t epoch);

    load::RunPtr m_run;
    std::vector<load::EpochFigures> m_epochs;
    std::vector<load::EpochFlow> m_flows;
    std::vector<int> m_ranks;
    load::Cancel m_asked;
    RankPicker* m_picker;
    QLabel* m_lead;
    ChartWidget *m_times, *m_rates, *m_bytes, *m_caches;
    TablePanel* m_table;
};

}  // namespace flowgauge::widgets
