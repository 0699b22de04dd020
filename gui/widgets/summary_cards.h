// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/report/report.h"

#include <QFrame>
#include <QWidget>

namespace flowgauge::widgets {

/// Where the time of an average step went: one bar, its legend with figures below. The range over ranks stands in the legend.
class BreakdownBar : public QWidget {
    Q_OBJECT
public:
    explicit BreakdownBar(findings::Breakdown breakdown, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry {
        QRect box;
        QString text;
        findings::Part part;
    };
    [[nodiscard]] std::vector<Entry> legend(int width) const;
    findings::Breakdown m_breakdown;
};

/// A finding: what, how much, where, what fixing it gains, the evidence as links, what to do.
class FindingCard : public QFrame {
    Q_OBJECT
public:
    FindingCard(std::size_t number, const findings::Finding& finding, QWidget* parent = nullptr);

signals:
    void picked();                       ///< the card was clicked, or Return pressed on it
    void evidencePicked(std::size_t i);  ///< one of its places was

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void frameIn(const QColor& colour);
};

}  // namespace flowgauge::widgets
