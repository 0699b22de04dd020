// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log/log_account.h"

#include <nlohmann/json_fwd.hpp>

namespace flowgauge::facts {

/// One MLPerf log line of any round, in the words of the latest.
struct MlperfEvent {
    std::string_view key;
    const nlohmann::json& value;
    const nlohmann::json& metadata;
    std::int64_t firstEpoch = 1;   ///< what the round counts epochs from
    bool perProcessBatch = false;  ///< the round's batch size may be one process's
    Nanos at = -1;                 ///< run time
    bool stamped = false;          ///< it has a time of its own
};

void takeMlperf(const MlperfEvent& event, LogAccount& into);

}  // namespace flowgauge::facts
