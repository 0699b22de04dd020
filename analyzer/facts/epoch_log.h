// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/epochs.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::facts {

/// A line of an MLPerf log: `:::MLLOG {...}` (v0.7 and later), `:::MLL 1560888652.055 key: {...}` (v0.6),
/// `:::MLPv0.5.0 resnet 1541720418.77 (file:line) key: value` (v0.5). Anything may stand before and after.
struct LogLine {
    std::string key;
    std::int64_t unixNs = 0;            ///< 0: the line has no usable time
    std::optional<std::int64_t> epoch;  ///< epoch_num, or the value of train_epoch
    std::optional<double> value;
};

[[nodiscard]] std::optional<LogLine> parseLogLine(std::string_view text);

/// What was printed, and when it was printed (-1: unknown).
struct PrintedLine {
    Nanos at = -1;
    std::string text;
};

/// Epochs from epoch_start/epoch_stop, else from train_epoch. Every rank may print every line: the first start and the last stop
/// of a number count. Empty when the log does not tell, or when its lines were all written at the end of the run.
[[nodiscard]] FoundEpochs epochsOfLog(const std::vector<PrintedLine>& lines, Nanos zeroUnixNs, Interval run);

}  // namespace flowgauge::facts
