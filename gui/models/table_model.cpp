// SPDX-License-Identifier: MIT
#include "gui/models/table_model.h"

namespace flowgauge::models {

TableModel::TableModel(std::vector<Column> columns, QObject* parent) : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

void TableModel::setRows(std::vector<std::vector<Cell>> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void TableModel::setColumns(std::vector<Column> columns)
{
    beginResetModel();
    m_rows.clear();
    m_columns = std::move(columns);
    endResetModel();
}

QString csvField(const QString& text)
{
    if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n') && !text.contains(u'\r')) return text;
    return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString TableModel::csv() const
{
    QStringList lines;
    QStringList fields;
    for (const Column& column : m_columns) fields += csvField(column.title);
    lines += fields.join(u',');
    for (const auto& row : m_rows) {
        fields.clear();
        for (const Cell& cell : row) fields += csvField(cell.value.isValid() ? cell.value.toString() : cell.text);
        lines += fields.join(u',');
    }
    return lines.join(u'\n') + u'\n';
}

int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

int TableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_columns.size()); }

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    const auto row = static_cast<std::size_t>(index.row());
    const auto column = static_cast<std::size_t>(index.column());
    if (!index.isValid() || row >= m_rows.size() || column >= m_rows[row].size()) return {};
    const Cell& cell = m_rows[row][column];
    if (role == Qt::DisplayRole) return cell.text;
    if (role == Qt::ToolTipRole && !cell.tip.isEmpty()) return cell.tip;
    if (role == sortRole) return cell.value.isValid() ? cell.value : QVariant(cell.text);
    if (role == Qt::TextAlignmentRole && m_columns[column].figures) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || static_cast<std::size_t>(section) >= m_columns.size()) return {};
    const Column& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole) return column.hint;
    if (role == Qt::TextAlignmentRole) return QVariant((column.figures ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

}  // namespace flowgauge::models
