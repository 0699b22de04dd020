// SPDX-License-Identifier: MIT
#include "gui/widgets/side_by_side.h"

#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/widgets/strip_painter.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace flowgauge::widgets {

namespace {
constexpr int labelPx = 190;
constexpr int headPx = 30;   // question and choice of the epoch
constexpr int rulerPx = 22;  // below it
constexpr int titlePx = 24;  // a run's name
constexpr int gapPx = 8;
}  // namespace

SideBySide::SideBySide(const ViewContext& context, QWidget* parent) : QWidget(parent), m_context(context), m_epoch(new QComboBox)
{
    auto* question = new QLabel(tr("Where do the runs spend the same epoch?"));
    auto* help = new QLabel(tr("Ctrl+wheel zooms   Shift+wheel moves   a double click shows all"));
    question->setFont(style::title());
    help->setFont(style::note());
    m_epoch->setAccessibleName(tr("Epoch that is compared"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->addWidget(question);
    head->addStretch();
    head->addWidget(help);
    head->addWidget(m_epoch);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addStretch();
    connect(m_epoch, &QComboBox::activated, this, [this](int at) { showEpoch(m_epoch->itemData(at).toLongLong()); });
    hide();
}

timeline::TimeScale SideBySide::scale() const { return {m_question.window, static_cast<double>(std::max(1, width() - labelPx))}; }

void SideBySide::setRuns(std::shared_ptr<load::StudyRuns> runs, std::vector<std::string> paths)
{
    m_runs = std::move(runs);
    m_paths = std::move(paths);
    ask();
}

void SideBySide::showEpoch(std::int64_t number)
{
    m_question = {number, {}, 1};
    ask();
}

void SideBySide::showWindow(Interval window)
{
    m_question.window = window;
    update();  // what is there, drawn at the new scale, until the finer one has come
    ask();
}

void SideBySide::ask()
{
    if (m_asked) *m_asked = true;
    m_question.widthPx = scale().widthPx;
    m_asked = m_context.service.ask(
        this,
        [runs = m_runs, paths = m_paths, question = m_question](store::RunStore&, const load::Cancel&) {
            return runs->sides(paths, question);
        },
        [this](load::SideAnswer answer) { show(std::move(answer)); });
}

void SideBySide::show(load::SideAnswer answer)
{
    m_answer = std::move(answer);
    m_question = m_answer.question;
    m_epoch->clear();
    for (const std::int64_t number : m_answer.epochs) m_epoch->addItem(tr("epoch %1").arg(number), QVariant::fromValue<qlonglong>(number));
    m_epoch->setCurrentIndex(m_epoch->findData(QVariant::fromValue<qlonglong>(m_question.epoch)));
    int height = headPx + rulerPx;
    for (const load::SideRun& run : m_answer.runs) height += heightOf(run);
    setFixedHeight(height);
    setVisible(m_answer.runs.size() > 1 && !m_answer.epochs.empty());
    update();
}

int SideBySide::heightOf(const load::SideRun& run) const
{
    int height = titlePx + gapPx;
    for (const timeline::Row& row : run.rows) height += row.heightPx;
    return height;
}

Interval SideBySide::whole() const
{
    Interval longest{0, 1};
    for (const load::SideRun& run : m_answer.runs) longest.end = std::max(longest.end, run.epoch.length());
    return longest;
}

/// Returns where the next one begins.
int SideBySide::paintRun(QPainter& painter, const load::SideRun& run, int y)
{
    painter.setFont(style::text());
    painter.setPen(style::paper().ink);
    const QString name = QString::fromStdString(run.name);
    const QString length =
        run.epoch.empty() ? tr("has no epoch %1").arg(m_question.epoch) : QString::fromStdString(report::duration(run.epoch.length()));
    painter.drawText(QRect(4, y, width() - 8, titlePx), Qt::AlignVCenter | Qt::AlignLeft, name + "   " + length);
    y += titlePx;
    const Nanos zero = run.epoch.begin;
    const timeline::TimeScale shown{{zero + m_question.window.begin, zero + m_question.window.end}, scale().widthPx};
    for (std::size_t i = 0; i < run.rows.size(); ++i) {
        const timeline::Row& row = run.rows[i];
        const QRect track(labelPx, y, width() - labelPx, row.heightPx);
        painter.setClipRect(track);
        const timeline::Spans spans = timeline::spansOf(run.strips[i], shown);
        row.kind == timeline::RowKind::Counter ? paintCurves(painter, row, run.strips[i], spans, track)
                                               : paintColumns(painter, timeline::columnsOf(run.strips[i], spans), track);
        painter.setClipping(false);
        painter.setFont(style::note());
        painter.setPen(style::paper().faint);
        painter.drawText(QRect(16, y, labelPx - 22, row.heightPx), Qt::AlignVCenter | Qt::AlignLeft, QString::fromStdString(row.label));
        y += row.heightPx;
        painter.setPen(style::paper().line);
        painter.drawLine(0, y - 1, width(), y - 1);
    }
    return y + gapPx;
}

void SideBySide::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(style::note());
    for (const timeline::Tick& tick : timeline::ticksOf(scale())) {
        if (tick.label.empty()) continue;
        const int x = labelPx + static_cast<int>(tick.x);
        painter.setPen(style::paper().line);
        painter.drawLine(x, headPx, x, height() - gapPx);
        painter.setPen(style::paper().faint);
        const QString label = QString::fromStdString(tick.label);
        if (x + 4 + painter.fontMetrics().horizontalAdvance(label) < width())
            painter.drawText(QRect(x + 4, headPx, 140, rulerPx), Qt::AlignVCenter | Qt::AlignLeft, label);
    }
    int y = headPx + rulerPx;
    for (const load::SideRun& run : m_answer.runs) {
        const int top = y;
        y = paintRun(painter, run, y);
        const double end = labelPx + scale().xOf(run.epoch.length());
        if (run.epoch.empty() || end < labelPx || end > width()) continue;
        painter.setPen(QPen(style::paper().ink, 1, Qt::DashLine));
        painter.drawLine(QPointF(end, top + titlePx), QPointF(end, y - gapPx));
    }
}

void SideBySide::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width() && m_runs) ask();
}

void SideBySide::wheelEvent(QWheelEvent* event)
{
    const QPoint turn = event->angleDelta();
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier);
    const bool moves = event->modifiers().testFlag(Qt::ShiftModifier) || turn.y() == 0;
    if (!zooms && !moves) return QWidget::wheelEvent(event);  // the page scrolls
    const int along = turn.y() != 0 ? turn.y() : turn.x();
    showWindow(zooms ? scale().zoomed(std::pow(1.0015, -along), event->position().x() - labelPx, whole())
                     : scale().panned(-along * 0.8, whole()));
    event->accept();
}

void SideBySide::mouseDoubleClickEvent(QMouseEvent*) { showWindow({}); }

}  // namespace flowgauge::widgets
