// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace flowgauge::store {

class Statement;

/// An open SQLite file with our virtual tables registered. Throws Error with SQLite's own message and the file's path.
/// Knows nothing of runs: any SQLite file opens (RunStore checks whose it is). Create makes a file that was not there.
class Database {
public:
    enum class Mode { Read, Write, Create };
    Database(const std::filesystem::path& file, Mode mode);
    /// A connection that somebody else opened and closes: virtual tables read through it. Registers nothing.
    explicit Database(sqlite3* borrowed);
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    void execute(std::string_view sql);  ///< one or more statements without results
    [[nodiscard]] Statement prepare(std::string_view sql);
    [[nodiscard]] const std::filesystem::path& file() const;
    [[nodiscard]] sqlite3* handle();
    void interrupt();  ///< from any thread: the running statement ends with an Error

private:
    std::filesystem::path m_file;
    sqlite3* m_handle = nullptr;
    bool m_owned = true;
};

/// A prepared statement. `while (statement.step()) use(statement.integer(0));`
class Statement {
public:
    Statement(Database& database, std::string_view sql);
    Statement(Statement&& other) noexcept;
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement();

    Statement& bind(int parameter, std::int64_t value);  ///< parameters count from 1; reset() keeps bindings
    Statement& bind(int parameter, double value);
    Statement& bind(int parameter, std::string_view text);
    Statement& bind(int parameter, std::span<const std::uint8_t> blob);
    /// Without a copy: the bytes have to stay until the next run(), bind or reset.
    Statement& bindBorrowed(int parameter, std::span<const std::uint8_t> blob);
    Statement& bindNull(int parameter);
    bool step();  ///< true: a row is there
    void run();   ///< step to the end, then reset
    void reset();

    [[nodiscard]] bool onlyReads() const;  ///< false: it would change the file (a PRAGMA that sets something too)
    [[nodiscard]] int columns() const;
    [[nodiscard]] std::string columnName(int column) const;
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;
    [[nodiscard]] std::span<const std::uint8_t> blob(int column) const;  ///< valid until the next step

private:
    Statement& check(int status);  ///< throws on anything but SQLITE_OK
    Database* m_database;
    sqlite3_stmt* m_statement = nullptr;
};

/// Undone unless committed.
class Transaction {
public:
    explicit Transaction(Database& database);
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction();
    void commit();

private:
    Database& m_database;
    bool m_open = true;
};

}  // namespace flowgauge::store
