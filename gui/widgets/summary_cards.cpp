// SPDX-License-Identifier: MIT
#include "gui/widgets/summary_cards.h"

#include "analyzer/report/units.h"
#include "gui/models/measure.h"
#include "gui/style/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <array>

namespace flowgauge::widgets {

namespace {

constexpr int barPx = 30;
constexpr int lineOfLegendPx = 22;

timeline::Tone toneOf(findings::Part part)
{
    using timeline::Tone;
    static constexpr std::array tones{Tone::Compute, Tone::ExposedCommunication, Tone::Copy, Tone::InputStall, Tone::Idle};
    return tones[static_cast<std::size_t>(part)];
}

QString legendText(const findings::PartShare& part)
{
    const bool differ = part.highest - part.lowest >= 0.02;  // as the text report: ranks that read the same need no range
    const std::string share = differ ? report::shareRange(part.lowest, part.highest) : report::share(part.share);
    return QString::fromStdString(std::string(findings::partNames[static_cast<std::size_t>(part.part)]) + "  " + share);
}

QLabel* line(const QString& html, const QFont& font)
{
    auto* label = new QLabel(models::unbroken(html));
    label->setTextFormat(Qt::RichText);
    label->setFont(font);
    label->setWordWrap(true);
    return label;
}

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

QString headOf(std::size_t number, const findings::Finding& finding)
{
    QString where = QString::fromStdString(report::ranks(finding.ranks));
    if (!finding.where.empty()) where += (where.isEmpty() ? "" : ", ") + QString::fromStdString(finding.where);
    return QString(
               "<table width='100%'><tr><td><b>%1 &nbsp; %2</b> &nbsp; <span style='color:%3'>%4 of %5 &nbsp; %6</span></td>"
               "<td align='right'><b>gain %7</b></td></tr></table>")
        .arg(number)
        .arg(escaped(finding.title), style::css(style::paper().faint), escaped(report::share(finding.share())), escaped(finding.outOfWhat),
             where.toHtmlEscaped(), escaped(report::estimate(finding.gain)));
}

QString evidenceOf(const findings::Finding& finding)
{
    QStringList links;
    constexpr std::size_t shown = 4;
    for (std::size_t i = 0; i < std::min(shown, finding.evidence.size()); ++i) {
        const findings::Evidence& evidence = finding.evidence[i];
        links += QString("<a href='%1' style='color:%2'>rank %3 at %4</a> %5")
                     .arg(i)
                     .arg(style::css(style::paper().accent))
                     .arg(evidence.rank)
                     .arg(escaped(report::when(evidence.when)), escaped(evidence.what));
    }
    return links.isEmpty() ? QString() : "See " + links.join("; &nbsp;");
}

}  // namespace

BreakdownBar::BreakdownBar(findings::Breakdown breakdown, QWidget* parent) : QWidget(parent), m_breakdown(std::move(breakdown))
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Where the time went"));
    QStringList parts;
    for (const findings::PartShare& part : m_breakdown.parts)
        if (part.share > 0) parts += legendText(part);
    setAccessibleDescription(parts.join(", "));
}

std::vector<BreakdownBar::Entry> BreakdownBar::legend(int width) const
{
    std::vector<Entry> entries;
    const QFontMetrics metrics(style::text());
    int x = 0;
    int y = barPx + style::space;
    for (const findings::PartShare& part : m_breakdown.parts) {
        if (part.share <= 0) continue;
        const QString text = legendText(part);
        const int wide = 18 + metrics.horizontalAdvance(text) + 26;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += lineOfLegendPx;
        }
        entries.push_back({QRect(x, y, wide, lineOfLegendPx), text, part.part});
        x += wide;
    }
    return entries;
}

int BreakdownBar::heightForWidth(int width) const
{
    const auto entries = legend(width);
    return entries.empty() ? barPx : entries.back().box.bottom() + 1;
}

QSize BreakdownBar::sizeHint() const { return {600, heightForWidth(std::max(400, width()))}; }

void BreakdownBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    double x = 0;
    for (const findings::PartShare& part : m_breakdown.parts) {
        const double wide = part.share * width();
        style::fill(painter, QRectF(x, 0, wide, barPx), toneOf(part.part));
        x += wide;
    }
    painter.setFont(style::text());
    for (const Entry& entry : legend(width())) {
        style::fill(painter, QRectF(entry.box.left(), entry.box.top() + 5, 12, 12), toneOf(entry.part));
        painter.setPen(style::paper().ink);
        painter.drawText(entry.box.adjusted(18, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, entry.text);
    }
}

FindingCard::FindingCard(std::size_t number, const findings::Finding& finding, QWidget* parent) : QFrame(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setObjectName("finding");
    setAccessibleName(QString::fromStdString(finding.title));
    frameIn(style::paper().line);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(style::space / 2);
    column->addWidget(line(headOf(number, finding), style::text()));
    column->addWidget(line(escaped(report::sentence(finding.verdict)), style::text()));
    for (const findings::Sentence& detail : finding.details) column->addWidget(line(escaped(report::sentence(detail)), style::note()));
    if (const QString evidence = evidenceOf(finding); !evidence.isEmpty()) {
        QLabel* links = line(evidence, style::note());
        connect(links, &QLabel::linkActivated, this, [this](const QString& link) { emit evidencePicked(link.toULongLong()); });
        column->addWidget(links);
    }
    if (!finding.advice.empty()) column->addWidget(line("→ " + escaped(finding.advice), style::text()));
    if (!finding.toBeSure.empty()) column->addWidget(line("To be sure: " + escaped(finding.toBeSure), style::note()));
}

void FindingCard::frameIn(const QColor& colour)
{
    setStyleSheet(
        QString("#finding { background: %1; border: 1px solid %2; border-radius: 4px; } #finding QLabel { background: transparent; }")
            .arg(style::css(style::paper().raised), style::css(colour)));
}

void FindingCard::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) emit picked();
}

void FindingCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) return emit picked();
    QFrame::keyPressEvent(event);
}

void FindingCard::focusInEvent(QFocusEvent* event)
{
    frameIn(style::paper().accent);
    QFrame::focusInEvent(event);
}

void FindingCard::focusOutEvent(QFocusEvent* event)
{
    frameIn(style::paper().line);
    QFrame::focusOutEvent(event);
}

}  // namespace flowgauge::widgets
