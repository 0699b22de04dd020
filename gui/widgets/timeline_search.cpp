// SPDX-License-Identifier: MIT
#include "gui/widgets/timeline_search.h"

#include "analyzer/report/units.h"
#include "gui/style/theme.h"
#include "gui/timeline/time_scale.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

namespace flowgauge::widgets {

namespace {
constexpr int calmMs = 250;
constexpr int linePx = 260;
}  // namespace

TimelineSearch::TimelineSearch(const ViewContext& context, std::function<std::vector<store::Id>()> tracks, QWidget* parent)
    : QWidget(parent), m_context(context), m_tracks(std::move(tracks)), m_line(new QLineEdit), m_told(new QLabel)
{
    m_line->setPlaceholderText(tr("Search: nccl dur>1ms rank:3 ( / )"));
    m_line->setToolTip(
        tr("Words of a name or kind, !not; name:nccl*, dur>1ms, bytes>=4k, rank:3. Enter goes to the next, Shift-Enter back."));
    m_line->setClearButtonEnabled(true);
    m_line->setFixedWidth(linePx);
    m_told->setFont(style::note());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_line);
    row->addWidget(m_told);
    m_calm.setSingleShot(true);
    connect(&m_calm, &QTimer::timeout, this, &TimelineSearch::count);
    connect(m_line, &QLineEdit::textChanged, this, [this](const QString& text) { m_context.navigator.setSearch(text.toStdString()); });
    connect(m_line, &QLineEdit::textChanged, this, [this] { m_calm.start(calmMs); });
    m_line->installEventFilter(this);
    connect(&context.navigator, &Navigator::changed, this, &TimelineSearch::follow);
}

/// Enter goes on and Shift-Enter back: to the line itself both are the same.
bool TimelineSearch::eventFilter(QObject* watched, QEvent* event)
{
    const auto* key = event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent*>(event) : nullptr;
    if (key == nullptr || (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)) return QWidget::eventFilter(watched, event);
    emit wanted(!key->modifiers().testFlag(Qt::ShiftModifier));
    return true;
}

QString TimelineSearch::told() const { return m_told->text(); }

void TimelineSearch::setRun(const load::RunPtr& run)
{
    m_run = run;
    follow();
    if (!m_line->text().isEmpty()) m_calm.start(calmMs);
}

void TimelineSearch::follow()
{
    const QString text = QString::fromStdString(m_context.navigator.state().search);
    if (m_line->text() != text) m_line->setText(text);
}

load::SearchQuestion TimelineSearch::question() const
{
    load::SearchQuestion question;
    question.filter = timeline::parseFilter(m_line->text().toStdString());
    question.tracks = load::tracksFor(*m_run, question.filter, m_tracks());
    question.whole = m_run->extent;
    return question;
}

void TimelineSearch::count()
{
    if (!m_run) return;
    if (m_countAsked) *m_countAsked = true;
    const load::SearchQuestion asked = question();
    m_told->setText(QString::fromStdString(asked.filter.problem));
    if (asked.filter.empty() || !asked.filter.problem.empty()) {
        emit counted({});
        return;
    }
    m_told->setText(tr("counting…"));
    m_countAsked = m_context.service.ask(
        this, [asked](store::RunStore& store, const load::Cancel& cancel) { return load::countEvents(store, asked, cancel); },
        [this](const load::HitCount& hits) {
            m_told->setText(QString::fromStdString(report::plural(hits.count, "event", "events")));
            emit counted(hits);
        });
}

void TimelineSearch::find(bool forward, Nanos from)
{
    if (!m_run || m_line->text().isEmpty()) return;
    if (m_findAsked) *m_findAsked = true;
    load::SearchQuestion asked = question();
    asked.forward = forward;
    asked.from = from;
    m_findAsked = m_context.service.ask(
        this, [asked](store::RunStore& store, const load::Cancel& cancel) { return load::findEvent(store, asked, cancel); },
        [this](const std::optional<load::Hit>& hit) {
            if (hit) emit found(*hit);
            if (!hit) m_told->setText(tr("no further one"));
        });
}

}  // namespace flowgauge::widgets
