// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

/// The command line. Adding a command is one file, and a row in commands.cpp; help is printed from the rows.
namespace flowgauge::cli {

inline constexpr int exitOk = 0;
inline constexpr int exitFailure = 1;  ///< something went wrong on our side
inline constexpr int exitUsage = 2;    ///< what we were given cannot be used: an argument, a file, an incomplete run
inline constexpr int exitSlower = 3;   ///< compare --fail-slower: the gate is shut

/// What a command does, once its arguments are parsed. Returns the exit status; throws Error for what the user can mend.
using Action = std::function<int()>;

struct Command {
    const char* name;
    const char* sentence;
    Action (*describe)(CLI::App& command);  ///< declares the arguments; the action reads them when it is called
};

[[nodiscard]] std::span<const Command> commands();

/// The folder above bin/ in which this program lies: the build tree, or where it was installed.
[[nodiscard]] std::filesystem::path installedPrefix();

/// This program's version and those of the formats that it writes.
[[nodiscard]] std::string versionLine();

Action describeRun(CLI::App& command);
Action describeWatch(CLI::App& command);
Action describeReport(CLI::App& command);
Action describeCompare(CLI::App& command);
Action describeStudy(CLI::App& command);
Action describeQuery(CLI::App& command);
Action describeImport(CLI::App& command);
Action describeExport(CLI::App& command);
Action describeWhatIf(CLI::App& command);
Action describeImportLog(CLI::App& command);
Action describeCollect(CLI::App& command);
Action describeDoctor(CLI::App& command);
Action describeKinds(CLI::App& command);
Action describeVersion(CLI::App& command);

}  // namespace flowgauge::cli
