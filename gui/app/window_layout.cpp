// SPDX-License-Identifier: MIT
// What stands where in the window.
#include "gui/app/main_window.h"
#include "gui/app/views.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QVBoxLayout>

namespace flowgauge::app {

namespace {

constexpr QSize usualSize{1440, 900};

QLabel* label(const QFont& font)
{
    auto* made = new QLabel;
    made->setFont(font);
    made->setTextFormat(Qt::PlainText);
    return made;
}

}  // namespace

void MainWindow::buildBar()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(style::margin, style::space, style::margin, 0);
    m_title = label(style::title());
    m_about = label(style::note());
    m_tabs = new QTabBar;
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    bar->addWidget(m_title);
    bar->addSpacing(style::margin);
    m_about->setMinimumWidth(0);
    m_about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bar->addWidget(m_about, 1);
    bar->addWidget(m_tabs);
    column->addLayout(bar);
    m_message = label(style::note());
    m_message->setContentsMargins(style::margin, style::space / 2, style::margin, style::space / 2);
    m_message->setWordWrap(true);
    m_message->setForegroundRole(style::warningRole);
    m_message->hide();
    column->addWidget(m_message);
    m_stack = new QStackedWidget;
    column->addWidget(m_stack, 1);
    m_pages->addWidget(page);
}

void MainWindow::buildViews()
{
    const widgets::ViewContext context{m_service, m_navigator};
    for (const ViewRow& row : app::views()) {
        widgets::View* view = row.make(context);
        view->setObjectName(row.id);
        view->setWindowTitle(row.question);
        m_views.push_back(view);
        m_stack->addWidget(view);
        m_tabs->setTabToolTip(m_tabs->addTab(row.title), row.question);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        if (tab >= 0) m_navigator.setView(app::views()[static_cast<std::size_t>(tab)].id);
    });
    connect(&m_navigator, &widgets::Navigator::changed, this, &MainWindow::follow);
}

void MainWindow::buildStatus()
{
    m_where = label(style::note());
    m_cost = label(style::note());
    m_where->setContentsMargins(style::margin, 0, 0, 0);
    m_cost->setContentsMargins(0, 0, style::margin, 0);
    m_progress = new QProgressBar;
    m_progress->setMaximumWidth(220);
    m_progress->setTextVisible(true);
    m_cancel = new QPushButton(tr("Cancel"));
    m_cancel->setFlat(true);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_where, 1);
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);
    statusBar()->addPermanentWidget(m_cost);
    m_progress->hide();
    m_cancel->hide();
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_service.cancel();
        m_reloading = false;
        showMessage(m_service.run() ? tr("Cancelled: findings are not computed. Reload to try again.") : QString());
        m_progress->hide();
        m_cancel->hide();
    });
}

/// As the user left the window, unless pictures are made of it: those are alike on every machine.
void MainWindow::restoreLayout(const Options& options)
{
    const QSize size = options.size.isValid() || !options.unattended() ? options.size : usualSize;
    const QByteArray geometry = QSettings().value("geometry").toByteArray();
    if (size.isValid())
        resize(size);
    else if (geometry.isEmpty() || !restoreGeometry(geometry))
        resize(usualSize);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    QSettings().setValue("geometry", saveGeometry());
    QMainWindow::closeEvent(event);
}

}  // namespace flowgauge::app
