// SPDX-License-Identifier: MIT
#include "analyzer/cli/rows.h"

#include "analyzer/report/lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <ostream>
#include <string>
#include <vector>

namespace flowgauge::cli {
namespace {

using Row = std::vector<std::string>;

Row headerOf(const store::Statement& statement)
{
    Row names;
    for (int i = 0; i < statement.columns(); ++i) names.push_back(statement.columnName(i));
    return names;
}

/// NULL is an empty cell.
Row valuesOf(const store::Statement& statement)
{
    Row values;
    for (int i = 0; i < statement.columns(); ++i) values.push_back(statement.isNull(i) ? "" : statement.text(i));
    return values;
}

void printLine(const Row& row, const std::vector<int>& widths, std::ostream& out)
{
    for (std::size_t i = 0; i < row.size(); ++i)
        out << (i == 0 ? "" : "  ") << (i + 1 < row.size() ? report::padded(row[i], widths[i]) : row[i]);
    out << '\n';
}

void printTable(store::Statement& statement, std::ostream& out)
{
    constexpr std::size_t lookAhead = 1000;
    std::vector<Row> rows{headerOf(statement)};
    while (rows.size() <= lookAhead && statement.step()) rows.push_back(valuesOf(statement));
    std::vector<int> widths(rows.front().size());
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], report::columnsOf(row[i]));
    for (const Row& row : rows) printLine(row, widths, out);
    if (rows.size() <= lookAhead) return;
    while (statement.step()) printLine(valuesOf(statement), widths, out);
}

/// RFC 4180: quoted where a comma, a quote or a line break stands in it.
void printCsv(const Row& row, std::ostream& out)
{
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) out << ',';
        if (row[i].find_first_of(",\"\r\n") == std::string::npos) {
            out << row[i];
            continue;
        }
        out << '"';
        for (const char letter : row[i]) out << (letter == '"' ? "\"\"" : std::string(1, letter));
        out << '"';
    }
    out << '\n';
}

/// SQLite's numbers stay numbers. A text that reads like a plain number cannot be told from one here; it is one, too.
nlohmann::ordered_json valueOf(const store::Statement& statement, int column)
{
    if (statement.isNull(column)) return nullptr;
    const std::string text = statement.text(column);
    std::int64_t whole = 0;
    const char* end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end) return whole;
    double real = 0;
    if (const auto read = std::from_chars(text.data(), end, real); read.ec == std::errc() && read.ptr == end) return real;
    return text;
}

void printJson(store::Statement& statement, std::ostream& out)
{
    const Row names = headerOf(statement);
    out << '[';
    for (bool first = true; statement.step(); first = false) {
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < names.size(); ++i) object[names[i]] = valueOf(statement, static_cast<int>(i));
        out << (first ? "\n" : ",\n") << object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    }
    out << "\n]\n";
}

}  // namespace

void printRows(store::Statement& statement, RowFormat format, std::ostream& out)
{
    if (format == RowFormat::Table) return printTable(statement, out);
    if (format == RowFormat::Json) return printJson(statement, out);
    printCsv(headerOf(statement), out);
    while (statement.step()) printCsv(valuesOf(statement), out);
}

}  // namespace flowgauge::cli
