// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <string>

namespace flowgauge::remote {

/// The password of a source: the first line of `file`, else of the file that the variable NAME_FILE names, else the variable NAME; ""
/// where there is none. Both variables are gone afterwards, from the environment and from what /proc tells of it, so that
/// no child inherits them. Throws Error for a file that cannot be read, is empty, or may be read by others than its owner.
[[nodiscard]] std::string takeSecret(const std::filesystem::path& file, const std::string& name);

/// The variables go, unread.
void dropSecret(const std::string& name);

}  // namespace flowgauge::remote
