// SPDX-License-Identifier: MIT
#include "gui/widgets/table_panel.h"

#include "gui/models/measure.h"
#include "gui/style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>

#include <map>

namespace flowgauge::widgets {

namespace {

constexpr int widestColumn = 420;

void dress(QTableView& table)
{
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSortingEnabled(true);
    table.setShowGrid(false);
    table.setAlternatingRowColors(true);
    table.viewport()->setBackgroundRole(QPalette::Window);  // beside and below the rows there is only the page
    table.setWordWrap(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(QFontMetrics(style::text()).height() + 6);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
}

}  // namespace

TablePanel::TablePanel(const QString& question, std::vector<models::Column> columns, QWidget* parent)
    : QWidget(parent),
      m_model(new models::TableModel(std::move(columns), this)),
      m_sorted(new QSortFilterProxyModel(this)),
      m_question(new QLabel(question)),
      m_note(new QLabel),
      m_table(new QTableView)
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(models::TableModel::sortRole);
    m_table->setModel(m_sorted);
    dress(*m_table);
    layOut();
    const auto pick = [this](const QModelIndex& index) { emit picked(m_sorted->mapToSource(index).row()); };
    connect(m_table, &QTableView::clicked, this, pick);
    connect(m_table, &QTableView::activated, this, pick);
}

void TablePanel::layOut()
{
    m_question->setFont(style::title());
    m_note->setFont(style::note());
    m_note->setWordWrap(true);
    m_note->setForegroundRole(style::faintRole);
    m_note->hide();
    m_question->setVisible(!m_question->text().isEmpty());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_question);
    column->addWidget(m_note);
    column->addWidget(m_table, 1);
}

void TablePanel::setQuestion(const QString& question) { m_question->setText(question); }

void TablePanel::setColumns(std::vector<models::Column> columns)
{
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);  // another table: its columns mean something else
    m_model->setColumns(std::move(columns));
}

void TablePanel::setRows(std::vector<std::vector<models::Cell>> rows)
{
    m_model->setRows(std::move(rows));
    fitColumns();
}

void TablePanel::fitColumns()
{
    m_table->resizeColumnsToContents();
    for (int i = 0; i < m_model->columnCount(); ++i)
        m_table->setColumnWidth(i, std::min(m_table->columnWidth(i) + style::space, widestColumn));
}

void TablePanel::setNote(const QString& note)
{
    m_note->setText(models::unbroken(note));
    m_note->setVisible(!note.isEmpty());
}

void TablePanel::sortBy(int column, Qt::SortOrder order) { m_table->sortByColumn(column, order); }

void TablePanel::keyPressEvent(QKeyEvent* event)
{
    if (!event->matches(QKeySequence::Copy)) return QWidget::keyPressEvent(event);
    std::map<int, QStringList> lines;
    for (const QModelIndex& index : m_table->selectionModel()->selectedIndexes()) lines[index.row()] += index.data().toString();
    QStringList text;
    for (const auto& [row, cells] : lines) text += cells.join('\t');
    QApplication::clipboard()->setText(text.join('\n'));
}

}  // namespace flowgauge::widgets
