// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/study_data.h"
#include "gui/widgets/view.h"

class QComboBox;

namespace flowgauge::widgets {

/// Timelines of several runs below each other, as far as they have the chosen epoch: all on one axis that begins where it begins.
class SideBySide : public QWidget {
    Q_OBJECT
public:
    explicit SideBySide(const ViewContext& context, QWidget* parent = nullptr);
    /// runs: who has read these paths already.
    void setRuns(std::shared_ptr<load::StudyRuns> runs, std::vector<std::string> paths);
    void showEpoch(std::int64_t number);
    [[nodiscard]] const load::SideAnswer& answer() const { return m_answer; }
    [[nodiscard]] bool isSettled() const { return !load::isAwaited(m_asked); }
    [[nodiscard]] timeline::TimeScale scale() const;  ///< of the tracks; 0 is the epoch's begin

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void ask();
    void show(load::SideAnswer answer);
    void showWindow(Interval window);
    int paintRun(QPainter& painter, const load::SideRun& run, int y);
    [[nodiscard]] int heightOf(const load::SideRun& run) const;
    [[nodiscard]] Interval whole() const;  ///< as long as the longest of the epochs

    ViewContext m_context;
    std::shared_ptr<load::StudyRuns> m_runs;
    std::vector<std::string> m_paths;
    load::SideQuestion m_question;
    load::SideAnswer m_answer;
    load::Cancel m_asked;
    QComboBox* m_epoch;
};

}  // namespace flowgauge::widgets
