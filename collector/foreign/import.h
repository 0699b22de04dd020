// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/imported_file.h"
#include "collector/foreign/trace_reader.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace flowgauge::foreign {

enum class Format : std::uint8_t { ChromeTrace, NsightSqlite };

/// By the first bytes of the file: SQLite's header, or JSON (gzip or plain). Nothing for anything else; Error for what cannot be read.
[[nodiscard]] std::optional<Format> formatOf(const std::filesystem::path& file);

struct ImportOptions {
    std::vector<std::int64_t> ranks;  ///< one a file, where files do not say it or say it wrong; empty: they do
    bool hostFrames = false;          ///< PyTorch: operators and Python frames too
};

/// Makes the run `database` (it must not exist) of what other tools recorded, all files in one time. Nothing is left of it when a file is
/// bad. Throws Error: the file, what is wrong with it.
[[nodiscard]] std::vector<ImportedFile> importFiles(const std::vector<std::filesystem::path>& files, const std::filesystem::path& database,
                                                    const ImportOptions& options, const Progress& progress);

}  // namespace flowgauge::foreign
