// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/database.h"

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace flowgauge::foreign {

/// An SQLite export of Nsight Systems, schema 3.x. Its tables exist only where they have rows, get a suffix (_V2) when they change,
/// and gain and lose columns between minor versions: nothing is asked for by name before it was found.
class NsightTables {
public:
    /// Throws Error for a file that is no such export, or one of another major version.
    explicit NsightTables(const std::filesystem::path& file);

    /// The table's name in this file; nothing where it is not there.
    [[nodiscard]] std::optional<std::string> table(std::string_view name) const;
    /// The first of the columns that the table has; `otherwise`, an SQL literal, where it has none of them.
    [[nodiscard]] std::string column(std::string_view table, std::initializer_list<std::string_view> names,
                                     std::string_view otherwise = "0");

    [[nodiscard]] store::Database& database() { return m_database; }
    [[nodiscard]] const std::string& version() const { return m_version; }
    [[nodiscard]] std::string textOf(std::int64_t id);       ///< of StringIds; "" where it has none
    [[nodiscard]] std::int64_t rows(std::string_view name);  ///< 0 where the table is not there
    [[nodiscard]] std::int64_t startUnixNs();                ///< of the session; 0 where it is not told
    [[nodiscard]] std::string host();

private:
    store::Database m_database;
    std::set<std::string, std::less<>> m_tables;
    std::map<std::string, std::set<std::string, std::less<>>, std::less<>> m_columns;
    std::string m_version;
};

}  // namespace flowgauge::foreign
