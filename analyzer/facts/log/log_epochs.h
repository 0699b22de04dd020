// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log/log_account.h"

namespace flowgauge::facts {

/// The epochs that one reader saw. recorded: as for readLog.
struct EpochsOfAccount {
    std::vector<LogEpoch> epochs;  ///< in order of number
    Measured<std::int64_t> logged;
    bool fromEvaluations = false;
};
[[nodiscard]] EpochsOfAccount epochsOf(const LogAccount& account, Interval recorded);

}  // namespace flowgauge::facts
