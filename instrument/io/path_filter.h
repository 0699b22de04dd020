// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string_view>

/// Which files are data, and which are the program's own code and the system's files. Works on the path alone, without a
/// system call and without memory of its own beyond a fixed table.
namespace flowgauge::io {

enum class PathClass { Data, Code, Ignored };

/// What a run adds to the built-in patterns. Patterns are colon separated. One without '/' is matched against the last
/// component of a path, one with '/' against the whole path; '*' stands for any characters, '/' included, '?' for one.
/// A pattern that begins with '/' and holds no '*' also matches everything below that folder.
struct PathRules {
    std::string_view code;                       ///< more program code and system files
    std::string_view data;                       ///< data, whatever the other patterns say
    std::array<std::string_view, 2> ourFolders;  ///< neither data nor code, with all below them; absolute
};

/// Copies the rules (at most 4,096 bytes of each are kept). Before the first classification; not while others classify.
void setPathRules(const PathRules& rules);

/// True when a rule can make data of what the built-in patterns call code. A relative path must then be completed first.
[[nodiscard]] bool hasDataRules();

/// The class of a path. A relative path is judged by its last component and the folders it names.
[[nodiscard]] PathClass classOfPath(std::string_view path);

/// True when the pattern fits the path; see PathRules.
[[nodiscard]] bool matchesPattern(std::string_view pattern, std::string_view path);

}  // namespace flowgauge::io
