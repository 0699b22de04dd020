// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/snapshot.h"
#include "gui/timeline/row.h"
#include "gui/timeline/strip.h"

#include <string>
#include <vector>

namespace flowgauge::load {

/// A piece of an epoch, in every run the same: time 0 is where that epoch begins.
struct SideQuestion {
    std::int64_t epoch = 0;  ///< its number
    Interval window;         ///< empty: as long as the longest of the runs' epochs
    double widthPx = 1;
};

/// One of several runs side by side: lanes of its first rank, and what that rank's host moved.
struct SideRun {
    std::string name;
    Interval epoch;                       ///< in run time; empty: the run has no such epoch
    std::vector<timeline::Row> rows;      ///< empty without that epoch
    std::vector<timeline::Strip> strips;  ///< as rows, in run time
};

struct SideAnswer {
    SideQuestion question;             ///< with the window that is shown
    std::vector<std::int64_t> epochs;  ///< numbers that any of the runs has
    std::vector<SideRun> runs;
};

/// A run that is open.
struct OpenSide {
    store::RunStore* store;
    RunPtr run;
};
/// Runs without an analysis have no epoch. On a data thread.
[[nodiscard]] SideAnswer sideBySide(const std::vector<OpenSide>& runs, SideQuestion question);

}  // namespace flowgauge::load
