// SPDX-License-Identifier: MIT
#include "collector/store/table_function.h"

#include "collector/record/error.h"
#include "collector/store/virtual_table.h"

#include <limits>

namespace flowgauge::store {

namespace {

struct FunctionTable : VirtualTable {
    FunctionTable(sqlite3* connection, const TableFunction* called) : VirtualTable(connection), function(called) {}
    const TableFunction* function;
};

struct FunctionCursor : sqlite3_vtab_cursor {
    std::vector<Row> rows;
    std::size_t at = 0;
};

FunctionTable& tableOf(sqlite3_vtab* table) { return *static_cast<FunctionTable*>(table); }
FunctionCursor& cursorOf(sqlite3_vtab_cursor* cursor) { return *static_cast<FunctionCursor*>(cursor); }

// NOLINTNEXTLINE(readability-function-size): SQLite's own signature
int connect(sqlite3* connection, void* data, int /*arguments*/, const char* const* /*argument*/, sqlite3_vtab** table, char** /*message*/)
{
    const auto* function = static_cast<const TableFunction*>(data);
    const int status = sqlite3_declare_vtab(connection, function->declaration);
    if (status != SQLITE_OK) return status;
    *table = new (std::nothrow) FunctionTable(connection, function);
    return *table == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int disconnect(sqlite3_vtab* table)
{
    delete &tableOf(table);
    return SQLITE_OK;
}

/// idxNum: a bit per parameter that has a value, in the order of the values.
int bestIndex(sqlite3_vtab* table, sqlite3_index_info* info)
{
    const TableFunction& function = *tableOf(table).function;
    std::array<int, TableFunction::mostParameters> constraint{};
    constraint.fill(-1);
    for (int i = 0; i < info->nConstraint; ++i) {
        const int parameter = info->aConstraint[i].iColumn - function.columns;
        if (parameter < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (info->aConstraint[i].usable == 0) return SQLITE_CONSTRAINT;
        constraint[static_cast<std::size_t>(parameter)] = i;
    }
    int values = 0;
    for (std::size_t parameter = 0; parameter < constraint.size(); ++parameter) {
        if (constraint[parameter] < 0) continue;
        auto& usage = info->aConstraintUsage[constraint[parameter]];
        usage.argvIndex = ++values;
        usage.omit = 1;
        info->idxNum |= 1 << parameter;
    }
    info->estimatedCost = 1e6;
    info->estimatedRows = 1000;
    return SQLITE_OK;
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor)
{
    return guarded(table, [&] { *cursor = new FunctionCursor{}; });
}

int close(sqlite3_vtab_cursor* cursor)
{
    delete &cursorOf(cursor);
    return SQLITE_OK;
}

Cell cellOf(sqlite3_value* value)
{
    switch (sqlite3_value_type(value)) {
        case SQLITE_NULL:
            return {};
        case SQLITE_TEXT:
            return std::string(textOf(value));
        default:
            return static_cast<std::int64_t>(sqlite3_value_int64(value));
    }
}

int filter(sqlite3_vtab_cursor* cursor, int given, const char* /*plan*/, int /*values*/, sqlite3_value** value)
{
    return guarded(cursor->pVtab, [&] {
        FunctionTable& table = tableOf(cursor->pVtab);
        TableFunction::Arguments arguments;
        for (std::size_t parameter = 0; parameter < arguments.size(); ++parameter)
            if ((given >> parameter & 1) != 0) arguments[parameter] = cellOf(*value++);
        cursorOf(cursor).rows = table.function->answer(table.database, arguments);
        cursorOf(cursor).at = 0;
    });
}

int next(sqlite3_vtab_cursor* cursor)
{
    ++cursorOf(cursor).at;
    return SQLITE_OK;
}

int atEnd(sqlite3_vtab_cursor* cursor) { return cursorOf(cursor).at >= cursorOf(cursor).rows.size() ? 1 : 0; }

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index)
{
    const Row& row = cursorOf(cursor).rows[cursorOf(cursor).at];
    if (static_cast<std::size_t>(index) >= row.size()) return SQLITE_OK;
    const Cell& cell = row[static_cast<std::size_t>(index)];
    if (const auto* number = std::get_if<std::int64_t>(&cell)) sqlite3_result_int64(context, *number);
    if (const auto* text = std::get_if<std::string>(&cell)) resultText(context, *text);
    return SQLITE_OK;
}

int rowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id)
{
    *id = static_cast<sqlite3_int64>(cursorOf(cursor).at);
    return SQLITE_OK;
}

std::int64_t timeOf(const Cell& cell, std::int64_t otherwise)
{
    if (std::holds_alternative<std::monostate>(cell)) return otherwise;
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
    throw Error("time", "expected ns since meta.t_zero, found '", std::get<std::string>(cell), "'");
}

}  // namespace

std::optional<Interval> windowOf(const Cell& begin, const Cell& end)
{
    if (std::holds_alternative<std::monostate>(begin) && std::holds_alternative<std::monostate>(end)) return std::nullopt;
    return Interval{timeOf(begin, std::numeric_limits<Nanos>::min()), timeOf(end, std::numeric_limits<Nanos>::max())};
}

const sqlite3_module* tableFunctionModule()
{
    static const sqlite3_module module = [] {
        sqlite3_module made{};
        made.xConnect = connect;
        made.xBestIndex = bestIndex;
        made.xDisconnect = disconnect;
        made.xOpen = open;
        made.xClose = close;
        made.xFilter = filter;
        made.xNext = next;
        made.xEof = atEnd;
        made.xColumn = column;
        made.xRowid = rowId;
        return made;
    }();
    return &module;
}

}  // namespace flowgauge::store
