// SPDX-License-Identifier: MIT
#include "collector/store/database.h"

#include "collector/record/error.h"
#include "collector/store/event_modules.h"
#include "collector/store/sqlite.h"

#include <utility>

namespace flowgauge::store {

namespace {

int openFlags(Database::Mode mode)
{
    switch (mode) {
        case Database::Mode::Read:
            return SQLITE_OPEN_READONLY;
        case Database::Mode::Write:
            return SQLITE_OPEN_READWRITE;
        case Database::Mode::Create:
            return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    }
    return SQLITE_OPEN_READONLY;
}

void checkPresence(const std::filesystem::path& file, Database::Mode mode)
{
    const bool there = std::filesystem::exists(file);
    if (mode == Database::Mode::Create && there)
        throw Error(file.string(), "exists already; expected a new file, remove it or choose another name");
    if (mode != Database::Mode::Create && !there) throw Error(file.string(), "no such file");
    if (there && std::filesystem::is_directory(file)) throw Error(file.string(), "is a directory, expected an SQLite file");
}

}  // namespace

Database::Database(const std::filesystem::path& file, Mode mode) : m_file(file)
{
    checkPresence(file, mode);
    const int status = sqlite3_open_v2(file.c_str(), &m_handle, openFlags(mode) | SQLITE_OPEN_NOMUTEX, nullptr);
    if (status != SQLITE_OK) {
        const std::string found = m_handle != nullptr ? sqlite3_errmsg(m_handle) : sqlite3_errstr(status);
        sqlite3_close(m_handle);
        throw Error(file.string(), "cannot be opened: ", found);
    }
    sqlite3_busy_timeout(m_handle, 10'000);
    registerModules(m_handle);
}

Database::Database(sqlite3* borrowed) : m_handle(borrowed), m_owned(false)
{
    const char* name = sqlite3_db_filename(borrowed, "main");
    m_file = name != nullptr ? name : "";
}

Database::Database(Database&& other) noexcept
    : m_file(std::move(other.m_file)), m_handle(std::exchange(other.m_handle, nullptr)), m_owned(other.m_owned)
{
}

Database& Database::operator=(Database&& other) noexcept
{
    std::swap(m_file, other.m_file);
    std::swap(m_handle, other.m_handle);
    std::swap(m_owned, other.m_owned);
    return *this;
}

Database::~Database()
{
    if (m_owned) sqlite3_close_v2(m_handle);
}

void Database::execute(std::string_view sql)
{
    char* message = nullptr;
    if (sqlite3_exec(m_handle, std::string(sql).c_str(), nullptr, nullptr, &message) == SQLITE_OK) return;
    const std::string found = message != nullptr ? message : sqlite3_errmsg(m_handle);
    sqlite3_free(message);
    throw Error(m_file.string(), found);
}

Statement Database::prepare(std::string_view sql) { return {*this, sql}; }

const std::filesystem::path& Database::file() const { return m_file; }

sqlite3* Database::handle() { return m_handle; }

void Database::interrupt() { sqlite3_interrupt(m_handle); }

}  // namespace flowgauge::store
