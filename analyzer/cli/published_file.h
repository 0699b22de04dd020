// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/study/published.h"

#include <string>

namespace flowgauge::cli {

/// Reads a file as samples/studies/first_published.json. Throws Error (file, key, expected) for one that is none.
[[nodiscard]] study::Published readPublished(const std::string& file);

/// Bytes a second of "100Gb/s" (bits) or "12.5GB/s" (bytes), as network and storage people write them. Throws Error naming `where`.
[[nodiscard]] double speedOf(const std::string& where, const std::string& text);

}  // namespace flowgauge::cli
