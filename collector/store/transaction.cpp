// SPDX-License-Identifier: MIT
#include "collector/store/database.h"
#include "collector/store/sqlite.h"

namespace flowgauge::store {

// IMMEDIATE: the second writer of a file is told at once, not in the middle of its work.
Transaction::Transaction(Database& database) : m_database(database) { m_database.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction()
{
    // A failed statement may have ended the transaction already; then there is nothing to undo and nobody to tell.
    if (m_open) sqlite3_exec(m_database.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit()
{
    m_database.execute("COMMIT");
    m_open = false;
}

}  // namespace flowgauge::store
