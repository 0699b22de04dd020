// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/network_data.h"
#include "gui/widgets/view.h"

#include <QTimer>

class QComboBox;

namespace flowgauge::widgets {

class ChartWidget;
class GridWidget;
class TablePanel;

/// "What went over the network, what for, and who waited?" All of it of the shared window.
class NetworkView : public View {
    Q_OBJECT
public:
    explicit NetworkView(const ViewContext& context);
    void setRun(const load::RunPtr& run) override;
    [[nodiscard]] QString csv() const override;
    [[nodiscard]] bool isSettled() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What one pass over the store finds out.
    struct Figures {
        load::NetworkFlow flow;
        std::vector<facts::CollectiveFigures> collectives;
        load::RankMatrix matrix;
    };
    void build();
    void follow();
    void ask();
    void showFigures();
    void showFlow();
    void fillHosts();

    load::RunPtr m_run;
    Figures m_figures;
    Interval m_window;
    load::Cancel m_asked;
    bool m_stale = true;
    QTimer m_calm;
    QComboBox* m_host;
    ChartWidget *m_received, *m_sent;
    TablePanel *m_collectives, *m_ports;
    GridWidget* m_matrix;
};

}  // namespace flowgauge::widgets
