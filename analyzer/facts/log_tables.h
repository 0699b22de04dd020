// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log_facts.h"
#include "collector/store/database.h"

namespace flowgauge::facts {

/// Writes the tables log_value, log_rate and evaluation in place of what they hold. Inside the caller's transaction.
void writeLog(store::Database& database, const LogFacts& log);

}  // namespace flowgauge::facts
