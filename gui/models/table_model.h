// SPDX-License-Identifier: MIT
#pragma once
#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

#include <vector>

namespace flowgauge::models {

/// A cell: what is read, and what it is sorted by.
struct Cell {
    QString text;
    QVariant value;  ///< a number where the text is one; the text itself otherwise
    QString tip = {};
};

struct Column {
    QString title;
    QString hint;         ///< one sentence: what the figures mean, their unit
    bool figures = true;  ///< right-aligned
};

/// A table that was computed elsewhere: columns, and rows of cells. Exports itself as CSV (raw values, not what is read).
class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit TableModel(std::vector<Column> columns, QObject* parent = nullptr);

    void setRows(std::vector<std::vector<Cell>> rows);
    void setColumns(std::vector<Column> columns);  ///< drops the rows
    [[nodiscard]] QString csv() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The role that a QSortFilterProxyModel sorts by.
    static constexpr int sortRole = Qt::UserRole + 1;

private:
    std::vector<Column> m_columns;
    std::vector<std::vector<Cell>> m_rows;
};

/// A CSV field, quoted where RFC 4180 wants it.
[[nodiscard]] QString csvField(const QString& text);

}  // namespace flowgauge::models
