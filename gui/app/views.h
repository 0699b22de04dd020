// SPDX-License-Identifier: MIT
#pragma once
#include "gui/widgets/view.h"

#include <span>

namespace flowgauge::app {

/// One tab. Adding a view is a class and a row in views.cpp.
struct ViewRow {
    const char* id;        ///< as in --view and in the names of screenshots
    const char* title;     ///< of the tab: one word
    const char* question;  ///< that the view answers; its tool tip
    widgets::View* (*make)(const widgets::ViewContext& context);
};

/// In the order of the tabs.
[[nodiscard]] std::span<const ViewRow> views();

}  // namespace flowgauge::app
