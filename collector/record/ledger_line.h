// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

namespace flowgauge {

/// A line of the run's ledger travels through the spool as a text: "<mark><what>\t<state>\t<reason>". The mark says whose fact
/// it is: two processes that tell the same of their host tell it once.
inline constexpr std::string_view processFactMark = "ledger\t";
inline constexpr std::string_view hostFactMark = "ledger of the host\t";

}  // namespace flowgauge
