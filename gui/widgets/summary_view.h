// SPDX-License-Identifier: MIT
#pragma once
#include "gui/widgets/view.h"

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace flowgauge::widgets {

/// "What slowed the run?": the verdict, where the time went, the epochs, the findings, and what was not measured.
class SummaryView : public View {
    Q_OBJECT
public:
    explicit SummaryView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;

private:
    void showAnalysis(const load::Analysis& analysis);

    load::RunPtr m_run;
    QScrollArea* m_scroll;
};

}  // namespace flowgauge::widgets
