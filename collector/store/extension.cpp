// SPDX-License-Identifier: MIT
// The loadable extension: only its entry point. SQLite looks for sqlite3_extension_init first, whatever the file is called.
#include "collector/store/event_modules.h"

#include <sqlite3ext.h>
#include <exception>

SQLITE_EXTENSION_INIT1

extern "C" __attribute__((visibility("default"))) int sqlite3_extension_init(sqlite3* database, char** message,
                                                                             const sqlite3_api_routines* api)
{
    SQLITE_EXTENSION_INIT2(api)
    try {
        flowgauge::store::registerModules(database);
        return SQLITE_OK;
    } catch (const std::exception& error) {
        *message = sqlite3_mprintf("%s", error.what());
        return SQLITE_ERROR;
    }
}
