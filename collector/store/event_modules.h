// SPDX-License-Identifier: MIT
#pragma once

struct sqlite3;
struct sqlite3_module;

namespace flowgauge::store {

/// Makes the virtual table `event` and the table-valued functions (`event_by_name`, `overlap`) known to a connection.
/// Throws Error.
void registerModules(sqlite3* database);

/// The events of the run, a row each: eponymous, read-only, no sorting, pushes kind, lane, counter, track, process, rank and
/// time down to the chunks. Columns: see EventField.
[[nodiscard]] const sqlite3_module* eventModule();

}  // namespace flowgauge::store
