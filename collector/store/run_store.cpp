// SPDX-License-Identifier: MIT
#include "collector/store/run_store.h"

#include "collector/record/error.h"
#include "collector/store/run_store_state.h"
#include "collector/store/schema.h"
#include "collector/store/sqlite.h"

#include <ctime>

namespace flowgauge::store {

RunStore::State::State(Database opened) : database(std::move(opened))
{
    const auto onRollback = [](void* self) { static_cast<State*>(self)->forget(); };
    sqlite3_rollback_hook(database.handle(), onRollback, this);
    database.execute("PRAGMA cache_size = -16384");  // KiB; no mmap: it is no faster and makes memory look ten times larger
}

void RunStore::State::forget()
{
    nameIds.clear();
    nameTexts.clear();
    tracks.reset();
    pending.clear();
}

RunStore::RunStore(std::unique_ptr<State> state) : m_state(std::move(state)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

namespace {

/// A writer that was killed may have left a journal, and only a connection that may write can play it back. Where this one may
/// not, the read that follows says so. What another process is writing at this moment is left alone: SQLite's locks see to that.
void recover(const std::filesystem::path& file)
{
    std::error_code problem;
    const std::filesystem::path journal = file.native() + "-journal";
    if (!std::filesystem::exists(journal, problem)) return;
    try {
        Database database(file, Database::Mode::Write);
        (void)database.prepare("PRAGMA schema_version").step();
    } catch (const Error&) {  // told by the read that follows
    }
}

/// A reader may look on while we write, and a crash of the machine costs the last transaction at most, never the file.
void writeBesideReaders(Database& database) { database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"); }
/// The write-ahead log takes each page twice; a new file needs none.
void writeAlone(Database& database) { database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"); }

}  // namespace

RunStore RunStore::create(const std::filesystem::path& file, Nanos tZeroUnixNs)
{
    auto state = std::make_unique<State>(Database(file, Database::Mode::Create));
    state->database.execute("PRAGMA page_size = 4096");  // larger pages waste more behind each chunk
    writeAlone(state->database);
    RunStore store(std::move(state));
    Transaction transaction(store.database());
    createSchema(store.database());
    store.putMeta("t_zero", tZeroUnixNs);
    store.putMeta("created", static_cast<std::int64_t>(std::time(nullptr)));
    store.putMeta("schema", schemaVersion);
    store.putMeta("finalized", 0);
    transaction.commit();
    return store;
}

RunStore RunStore::openForWriting(const std::filesystem::path& file)
{
    Database database(file, Database::Mode::Write);
    checkSchema(database);  // before anything is changed: the file may be somebody else's
    writeBesideReaders(database);
    return RunStore(std::make_unique<State>(std::move(database)));
}

RunStore RunStore::openForReading(const std::filesystem::path& file)
{
    recover(file);
    Database database(file, Database::Mode::Read);
    checkSchema(database);
    return RunStore(std::make_unique<State>(std::move(database)));
}

void RunStore::settle()
{
    database().execute("PRAGMA synchronous = FULL");  // the change of the journal's mode is a commit, and brings the whole file to the disk
    writeBesideReaders(database());
}

Database& RunStore::database() { return m_state->database; }

void RunStore::putMeta(std::string_view key, std::int64_t value)
{
    database().prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)").bind(1, key).bind(2, value).run();
}

std::optional<std::int64_t> RunStore::meta(std::string_view key)
{
    Statement find = database().prepare("SELECT value FROM meta WHERE key = ?1");
    find.bind(1, key);
    if (!find.step() || find.isNull(0)) return std::nullopt;
    return find.integer(0);
}

void RunStore::putLedger(const LedgerRow& row)
{
    // NULLs are distinct to a UNIQUE constraint, so that an upsert would double rows without a process.
    Statement remove =
        database().prepare("DELETE FROM ledger WHERE host_id IS ?1 AND process_id IS ?2 AND what = ?3 AND state = ?4 AND reason = ?5");
    Statement put =
        database().prepare("INSERT INTO ledger (host_id, process_id, what, state, reason, amount) VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    for (Statement* statement : {&remove, &put}) {
        if (row.host != 0) statement->bind(1, row.host);
        if (row.process != 0) statement->bind(2, row.process);
        statement->bind(3, row.what).bind(4, row.state).bind(5, row.reason);
    }
    remove.run();
    put.bind(6, row.amount).run();
}

}  // namespace flowgauge::store
