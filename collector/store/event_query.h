// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/event_columns.h"
#include "collector/store/kind_columns.h"
#include "collector/store/run_tracks.h"
#include "collector/store/sqlite.h"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace flowgauge::store {

/// The columns of the virtual table `event`, in order.
enum class EventField : std::uint8_t {
    TrackId,
    ProcessId,
    Rank,
    Host,
    Thread,
    Kind,
    Lane,
    BeginNs,
    EndNs,
    DurationNs,
    Flags,
    Link,
    Name,
    Arg0,
    Arg1,
    Arg2,
    Arg3,
    Counter
};
inline constexpr std::array<std::string_view, 18> eventFieldNames{"track_id", "process_id", "rank",   "host",        "thread", "kind",
                                                                  "lane",     "begin_ns",   "end_ns", "duration_ns", "flags",  "link",
                                                                  "name",     "arg0",       "arg1",   "arg2",        "arg3",   "counter"};

/// What a WHERE over `event` lets us skip. SQLite checks every row once more, so these may be wider than asked, never narrower.
struct EventLimits {
    static constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

    KindBits kinds = allKinds;
    std::optional<std::int64_t> track, process, rank;
    std::optional<std::string> lane, counter;
    std::int64_t beginFrom = least, beginTo = most, endFrom = least, endTo = most;  ///< inclusive

    [[nodiscard]] bool allow(const TrackLabel& track) const;
    [[nodiscard]] bool allow(Kind kind, Nanos begin, Nanos end) const
    {
        return (kinds & bitOf(kind)) != 0 && begin >= beginFrom && begin <= beginTo && end >= endFrom && end <= endTo;
    }
    /// The chunks that can hold such events.
    [[nodiscard]] Interval window() const;

    /// Takes in one constraint with its value; what it cannot use it leaves to SQLite.
    void restrict(EventField field, int operation, sqlite3_value* value);
};

/// True where EventLimits::restrict can use such a constraint.
[[nodiscard]] bool isUsable(EventField field, int operation);

/// Columns to decode for a mask of fields (sqlite3_index_info::colUsed).
[[nodiscard]] ColumnSet columnsFor(std::uint64_t usedFields);

}  // namespace flowgauge::store
