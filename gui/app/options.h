// SPDX-License-Identifier: MIT
#pragma once
#include "gui/state/view_state.h"
#include "gui/style/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>

namespace flowgauge::app {

/// What the command line asks for.
struct Options {
    QStringList runs;  ///< the first is opened; more are for comparing
    state::ViewState state;
    QString screenshots;  ///< folder; "" shows the window instead
    QSize size{1440, 900};
    style::Theme theme = style::Theme::System;
    bool themeGiven = false;
};

struct Parsed {
    Options options;
    QString message;     ///< to print; "" when there is something to show
    int exitStatus = 0;  ///< when there is a message
};

[[nodiscard]] Parsed parse(const QStringList& arguments);

}  // namespace flowgauge::app
