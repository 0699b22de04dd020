// SPDX-License-Identifier: MIT
// The virtual table `event`: chunks, as rows.
#include "collector/store/event_modules.h"
#include "collector/store/event_query.h"
#include "collector/store/track_reader.h"
#include "collector/store/virtual_table.h"

#include <memory>

namespace flowgauge::store {

namespace {

constexpr const char* declaration =
    "CREATE TABLE event (track_id INTEGER, process_id INTEGER, rank INTEGER, host TEXT, thread INTEGER, kind TEXT, lane TEXT, "
    "begin_ns INTEGER, end_ns INTEGER, duration_ns INTEGER, flags INTEGER, link INTEGER, name TEXT, "
    "arg0 INTEGER, arg1 INTEGER, arg2 INTEGER, arg3 INTEGER, counter TEXT)";

/// One walk over the events that the limits allow, track by track, each in order of begin.
struct EventCursor : sqlite3_vtab_cursor {
    explicit EventCursor(Database& opened) : sqlite3_vtab_cursor{}, database(opened), names(opened) {}

    void start(const EventLimits& asked, ColumnSet wanted);
    void advance();  ///< to the next event that is allowed, or to the end
    [[nodiscard]] bool atEnd() const { return batch == nullptr; }
    void result(sqlite3_context* context, EventField field);

