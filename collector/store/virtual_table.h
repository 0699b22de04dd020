// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"
#include "collector/store/sqlite.h"

#include <cstdint>
#include <exception>
#include <new>
#include <string_view>

namespace flowgauge::store {

/// A virtual table of ours: SQLite's part and the connection that it lives in.
struct VirtualTable : sqlite3_vtab {
    explicit VirtualTable(sqlite3* connection) : sqlite3_vtab{}, database(connection) {}
    Database database;
};

/// SQLite is C: no exception may cross into it. Runs `body` and turns what it throws into the table's message.
template <typename Body>
int guarded(sqlite3_vtab* table, const Body& body)
{
    try {
        body();
        return SQLITE_OK;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& error) {
        sqlite3_free(table->zErrMsg);
        table->zErrMsg = sqlite3_mprintf("%s", error.what());
        return SQLITE_ERROR;
    }
}

/// xConnect of a table whose columns are `declaration` (a CREATE TABLE without a name that matters).
inline int connectTable(sqlite3* connection, const char* declaration, sqlite3_vtab** table)
{
    const int status = sqlite3_declare_vtab(connection, declaration);
    if (status != SQLITE_OK) return status;
    *table = new (std::nothrow) VirtualTable(connection);
    return *table == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

inline int disconnectTable(sqlite3_vtab* table)
{
    delete static_cast<VirtualTable*>(table);
    return SQLITE_OK;
}

inline std::string_view textOf(sqlite3_value* value)
{
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text == nullptr ? std::string_view{} : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

/// Copies the text.
inline void resultText(sqlite3_context* context, std::string_view text)
{
    sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

}  // namespace flowgauge::store
