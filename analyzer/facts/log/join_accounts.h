// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log/log_account.h"

#include <span>

namespace flowgauge::facts {

/// One set of facts from what all readers understood; accounts in the order of logReaders(). recorded: as for readLog.
[[nodiscard]] LogFacts joinAccounts(std::span<const LogAccount> accounts, Interval recorded);

}  // namespace flowgauge::facts
