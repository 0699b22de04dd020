// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/network.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// The ports as a table, head first, a row for each way; those that moved most are shown, in their order, the others counted in a last
/// row. Empty without any.
[[nodiscard]] std::vector<std::vector<std::string>> portRows(const findings::Network& network, std::size_t mostPorts);
/// The same of each epoch, all ports of a host together.
[[nodiscard]] std::vector<std::vector<std::string>> portEpochRows(const findings::Network& network);
/// What the GPUs' own links moved, head first, a row a link; the rest is counted in a last row. Empty without any.
[[nodiscard]] std::vector<std::vector<std::string>> gpuLinkRows(const findings::Network& network, std::size_t most);
/// Why a peak stands without a share of its link; else "".
[[nodiscard]] std::string linkNote(const findings::Network& network);

}  // namespace flowgauge::report
