// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/network.h"

#include <string>
#include <vector>

namespace flowgauge::report {

/// What the job's queue pairs counted, against others' and the port's, as a table, head first; the rest is counted in a last row. Empty
/// without any.
[[nodiscard]] std::vector<std::vector<std::string>> queuePairRows(const std::vector<findings::QueuePairRow>& counts, std::size_t most);

}  // namespace flowgauge::report
