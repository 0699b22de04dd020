// SPDX-License-Identifier: MIT
#include "analyzer/open/keep_answers.h"

#include "collector/ingest/run_lock.h"
#include "collector/record/error.h"

#include <unistd.h>

namespace flowgauge::open {

bool keepAnswers(const std::filesystem::path& database, const facts::RunFacts& run, const std::vector<facts::FindingRow>& findings)
{
    if (::access(database.c_str(), W_OK) != 0) return false;
    try {
        const ingest::RunLock lock(database.has_parent_path() ? database.parent_path() : ".");
        store::Database written(database, store::Database::Mode::Write);  // not through RunStore: that begins a write-ahead log
        facts::writeSummary(written, run, findings);
        return true;
    } catch (const Error&) {
        return false;  // a read-only folder, or somebody else is writing it, perhaps on another host: the report does not depend on it
    }
}

}  // namespace flowgauge::open
