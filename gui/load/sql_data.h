// SPDX-License-Identifier: MIT
#pragma once
#include "gui/load/data_thread.h"

#include <optional>
#include <string>
#include <vector>

namespace flowgauge::load {

/// What came of a user's own question.
struct SqlAnswer {
    std::vector<std::string> columns;
    std::vector<std::vector<std::optional<std::string>>> rows;  ///< NULL: none
    bool cut = false;                                           ///< there were more rows than asked for
    std::string error;                                          ///< why there is no answer, one line; "" when there is
    Nanos took = 0;
};

/// Runs one statement that only reads, up to so many rows. Ends soon after `cancel` is set, even inside a long step. Never throws: errors
/// are part of the answer.
[[nodiscard]] SqlAnswer answerTo(store::RunStore& store, const std::string& sql, std::size_t mostRows, const Cancel& cancel);

}  // namespace flowgauge::load
