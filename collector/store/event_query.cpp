// SPDX-License-Identifier: MIT
#include "collector/store/event_query.h"

#include "collector/store/virtual_table.h"

#include <algorithm>

namespace flowgauge::store {

namespace {

bool isTime(EventField field) { return field == EventField::BeginNs || field == EventField::EndNs; }

bool isText(EventField field) { return field == EventField::Kind || field == EventField::Lane || field == EventField::Counter; }

bool isNumber(EventField field) { return field == EventField::TrackId || field == EventField::ProcessId || field == EventField::Rank; }

void restrictTime(std::int64_t& from, std::int64_t& to, int operation, std::int64_t value)
{
    switch (operation) {
        case SQLITE_INDEX_CONSTRAINT_EQ:
            from = std::max(from, value);
            to = std::min(to, value);
            break;
        // The bound itself stays in: SQLite drops it, and value + 1 might not exist.
        case SQLITE_INDEX_CONSTRAINT_GT:
        case SQLITE_INDEX_CONSTRAINT_GE:
            from = std::max(from, value);
            break;
        case SQLITE_INDEX_CONSTRAINT_LT:
        case SQLITE_INDEX_CONSTRAINT_LE:
            to = std::min(to, value);
            break;
        default:
            break;
    }
}

template <typename Wanted, typename Found>
bool agrees(const std::optional<Wanted>& wanted, const Found& found)
{
    return !wanted || wanted == found;
}

}  // namespace

bool isUsable(EventField field, int operation)
{
    if (operation == SQLITE_INDEX_CONSTRAINT_EQ) return isTime(field) || isText(field) || isNumber(field);
    const bool ordered = operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_GE ||
                         operation == SQLITE_INDEX_CONSTRAINT_LT || operation == SQLITE_INDEX_CONSTRAINT_LE;
    return ordered && isTime(field);
}

void EventLimits::restrict(EventField field, int operation, sqlite3_value* value)
{
    if (isText(field)) {
        if (sqlite3_value_type(value) != SQLITE_TEXT) return;
        const std::string_view text = textOf(value);
        const auto kind = findKind(text);
        if (field == EventField::Kind) kinds &= kind ? bitOf(*kind) : 0;
        if (field == EventField::Lane) lane = text;
        if (field == EventField::Counter) counter = text;
        return;
    }
    if (sqlite3_value_type(value) != SQLITE_INTEGER) return;
    const std::int64_t number = sqlite3_value_int64(value);
    if (field == EventField::TrackId) track = number;
    if (field == EventField::ProcessId) process = number;
    if (field == EventField::Rank) rank = number;
    if (field == EventField::BeginNs) restrictTime(beginFrom, beginTo, operation, number);
    if (field == EventField::EndNs) restrictTime(endFrom, endTo, operation, number);
}

bool EventLimits::allow(const TrackLabel& label) const
{
    return agrees(track, label.track) && agrees(process, label.process) && agrees(rank, label.rank) && agrees(lane, label.lane) &&
           agrees(counter, label.counter);
}

Interval EventLimits::window() const
{
    // A chunk may hold such an event if it begins before `end` and its latest end is not before `begin`.
    const std::int64_t from = std::max(beginFrom, endFrom);
    const std::int64_t to = std::min(beginTo, endTo);
    return {from, to == most ? most : to + 1};
}

ColumnSet columnsFor(std::uint64_t usedFields)
{
    const auto uses = [&](EventField field) { return (usedFields >> static_cast<unsigned>(field) & 1U) != 0; };
    ColumnSet columns = timeColumns;
    if (uses(EventField::Flags)) columns |= setOf(Column::Flags);
    if (uses(EventField::Link)) columns |= setOf(Column::Link);
    for (std::size_t argument = 0; argument < 4; ++argument) {
        const auto field = static_cast<EventField>(static_cast<std::size_t>(EventField::Arg0) + argument);
        if (uses(field) || uses(EventField::Name)) columns |= setOf(argumentColumn(argument));
    }
    return columns;
}

}  // namespace flowgauge::store
