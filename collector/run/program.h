// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace flowgauge::run {

/// A program as a shell would find it, and whether our library can be put in front of it.
struct Program {
    std::filesystem::path file;  ///< empty: not found
    int status = 0;              ///< 127 not found, 126 found and not executable, 0 fine
    std::string problem;         ///< one line when status is not 0
    std::string warning;         ///< why it cannot be recorded (static, setuid, another architecture); "" it can
};

/// Looks a word up: with a slash as a path, else along `searchPath` (the value of PATH).
[[nodiscard]] Program findProgram(const std::string& word, const std::string& searchPath);

}  // namespace flowgauge::run
