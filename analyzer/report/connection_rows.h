// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/network.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// The job's own TCP connections as a table, head first, a row a peer; the rest is counted in a last row. Empty without any.
[[nodiscard]] std::vector<std::vector<std::string>> connectionRows(const std::vector<findings::ConnectionRow>& connections,
                                                                   std::size_t most);
/// Those that moved a megabyte or more: launchers and stores of addresses talk all the time.
[[nodiscard]] std::vector<findings::ConnectionRow> worthALine(const std::vector<findings::ConnectionRow>& connections);

}  // namespace flowgauge::report
