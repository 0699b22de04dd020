// SPDX-License-Identifier: MIT
#include "collector/store/event_modules.h"

#include "collector/record/error.h"
#include "collector/store/event_by_name.h"
#include "collector/store/overlap.h"
#include "collector/store/sqlite.h"

namespace flowgauge::store {

namespace {

void add(sqlite3* database, const char* name, const sqlite3_module* module, const TableFunction* function)
{
    // SQLite hands the function back to xConnect; it never writes through the pointer.
    auto* data = const_cast<TableFunction*>(function);
    if (sqlite3_create_module_v2(database, name, module, data, nullptr) != SQLITE_OK)
        throw Error(name, "cannot be registered: ", sqlite3_errmsg(database));
}

}  // namespace

void registerModules(sqlite3* database)
{
    add(database, "event", eventModule(), nullptr);
    for (const TableFunction* function : {&eventByName, &overlap}) add(database, function->name, tableFunctionModule(), function);
}

}  // namespace flowgauge::store