    Database& database;
    NameTexts names;
    EventLimits limits;
    ColumnSet columns = allColumns;
    std::vector<TrackLabel> tracks;
    std::size_t track = 0;
    std::optional<TrackReader> reader;
    const EventColumns* batch = nullptr;
    std::size_t at = 0;
    sqlite3_int64 row = 0;

private:
    bool nextBatch();
    void resultOfTrack(sqlite3_context* context, EventField field) const;
    void resultName(sqlite3_context* context);
};

void EventCursor::start(const EventLimits& asked, ColumnSet wanted)
{
    limits = asked;
    columns = wanted;
    reader.reset();
    tracks.clear();
    for (TrackLabel& label : trackLabels(database))
        if (limits.allow(label)) tracks.push_back(std::move(label));
    track = 0;
    row = 0;
    batch = nullptr;
    if (nextBatch()) {
        at = static_cast<std::size_t>(-1);
        advance();
    }
}

bool EventCursor::nextBatch()
{
    while (track < tracks.size()) {
        if (!reader) reader.emplace(database, tracks[track].track, ChunkFilter{limits.kinds, limits.window()}, columns);
        batch = reader->next();
        at = 0;
        if (batch != nullptr) return true;
        reader.reset();
        ++track;
    }
    return false;
}

void EventCursor::advance()
{
    ++row;
    for (++at;; ++at) {
        while (at >= batch->size())
            if (!nextBatch()) return;
        if (limits.allow(batch->kind(at), batch->begin(at), batch->end(at))) return;
    }
}

void EventCursor::resultOfTrack(sqlite3_context* context, EventField field) const
{
    const TrackLabel& label = tracks[track];
    const auto number = [&](const std::optional<std::int64_t>& value) {
        if (value) sqlite3_result_int64(context, *value);
    };
    switch (field) {
        case EventField::TrackId:
            return sqlite3_result_int64(context, label.track);
        case EventField::ProcessId:
            return number(label.process);
        case EventField::Rank:
            return number(label.rank);
        case EventField::Thread:
            return number(label.thread);
        case EventField::Host:
            return resultText(context, label.host);
        case EventField::Lane:
            return resultText(context, label.lane);
        default:
            if (label.counter) resultText(context, *label.counter);
    }
}

void EventCursor::resultName(sqlite3_context* context)
{
    const auto argument = nameArgument(batch->kind(at));
    if (argument) resultText(context, names.text(batch->argument(at, *argument)));
}

void EventCursor::result(sqlite3_context* context, EventField field)
{
    switch (field) {
        case EventField::Kind: {
            const std::string_view kind = rowOf(batch->kind(at)).sqlName;
            return sqlite3_result_text(context, kind.data(), static_cast<int>(kind.size()), SQLITE_STATIC);
        }
        case EventField::BeginNs:
            return sqlite3_result_int64(context, batch->begin(at));
        case EventField::EndNs:
            return sqlite3_result_int64(context, batch->end(at));
        case EventField::DurationNs:
            return sqlite3_result_int64(context, batch->duration(at));
        case EventField::Flags:
            return sqlite3_result_int64(context, batch->flags(at));
        case EventField::Link:
            return sqlite3_result_int64(context, static_cast<sqlite3_int64>(batch->words(Column::Link)[at]));
        case EventField::Name:
            return resultName(context);
        case EventField::Arg0:
            return sqlite3_result_int64(context, batch->argument(at, 0));
        case EventField::Arg1:
            return sqlite3_result_int64(context, batch->argument(at, 1));
        case EventField::Arg2:
            return sqlite3_result_int64(context, batch->argument(at, 2));
        case EventField::Arg3:
            return sqlite3_result_int64(context, batch->argument(at, 3));
        default:
            resultOfTrack(context, field);
    }
}

// NOLINTNEXTLINE(readability-function-size): SQLite's own signature
int connect(sqlite3* connection, void* /*data*/, int /*arguments*/, const char* const* /*argument*/, sqlite3_vtab** table,
            char** /*message*/)
{
    return connectTable(connection, declaration, table);
}

/// How much of the run is left when a constraint of that kind is used: only the order of the guesses matters.
double shareOf(EventField field)
{
    switch (field) {
        case EventField::TrackId:
            return 0.01;
        case EventField::Counter:
            return 0.02;
        case EventField::ProcessId:
        case EventField::Rank:
            return 0.1;
        default:
            return 0.3;
    }
}

/// The plan for filter(): idxStr has two characters a value, field and operation; idxNum is the set of columns to decode.
int bestIndex(sqlite3_vtab* table, sqlite3_index_info* info)
{
    return guarded(table, [&] {
        std::string plan;
        double rows = 1e9;
        for (int i = 0; i < info->nConstraint; ++i) {
            const auto& constraint = info->aConstraint[i];
            const auto field = static_cast<EventField>(constraint.iColumn);
            if (constraint.usable == 0 || constraint.iColumn < 0 || !isUsable(field, constraint.op)) continue;
            plan += static_cast<char>('A' + constraint.iColumn);
            plan += static_cast<char>(constraint.op);
            info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
            rows *= shareOf(field);
        }
        info->idxNum = columnsFor(info->colUsed);
        info->idxStr = sqlite3_mprintf("%s", plan.c_str());
        info->needToFreeIdxStr = 1;
        info->estimatedCost = rows;
        info->estimatedRows = static_cast<sqlite3_int64>(rows) + 1;
    });
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor)
{
    return guarded(table, [&] { *cursor = new EventCursor(static_cast<VirtualTable*>(table)->database); });
}

int close(sqlite3_vtab_cursor* cursor)
{
    delete static_cast<EventCursor*>(cursor);
    return SQLITE_OK;
}

int filter(sqlite3_vtab_cursor* cursor, int columns, const char* plan, int values, sqlite3_value** value)
{
    return guarded(cursor->pVtab, [&] {
        EventLimits limits;
        for (int i = 0; i < values; ++i, plan += 2) limits.restrict(static_cast<EventField>(plan[0] - 'A'), plan[1], value[i]);
        static_cast<EventCursor*>(cursor)->start(limits, static_cast<ColumnSet>(columns));
    });
}

int next(sqlite3_vtab_cursor* cursor)
{
    return guarded(cursor->pVtab, [&] { static_cast<EventCursor*>(cursor)->advance(); });
}

int atEnd(sqlite3_vtab_cursor* cursor) { return static_cast<EventCursor*>(cursor)->atEnd() ? 1 : 0; }

int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int index)
{
    return guarded(cursor->pVtab, [&] { static_cast<EventCursor*>(cursor)->result(context, static_cast<EventField>(index)); });
}

int rowId(sqlite3_vtab_cursor* cursor, sqlite3_int64* id)
{
    *id = static_cast<EventCursor*>(cursor)->row;
    return SQLITE_OK;
}

}  // namespace

const sqlite3_module* eventModule()
{
    static const sqlite3_module module = [] {
        sqlite3_module made{};  // no xCreate: the table is there in every database, under its own name
        made.xConnect = connect;
        made.xBestIndex = bestIndex;
        made.xDisconnect = disconnectTable;
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
