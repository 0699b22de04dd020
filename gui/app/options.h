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
    QString screenshots;   ///< folder; "" shows the window instead
    bool measure = false;  ///< walk through the run and print how long that took
    QSize size;            ///< not valid: as the window was left, or the usual one
    style::Theme theme = style::Theme::System;
    bool themeGiven = false;

    [[nodiscard]] bool unattended() const { return measure || !screenshots.isEmpty(); }
};

struct Parsed {
    Options options;
    QString message;     ///< to print; "" when there is something to show
    int exitStatus = 0;  ///< when there is a message
};

[[nodiscard]] Parsed parse(const QStringList& arguments);

}  // namespace flowgauge::app
