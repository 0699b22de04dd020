// SPDX-License-Identifier: MIT
#include "collector/store/views.h"

#include "collector/store/kind_columns.h"

#include <algorithm>
#include <array>

namespace flowgauge::store {

namespace {

std::string typeSentence(std::string_view type)
{
    struct Meaning {
        std::string_view type, sentence;
    };
    static constexpr std::array meanings{
        Meaning{"name", "Text; NULL never, \"(name lost)\" where it was lost."},
        Meaning{"bytes", "Bytes."},
        Meaning{"result", "Bytes or another result; negative: -errno of the failed call."},
        Meaning{"count", "A count."},
        Meaning{"number", "A signed number."},
        Meaning{"flags", "Bits, as the call was given them."},
        Meaning{"comm", "Id of a communicator, equal on all its ranks."},
        Meaning{"rank", "A rank in the communicator; -1: none or unknown."},
        Meaning{"ticks", "A duration in ns."},
    };
    for (const Meaning& meaning : meanings)
        if (meaning.type == type) return std::string(meaning.sentence);
    return "";
}

/// The name that `event` decodes itself is the first; another one is looked up.
std::string argumentExpression(const KindRow& row, std::size_t argument)
{
    const std::string number = std::to_string(argument);
    if (argumentOf(row, argument).type != "name") return "arg" + number;
    if (nameArgument(row.kind) == argument) return "name";
    return "(SELECT text FROM name WHERE id = arg" + number + ")";
}

void create(Database& database, const std::string& name, const std::vector<ViewColumn>& columns, const std::string& from)
{
    std::string list;
    for (const ViewColumn& column : columns) list += (list.empty() ? "" : ", ") + column.expression + " AS \"" + column.name + "\"";
    database.execute("CREATE VIEW \"" + name + "\" AS SELECT " + list + " FROM " + from);
}

std::string_view shapeName(CounterShape shape)
{
    constexpr std::array<std::string_view, 3> names{"total", "gauge", "saturating"};
    return names[static_cast<std::size_t>(shape)];
}

void fillCounterKinds(Database& database)
{
    Statement put(database, "INSERT INTO counter_kind VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    for (const CounterRow& row : counterRows) {
        put.bind(1, row.sqlName).bind(2, familyName(row.family)).bind(3, unitName(row.unit)).bind(4, std::int64_t{row.scale});
        put.bind(5, shapeName(row.shape)).bind(6, std::int64_t{row.bits}).bind(7, row.sentence).run();
    }
}

}  // namespace

std::optional<std::vector<ViewColumn>> kindViewColumns(const KindRow& row)
{
    if (row.lane == Lane::Meta || row.lane == Lane::Counter || row.kind == Kind::Communicator) return std::nullopt;
    std::vector<ViewColumn> columns{
        {"rank", "rank", "Rank of the process in the job; NULL: none known."},
        {"process_id", "process_id", "Row of process."},
        {"host", "host", "Name of the host."},
        {"thread", "thread", "Kernel thread id."},
        {"begin_ns", "begin_ns", "When it began, ns since meta.t_zero."},
        {"end_ns", "end_ns", "When it ended, ns since meta.t_zero; equal to begin_ns for an instant."},
        {"duration_ns", "duration_ns", "end_ns - begin_ns."},
        {"flags", "flags",
         "How it was called: 1 nonblocking, 2 persistent, 4 stdio, 8 vector, 16 positional, 32 end never seen, 64 failed, 256 MPI, 512 "
         "NCCL."},
        {"link", "link", "Equal in events that belong together; 0 stands alone."},
    };
    for (std::size_t argument = 0; argument < 4; ++argument) {
        const auto [name, type] = argumentOf(row, argument);
        if (name.empty()) continue;
        // The kind's own word for a column wins: mpi_init has a rank, file_open has flags.
        std::erase_if(columns, [taken = name](const ViewColumn& column) { return column.name == taken; });
        columns.push_back({std::string(name), argumentExpression(row, argument), typeSentence(type)});
    }
    return columns;
}

std::vector<ViewColumn> counterViewColumns()
{
    return {
        {"at_ns", "e.begin_ns", "When it was read, ns since meta.t_zero."},
        {"host", "e.host", "Name of the host."},
        {"process_id", "e.process_id", "Row of process, for counters of a process; else NULL."},
        {"rank", "e.rank", "Rank of that process; NULL: none."},
        {"source", "e.name", "The place: an interface, a port, a mount point, a device, a process."},
        {"counter", "e.counter", "Which number; counter_kind says what it means."},
        {"value", "e.arg2 * k.scale", "The number in `unit`; a total counts from an arbitrary start, so take differences."},
        {"unit", "k.unit", "What value is in."},
    };
}

std::string counterViewName(CounterFamily family) { return std::string(familyName(family)) + "_counter"; }

std::vector<CounterFamily> counterFamilies()
{
    std::vector<CounterFamily> families;
    for (const CounterRow& row : counterRows)
        if (std::find(families.begin(), families.end(), row.family) == families.end()) families.push_back(row.family);
    return families;
}

std::string_view unitName(CounterUnit unit)
{
    constexpr std::array<std::string_view, 12> names{"bytes",   "count", "ticks",   "ns",     "us",      "ms",
                                                     "jiffies", "pages", "unknown", "number", "bytes/s", "1/s"};
    return names[static_cast<std::size_t>(unit)];
}

void createViews(Database& database)
{
    fillCounterKinds(database);
    for (const KindRow& row : kindRows)
        if (const auto columns = kindViewColumns(row))
            create(database, std::string(row.sqlName), *columns, "event WHERE kind = '" + std::string(row.sqlName) + "'");
    // The counter is the outer loop: `event` then opens only the tracks of that counter.
    for (const CounterFamily family : counterFamilies())
        create(database, counterViewName(family), counterViewColumns(),
               "counter_kind k CROSS JOIN event e ON e.kind = 'counter' AND e.counter = k.counter WHERE k.family = '" +
                   std::string(familyName(family)) + "'");
}

}  // namespace flowgauge::store
