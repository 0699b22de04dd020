// SPDX-License-Identifier: MIT
#pragma once
// The sources of this room are compiled twice: for our programs they call the SQLite library, for the loadable extension
// they call through the table of routines that the host hands over (its SQLite may be linked statically).
#ifdef FLOWGAUGE_SQLITE_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif
