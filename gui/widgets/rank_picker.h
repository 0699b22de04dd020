// SPDX-License-Identifier: MIT
#pragma once
#include "gui/widgets/navigator.h"

#include <QComboBox>

namespace flowgauge::widgets {

/// Chooses whose figures are shown: all ranks or one. Speaks to the navigator, so that all views follow.
class RankPicker : public QComboBox {
    Q_OBJECT
public:
    explicit RankPicker(Navigator& navigator, QWidget* parent = nullptr);
    void setRanks(const std::vector<int>& ranks);  ///< those of the run

private:
    void follow();
    Navigator& m_navigator;
    std::vector<int> m_ranks;
};

}  // namespace flowgauge::widgets
