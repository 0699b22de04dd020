// SPDX-License-Identifier: MIT
#pragma once
#include "gui/models/table_model.h"

#include <QWidget>

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace flowgauge::widgets {

/// A table under its question: sorted by a click on a head, copied with the keys for it.
class TablePanel : public QWidget {
    Q_OBJECT
public:
    TablePanel(const QString& question, std::vector<models::Column> columns, QWidget* parent = nullptr);
    void setColumns(std::vector<models::Column> columns);
    void setRows(std::vector<std::vector<models::Cell>> rows);
    void setNote(const QString& note);  ///< one line below the question; shown instead of the table where there are no rows
    void setQuestion(const QString& question);
    [[nodiscard]] models::TableModel& model() { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QString csv() const { return m_model->csv(); }
    void sortBy(int column, Qt::SortOrder order);

signals:
    void picked(int row);  ///< as in setRows, however the table is sorted

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void layOut();
    void fitColumns();
    models::TableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QLabel *m_question, *m_note;
    QTableView* m_table;
};

}  // namespace flowgauge::widgets
