// SPDX-License-Identifier: MIT
#pragma once
#include "gui/widgets/view.h"

class QScrollArea;
class QVBoxLayout;

namespace flowgauge::widgets {

class TablePanel;

/// "What slowed the run?": the verdict, where the time went, the epochs, the findings, and what was not measured.
class SummaryView : public View {
    Q_OBJECT
public:
    explicit SummaryView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;

private:
    void showWaiting();
    void showReport(const report::Report& report);
    void addEpochs(const findings::RunSummary& summary, QVBoxLayout& page);
    void addFindings(const report::Report& report, QVBoxLayout& page);
    void addLedger(const findings::RunSummary& summary, QVBoxLayout& page);
    void go(const findings::Finding& finding, std::size_t evidence, bool toTimeline);
    void goToEpoch(std::size_t position);

    load::RunPtr m_run;
    QScrollArea* m_scroll;
    TablePanel* m_epochs = nullptr;  ///< of the page that is shown; null without epochs
};

/// The epochs as the text report tells them; a cell for each of its columns, "–" where nothing was measured.
[[nodiscard]] std::vector<std::vector<QString>> epochCells(const findings::RunSummary& summary);

}  // namespace flowgauge::widgets
