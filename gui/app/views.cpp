// SPDX-License-Identifier: MIT
#include "gui/app/views.h"

#include "gui/widgets/epochs_view.h"
#include "gui/widgets/network_view.h"
#include "gui/widgets/scaling_view.h"
#include "gui/widgets/sql_view.h"
#include "gui/widgets/storage_view.h"
#include "gui/widgets/summary_view.h"
#include "gui/widgets/timeline_view.h"

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
    ViewRow{"timeline", "Timeline", "Where in time did it happen?", make<widgets::TimelineView>},
    ViewRow{"epochs", "Epochs", "Which epoch was slow, and where did its time go?", make<widgets::EpochsView>},
    ViewRow{"storage", "Storage", "What did storage serve, when, and how was it asked?", make<widgets::StorageView>},
    ViewRow{"network", "Network", "What went over the network, what for, and who waited?", make<widgets::NetworkView>},
    ViewRow{"scaling", "Scaling", "What does it cost to grow? This run beside others.", make<widgets::ScalingView>},
    ViewRow{"sql", "SQL", "What else is in the recording?", make<widgets::SqlView>},
};

}  // namespace

std::span<const ViewRow> views() { return rows; }

}  // namespace flowgauge::app
