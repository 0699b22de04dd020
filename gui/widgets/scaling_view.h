// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/study_data.h"
#include "gui/widgets/view.h"

#include <QStringList>

class QGridLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QTabWidget;

namespace flowgauge::widgets {

class SideBySide;

/// "What does it cost to grow?" This run beside others: what `flowgauge study` says, in its words and numbers.
class ScalingView : public View {
    Q_OBJECT
public:
    explicit ScalingView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    void setOthers(const QStringList& runs) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;

    void addRun(const QString& path);
    [[nodiscard]] const report::Document& document() const { return m_answer.document; }
    [[nodiscard]] SideBySide& sides() { return *m_sides; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildRuns();
    void chooseRun();
    void removeRun();
    void listRuns();
    void ask();
    [[nodiscard]] std::vector<std::string> paths() const;
    void showAnswer();
    void showCharts();
    void showTables();
    void addTable(const report::Table& table, const QString& title);

    load::RunPtr m_run;
    QStringList m_others;
    std::shared_ptr<load::StudyRuns> m_runs = std::make_shared<load::StudyRuns>();
    load::StudyAnswer m_answer;
    load::Cancel m_asked;
    bool m_stale = true;
    QLabel *m_lead, *m_problem;
    QListWidget* m_list;
    QPushButton *m_add, *m_remove;
    QGridLayout *m_bars, *m_times;
    QTabWidget* m_tables;
    SideBySide* m_sides;
};

}  // namespace flowgauge::widgets
