// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/described.h"
#include "gui/load/sql_data.h"
#include "gui/widgets/view.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace flowgauge::widgets {

class TablePanel;

/// A console on run.db: what can be asked, questions asked before, and the answer as a table.
class SqlView : public View {
    Q_OBJECT
public:
    explicit SqlView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;

    void ask(const QString& sql);  ///< writes it into the editor and runs it
    static constexpr std::size_t mostRows = 10'000;

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;  ///< Ctrl+Return in the editor runs

private:
    void build();
    QWidget* buildConsole();
    void run();
    void offer();  ///< a question that the run has an answer to, and its answer
    void begin();  ///< what is to be seen first
    void cancel();
    void showAnswer(const load::SqlAnswer& answer);
    void showObjects(const std::vector<facts::DescribedObject>& objects);
    void remember(const QString& sql);
    void showTime(std::size_t row);
    void say(const QString& text, bool problem);

    load::RunPtr m_run;
    load::Cancel m_asked;
    std::vector<std::optional<Interval>> m_times;  ///< of the answer's rows, where they have one
    bool m_listed = false, m_answered = false;
    QString m_offered;  ///< as it was written into the editor; a user's own question is left alone
    QTreeWidget* m_objects;
    QPlainTextEdit* m_editor;
    QComboBox* m_history;
    QPushButton *m_runButton, *m_cancelButton;
    QLabel* m_said;
    TablePanel* m_table;
};

}  // namespace flowgauge::widgets
