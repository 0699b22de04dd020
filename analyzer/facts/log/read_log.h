// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/epochs.h"
#include "analyzer/facts/log_facts.h"

#include <string>
#include <vector>

namespace flowgauge::facts {

/// What was printed, and when it was printed (run time; -1: unknown).
struct PrintedLine {
    Nanos at = -1;
    std::string text;
};

/// What a job's output tells. recorded: the part of the run in which ranks were recorded; empty: the log is all there is.
/// Never throws for what it cannot read: such lines tell nothing.
[[nodiscard]] LogFacts readLog(const std::vector<PrintedLine>& lines, Nanos zeroUnixNs, Interval recorded);

/// Gives each line of a log that nobody recorded the time that it tells itself, and lines without one that of the line before.
/// Times without a zone get the one that MLPerf lines beside them show, else UTC. Returns the Unix ns of the first time, which the
/// lines then count from; 0 where no line has any.
[[nodiscard]] Nanos timeLines(std::vector<PrintedLine>& lines);

/// The log's epochs as every rank lived them; blocks divided evenly. Empty where the log tells none in `recorded`.
[[nodiscard]] FoundEpochs epochsOfLog(const LogFacts& log, Interval recorded);

}  // namespace flowgauge::facts
