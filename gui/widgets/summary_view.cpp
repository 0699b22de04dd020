// SPDX-License-Identifier: MIT
#include "gui/widgets/summary_view.h"

#include "analyzer/report/units.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"
#include "gui/widgets/summary_cards.h"
#include "gui/widgets/table_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

namespace flowgauge::widgets {

namespace {

constexpr int pagePx = 1080;

QLabel* words(const QString& text, const QFont& font)
{
    auto* label = new QLabel(models::unbroken(text));
    label->setTextFormat(Qt::PlainText);
    label->setFont(font);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString text(const std::string& words) { return QString::fromStdString(words); }

std::vector<models::Cell> rowOf(const findings::EpochRow& row)
{
    using models::cellOf;
    using timeline::Measure;
    return {cellOf(static_cast<double>(row.number), Measure::Count),
            cellOf(static_cast<double>(row.time), Measure::Duration),
            cellOf(row.samplesPerSecond, Measure::PerSecond),
            cellOf(row.asked, Measure::Bytes),
            cellOf(static_cast<double>(row.evaluation), Measure::Bytes),
            cellOf(row.fetched, Measure::Bytes),
            cellOf(row.fromCache, Measure::Share),
            cellOf(row.shuffleGap, Measure::Duration),
            models::wordCell(text(row.foundBy))};
}

std::vector<models::Column> epochColumns()
{
    return {{"epoch", "As the job counts them", true},
            {"time", "From the first rank's begin to the last rank's end", true},
            {"samples/s", "Of all ranks", true},
            {"asked", "Bytes that read calls returned", true},
            {"evaluation", "Bytes read in marked evaluations and checkpoints; not among asked", true},
            {"fetched", "Bytes that storage had to deliver for it", true},
            {"from cache", "Share of asked that was not fetched", true},
            {"shuffle gap", "From the last collective of the epoch before to the first of this one", true},
            {"found by", "How the epoch was recognised", false}};
}

}  // namespace

std::vector<std::vector<QString>> epochCells(const findings::RunSummary& summary)
{
    std::vector<std::vector<QString>> rows;
    for (const findings::EpochRow& epoch : summary.epochs) {
        rows.emplace_back();
        for (const models::Cell& cell : rowOf(epoch)) rows.back().push_back(cell.text);
    }
    return rows;
}

SummaryView::SummaryView(const ViewContext& context) : View(context), m_scroll(new QScrollArea)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
}

bool SummaryView::isSettled() const { return m_run && m_run->analysis; }

QString SummaryView::csv() const { return m_epochs == nullptr ? QString() : m_epochs->csv(); }

void SummaryView::setRun(const load::RunPtr& run)
{
    m_run = run;
    if (run->analysis)
        showReport(run->analysis->report);
    else
        showWaiting();
}

void SummaryView::showWaiting()
{
    m_epochs = nullptr;
    auto* label = words(QString::fromStdString(m_run->pending), style::text());
    label->setAlignment(Qt::AlignCenter);
    m_scroll->setWidget(label);
}

void SummaryView::showReport(const report::Report& report)
{
    auto* outer = new QWidget;
    auto* row = new QHBoxLayout(outer);
    auto* page = new QVBoxLayout;
    page->setContentsMargins(style::margin, style::margin, style::margin, style::margin);
    page->setSpacing(style::space);
    auto* paper = new QWidget;
    paper->setMaximumWidth(pagePx);
    paper->setLayout(page);
    row->addStretch(1);
    row->addWidget(paper, 100);
    row->addStretch(1);
    QLabel* verdict = words(text(report::sentence(report.verdict)), style::title());
    verdict->setObjectName("verdict");
    page->addWidget(verdict);
    for (const std::string& remark : report.summary.remarks) page->addWidget(words(text(remark), style::note()));
    const findings::Breakdown& breakdown = report.summary.breakdown;
    if (!breakdown.parts.empty()) {
        page->addSpacing(style::space);
        page->addWidget(words(tr("Where did the time of a %1 (%2) go?").arg(text(breakdown.what), text(report::duration(breakdown.length))),
                              style::note()));
        page->addWidget(new BreakdownBar(breakdown));
        for (const std::string& remark : breakdown.remarks) page->addWidget(words(text(remark), style::note()));
    }
    addEpochs(report.summary, *page);
    addFindings(report, *page);
    addLedger(report.summary, *page);
    page->addStretch(1);
    m_scroll->setWidget(outer);
}

void SummaryView::addEpochs(const findings::RunSummary& summary, QVBoxLayout& page)
{
    m_epochs = nullptr;
    page.addSpacing(style::space);
    if (summary.epochs.empty()) {
        page.addWidget(
            words(tr("Epochs: none were found. Marks in the program, MLPerf log lines or a repeated pattern of reads would show them."),
                  style::note()));
        return;
    }
    std::vector<std::vector<models::Cell>> rows;
    for (const findings::EpochRow& epoch : summary.epochs) rows.push_back(rowOf(epoch));
    constexpr std::size_t mostShown = 8;
    const int shown = static_cast<int>(std::min(rows.size(), mostShown));
    m_epochs = new TablePanel(tr("Which epoch was slow?"), epochColumns());
    m_epochs->setRows(std::move(rows));
    QTableView& table = m_epochs->table();
    const int spare = summary.epochs.size() > mostShown ? 0 : 6;  // no scroll bar where all fit; no piece of a row where they do not
    table.setFixedHeight(table.horizontalHeader()->sizeHint().height() + shown * table.verticalHeader()->defaultSectionSize() + spare);
    connect(m_epochs, &TablePanel::picked, this, [this](int row) { goToEpoch(static_cast<std::size_t>(row)); });
    page.addWidget(m_epochs);
}

void SummaryView::addFindings(const report::Report& report, QVBoxLayout& page)
{
    page.addSpacing(style::space);
    if (report.findings.empty()) {
        page.addWidget(words(tr("Findings: nothing that was measured costs more than it is worth telling."), style::text()));
        return;
    }
    page.addWidget(words(tr("What would it gain to fix it?  A click shows where."), style::note()));
    for (std::size_t i = 0; i < report.findings.size(); ++i) {
        auto* card = new FindingCard(i + 1, report.findings[i]);
        connect(card, &FindingCard::picked, this, [this, i] { go(m_run->analysis->report.findings[i], 0, false); });
        connect(card, &FindingCard::evidencePicked, this, [this, i](std::size_t at) { go(m_run->analysis->report.findings[i], at, true); });
        page.addWidget(card);
    }
    if (report.findings.size() > 1)
        page.addWidget(words(tr("Each gain stands for fixing that one thing; gains do not add up."), style::note()));
}

void SummaryView::addLedger(const findings::RunSummary& summary, QVBoxLayout& page)
{
    page.addSpacing(style::space);
    if (!summary.notMeasured.empty()) {
        QStringList items;
        for (const findings::NotMeasured& absence : summary.notMeasured)
            items += text(absence.what) + (absence.why.empty() ? QString() : " (" + text(absence.why) + ")");
        page.addWidget(words(tr("Not measured:  %1").arg(items.join(",  ")), style::note()));
    }
    const findings::Cost& cost = summary.cost;
    const QString cpu = cost.cpuShare.known() ? tr("%1 of CPU").arg(text(report::share(cost.cpuShare.value())))
                                              : tr("CPU not measured (%1)").arg(text(cost.cpuShare.reason()));
    QLabel* line = words(tr("Our cost:  %1, %2 written, %3 of %4 events lost")
                             .arg(cpu, text(report::asBytes(cost.bytesWritten)), text(report::count(cost.lost)),
                                  text(report::count(cost.events + cost.lost))),
                         style::note());
    line->setObjectName("cost");
    page.addWidget(line);
}

void SummaryView::go(const findings::Finding& finding, std::size_t evidence, bool toTimeline)
{
    if (evidence < finding.evidence.size()) {
        std::vector<int> ranks = toTimeline ? std::vector<int>{} : finding.ranks;
        context().navigator.explain(finding.evidence[evidence].when, std::move(ranks));
    }
    context().navigator.setView("timeline");
}

void SummaryView::goToEpoch(std::size_t position)
{
    const auto& epochs = m_run->analysis->facts.epochs;
    if (position >= epochs.size()) return;
    context().navigator.explain(epochs[position].when, {});
}

}  // namespace flowgauge::widgets
