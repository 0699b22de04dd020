// SPDX-License-Identifier: MIT
#pragma once
#include "gui/state/view_state.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::state {

/// The command that reopens a run as it is shown now; quoted for a shell.
///
///     flowgauge-gui run1 --view timeline --window 8.412..8.54 --select 8.5..8.51 --ranks 0,3
[[nodiscard]] std::string commandLine(const std::string& run, const ViewState& state);

/// "12.5..30": seconds of run time, exact to the ns; none for what is no such piece of time or is empty.
[[nodiscard]] std::optional<Interval> parseWindow(std::string_view text);
[[nodiscard]] std::string windowText(Interval window);

/// "12.5,30": marks, in seconds of run time.
[[nodiscard]] std::optional<std::vector<Nanos>> parseMarks(std::string_view text);

/// "0,3,8-11", in order and each once; none for anything else.
[[nodiscard]] std::optional<std::vector<int>> parseRanks(std::string_view text);

}  // namespace flowgauge::state
