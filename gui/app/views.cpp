// SPDX-License-Identifier: MIT
#include "gui/app/views.h"

#include "gui/widgets/summary_view.h"

#include <array>

namespace flowgauge::app {

namespace {

template <typename Class>
widgets::View* make(const widgets::ViewContext& context)
{
    return new Class(context);
}

constexpr std::array rows{
    ViewRow{"summary", "Summary", "What slowed the run, and what would it gain to fix it?", make<widgets::SummaryView>},
};

}  // namespace

std::span<const ViewRow> views() { return rows; }

}  // namespace flowgauge::app
