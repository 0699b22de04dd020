// SPDX-License-Identifier: MIT
#include "gui/app/welcome_page.h"

#include "gui/app/recent_runs.h"
#include "gui/style/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace flowgauge::app {

namespace {

QLabel* line(const QString& text, const QFont& font)
{
    auto* label = new QLabel(text);
    label->setFont(font);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QPushButton* link(const QString& text)
{
    auto* button = new QPushButton(text);
    button->setFlat(true);
    button->setCursor(Qt::PointingHandCursor);
    button->setStyleSheet("text-align: left; padding: 4px 0; border: none; color: palette(link)");
    return button;
}

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent), m_problem(line({}, style::text())), m_recent(new QVBoxLayout)
{
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addLayout(buildText(), 3);
    row->addStretch(1);
    auto* page = new QVBoxLayout(this);
    page->addStretch(1);
    page->addLayout(row);
    page->addStretch(2);
    m_problem->hide();
    showRecent();
}

QLayout* WelcomePage::buildText()
{
    auto* column = new QVBoxLayout;
    column->addWidget(line(tr("Where did the time of a training job go?"), style::title()));
    column->addWidget(m_problem);
    column->addSpacing(style::margin);
    column->addLayout(buildButtons());
    column->addWidget(line(tr("Or drop one here. A run is what `flowgauge run -o RUN -- your job` has written."), style::note()));
    column->addSpacing(style::margin);
    column->addLayout(m_recent);
    return column;
}

QLayout* WelcomePage::buildButtons()
{
    auto* buttons = new QHBoxLayout;
    auto* folder = new QPushButton(tr("Open a run's folder…"));
    auto* file = new QPushButton(tr("Open a run.db…"));
    folder->setDefault(true);
    buttons->addWidget(folder);
    buttons->addWidget(file);
    buttons->addStretch();
    connect(folder, &QPushButton::clicked, this, &WelcomePage::openFolder);
    connect(file, &QPushButton::clicked, this, &WelcomePage::openFile);
    return buttons;
}

void WelcomePage::showRecent()
{
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const QStringList runs = recentRuns();
    if (!runs.isEmpty()) m_recent->addWidget(line(tr("Recent"), style::note()));
    for (const QString& run : runs) {
        QPushButton* button = link(QFileInfo(run).fileName() + "    " + QDir::toNativeSeparators(run));
        connect(button, &QPushButton::clicked, this, [this, run] { emit openRun(run); });
        m_recent->addWidget(button);
    }
}

void WelcomePage::showProblem(const QString& path, const QString& why)
{
    m_problem->setVisible(!why.isEmpty());
    m_problem->setText(tr("%1 cannot be shown.\n%2").arg(QFileInfo(path).fileName(), why));
    m_problem->setForegroundRole(style::warningRole);
}

}  // namespace flowgauge::app
