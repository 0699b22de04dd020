// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log/log_account.h"

#include <span>
#include <string_view>

namespace flowgauge::facts {

/// Reads the output of one kind of training program. Adding one is a file with its function and a row in readers.cpp.
struct LogReader {
    std::string_view name;
    std::string_view marks;  ///< words of which a line has to hold one, separated by |: spares the reader all other lines
    void (*read)(const LogPiece& piece, LogAccount& into);  ///< puts what it understands, its format's name first
};

/// Most trusted first: where two tell epochs or evaluations, the first one counts.
[[nodiscard]] std::span<const LogReader> logReaders();

void readMlperf(const LogPiece& piece, LogAccount& into);
void readMlperfFreeForm(const LogPiece& piece, LogAccount& into);
void readSpeedometer(const LogPiece& piece, LogAccount& into);
void readTfCnnBenchmarks(const LogPiece& piece, LogAccount& into);
void readHorovod(const LogPiece& piece, LogAccount& into);
void readDlloggerText(const LogPiece& piece, LogAccount& into);
void readDlloggerJson(const LogPiece& piece, LogAccount& into);
void readPytorchExamples(const LogPiece& piece, LogAccount& into);
void readTimm(const LogPiece& piece, LogAccount& into);
void readKeras(const LogPiece& piece, LogAccount& into);
void readLightning(const LogPiece& piece, LogAccount& into);

}  // namespace flowgauge::facts
