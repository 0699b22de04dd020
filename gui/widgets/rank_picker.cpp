// SPDX-License-Identifier: MIT
#include "gui/widgets/rank_picker.h"

#include "analyzer/report/units.h"

#include <algorithm>

namespace flowgauge::widgets {

RankPicker::RankPicker(Navigator& navigator, QWidget* parent) : QComboBox(parent), m_navigator(navigator)
{
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setAccessibleName(tr("Ranks"));
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (index == 0) m_navigator.setRanks({});
        if (index > 0 && static_cast<std::size_t>(index) <= m_ranks.size())
            m_navigator.setRanks({m_ranks[static_cast<std::size_t>(index - 1)]});
    });
    connect(&navigator, &Navigator::changed, this, &RankPicker::follow);
}

void RankPicker::setRanks(const std::vector<int>& ranks)
{
    m_ranks = ranks;
    clear();
    addItem(tr("all ranks"));
    for (const int rank : ranks) addItem(QString::fromStdString(report::ranks({rank})));
    follow();
}

/// Several ranks, chosen elsewhere, are a line of their own for as long as they are shown.
void RankPicker::follow()
{
    const std::vector<int>& shown = m_navigator.state().ranks;
    while (count() > static_cast<int>(m_ranks.size()) + 1) removeItem(count() - 1);
    if (shown.empty()) return setCurrentIndex(0);
    const auto found = std::find(m_ranks.begin(), m_ranks.end(), shown.front());
    if (shown.size() == 1 && found != m_ranks.end()) return setCurrentIndex(static_cast<int>(found - m_ranks.begin()) + 1);
    addItem(QString::fromStdString(report::ranks(shown)));
    setCurrentIndex(count() - 1);
}

}  // namespace flowgauge::widgets
