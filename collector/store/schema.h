// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"

#include <cstdint>

namespace flowgauge::store {

/// "FLOW" in the file's header: `file run.db` and we know a run from any other SQLite file.
inline constexpr std::int64_t applicationId = 0x464C4F57;

/// Raise it with every change of schema.sql or of a stored format that an older build would misread.
inline constexpr std::int64_t schemaVersion = 1;

/// Makes tables, views and their descriptions in an empty database.
void createSchema(Database& database);

/// Throws Error (path, expected, found, what to do) unless the file is a run of this schema.
void checkSchema(Database& database);

}  // namespace flowgauge::store
