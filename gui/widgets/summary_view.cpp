// SPDX-License-Identifier: MIT
#include "gui/widgets/summary_view.h"

#include "analyzer/report/units.h"
#include "gui/style/theme.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace flowgauge::widgets {

SummaryView::SummaryView(const ViewContext& context) : View(context), m_scroll(new QScrollArea(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
}

bool SummaryView::isSettled() const { return m_run && m_run->analysis; }

QString SummaryView::csv() const { return {}; }

void SummaryView::setRun(const load::RunPtr& run)
{
    m_run = run;
    if (run->analysis) showAnalysis(*run->analysis);
}

void SummaryView::showAnalysis(const load::Analysis& analysis)
{
    auto* label = new QLabel(QString::fromStdString(report::sentence(analysis.report.verdict)));
    label->setFont(style::title());
    label->setWordWrap(true);
    m_scroll->setWidget(label);
}

}  // namespace flowgauge::widgets
