// SPDX-License-Identifier: MIT
#include "collector/foreign/nsight_tables.h"

#include "collector/foreign/microseconds.h"
#include "collector/record/error.h"

namespace flowgauge::foreign {
namespace {

constexpr std::int64_t knownMajor = 3;

std::string versionOf(store::Database& database)
{
    store::Statement find = database.prepare(
        "SELECT value FROM META_DATA_EXPORT WHERE name IN ('EXPORT_SCHEMA_VERSION', 'EXPORT_SCHEMA_VERSION_MAJOR') ORDER BY length(name)");
    return find.step() ? find.text(0) : "";
}

}  // namespace

NsightTables::NsightTables(const std::filesystem::path& file) : m_database(file, store::Database::Mode::Read)
{
    store::Statement all = m_database.prepare("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')");
    while (all.step()) m_tables.insert(all.text(0));
    if (!m_tables.contains("META_DATA_EXPORT") || !m_tables.contains("StringIds"))
        throw Error(file.string(), "is SQLite, but no export of Nsight Systems (it has no META_DATA_EXPORT or no StringIds)");
    m_version = versionOf(m_database);
    if (numberIn(m_version) != knownMajor)
        throw Error(file.string(), "export schema ", m_version.empty() ? "of no version" : m_version, "; this build reads 3.x");
}

std::optional<std::string> NsightTables::table(std::string_view name) const
{
    for (const std::string_view suffix : {"", "_V3", "_V2", "_V1"})
        if (const auto found = m_tables.find(std::string(name) + std::string(suffix)); found != m_tables.end()) return *found;
    return std::nullopt;
}

std::string NsightTables::column(std::string_view table, std::initializer_list<std::string_view> names, std::string_view otherwise)
{
    const auto [known, isNew] = m_columns.try_emplace(std::string(table));
    if (isNew) {
        store::Statement info = m_database.prepare("SELECT name FROM pragma_table_info(?1)");
        info.bind(1, table);
        while (info.step()) known->second.insert(info.text(0));
    }
    for (const std::string_view name : names)
        if (known->second.contains(name)) return std::string(name);
    return std::string(otherwise);
}

std::string NsightTables::textOf(std::int64_t id)
{
    store::Statement find = m_database.prepare("SELECT value FROM StringIds WHERE id = ?1");
    find.bind(1, id);
    return find.step() ? find.text(0) : "";
}

std::int64_t NsightTables::rows(std::string_view name)
{
    const auto found = table(name);
    if (!found) return 0;
    store::Statement count = m_database.prepare("SELECT count(*) FROM " + *found);
    return count.step() ? count.integer(0) : 0;
}

std::int64_t NsightTables::startUnixNs()
{
    const auto found = table("TARGET_INFO_SESSION_START_TIME");
    if (!found) return 0;
    store::Statement find = m_database.prepare("SELECT " + column(*found, {"utcEpochNs"}) + " FROM " + *found);
    return find.step() ? find.integer(0) : 0;
}

std::string NsightTables::host()
{
    const auto found = table("TARGET_INFO_SYSTEM_ENV");
    if (!found) return "";
    store::Statement find = m_database.prepare("SELECT value FROM " + *found + " WHERE name = 'Hostname'");
    return find.step() ? find.text(0) : "";
}

}  // namespace flowgauge::foreign
