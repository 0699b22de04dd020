// SPDX-License-Identifier: MIT
#include "collector/record/error.h"
#include "collector/store/database.h"
#include "collector/store/sqlite.h"

#include <utility>

namespace flowgauge::store {

Statement::Statement(Database& database, std::string_view sql) : m_database(&database)
{
    check(sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &m_statement, nullptr));
}

Statement::Statement(Statement&& other) noexcept : m_database(other.m_database), m_statement(std::exchange(other.m_statement, nullptr)) {}

Statement::~Statement() { sqlite3_finalize(m_statement); }

Statement& Statement::check(int status)
{
    if (status != SQLITE_OK) throw Error(m_database->file().string(), sqlite3_errmsg(m_database->handle()));
    return *this;
}

Statement& Statement::bind(int parameter, std::int64_t value) { return check(sqlite3_bind_int64(m_statement, parameter, value)); }

Statement& Statement::bind(int parameter, double value) { return check(sqlite3_bind_double(m_statement, parameter, value)); }

Statement& Statement::bind(int parameter, std::string_view text)
{
    const char* data = text.data() != nullptr ? text.data() : "";  // a null pointer would bind NULL
    return check(sqlite3_bind_text(m_statement, parameter, data, static_cast<int>(text.size()), SQLITE_TRANSIENT));
}

Statement& Statement::bind(int parameter, std::span<const std::uint8_t> blob)
{
    if (blob.empty()) return check(sqlite3_bind_zeroblob(m_statement, parameter, 0));
    return check(sqlite3_bind_blob(m_statement, parameter, blob.data(), static_cast<int>(blob.size()), SQLITE_TRANSIENT));
}

Statement& Statement::bindBorrowed(int parameter, std::span<const std::uint8_t> blob)
{
    return check(sqlite3_bind_blob(m_statement, parameter, blob.data(), static_cast<int>(blob.size()), SQLITE_STATIC));
}

Statement& Statement::bindNull(int parameter) { return check(sqlite3_bind_null(m_statement, parameter)); }

bool Statement::step()
{
    const int status = sqlite3_step(m_statement);
    if (status == SQLITE_ROW) return true;
    if (status == SQLITE_DONE) return false;
    check(status);
    return false;
}

void Statement::run()
{
    while (step()) {
    }
    reset();
}

bool Statement::onlyReads() const { return sqlite3_stmt_readonly(m_statement) != 0; }

void Statement::reset() { sqlite3_reset(m_statement); }

int Statement::columns() const { return sqlite3_column_count(m_statement); }

std::string Statement::columnName(int column) const { return sqlite3_column_name(m_statement, column); }

bool Statement::isNull(int column) const { return sqlite3_column_type(m_statement, column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_statement, column); }

double Statement::real(int column) const { return sqlite3_column_double(m_statement, column); }

std::string Statement::text(int column) const
{
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
    return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column)));
}

std::span<const std::uint8_t> Statement::blob(int column) const
{
    const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(m_statement, column));
    return {data, data == nullptr ? 0 : static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
}

}  // namespace flowgauge::store
