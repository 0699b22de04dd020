// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/stored_event.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flowgauge::store {

/// Most events of a chunk. A decoder refuses more before it allocates anything.
inline constexpr std::size_t maxChunkEvents = 4096;

/// The columns of a chunk in the order in which they are written. A column may be predicted from one that stands before it.
enum class Column : std::uint8_t { Duration, Begin, Kind, Flags, Link, Arg2, Arg0, Arg1, Arg3 };
inline constexpr std::size_t columnCount = 9;

/// A set of columns: what a reader wants decoded.
using ColumnSet = std::uint16_t;
inline constexpr ColumnSet allColumns = (1U << columnCount) - 1;
[[nodiscard]] constexpr ColumnSet setOf(Column column) { return static_cast<ColumnSet>(1U << static_cast<unsigned>(column)); }
/// What almost every question needs: when and what.
inline constexpr ColumnSet timeColumns = setOf(Column::Duration) | setOf(Column::Begin) | setOf(Column::Kind);

/// The column of argument 0..3.
[[nodiscard]] constexpr Column argumentColumn(std::size_t argument)
{
    constexpr std::array columns{Column::Arg0, Column::Arg1, Column::Arg2, Column::Arg3};
    return columns[argument];
}

/// The events of one chunk, a column at a time, as raw 64-bit words. Columns that nobody asked for hold rubbish.
class EventColumns {
public:
    [[nodiscard]] std::size_t size() const { return m_size; }
    void resize(std::size_t events);

    [[nodiscard]] std::uint64_t* words(Column column) { return m_words[static_cast<std::size_t>(column)].data(); }
    [[nodiscard]] const std::uint64_t* words(Column column) const { return m_words[static_cast<std::size_t>(column)].data(); }

    [[nodiscard]] Nanos begin(std::size_t i) const { return static_cast<Nanos>(words(Column::Begin)[i]); }
    [[nodiscard]] Nanos duration(std::size_t i) const { return static_cast<Nanos>(words(Column::Duration)[i]); }
    [[nodiscard]] Nanos end(std::size_t i) const { return static_cast<Nanos>(words(Column::Begin)[i] + words(Column::Duration)[i]); }
    [[nodiscard]] Kind kind(std::size_t i) const { return static_cast<Kind>(words(Column::Kind)[i]); }
    [[nodiscard]] std::uint16_t flags(std::size_t i) const { return static_cast<std::uint16_t>(words(Column::Flags)[i]); }
    [[nodiscard]] std::int64_t argument(std::size_t i, std::size_t which) const
    {
        return static_cast<std::int64_t>(words(argumentColumn(which))[i]);
    }
    [[nodiscard]] StoredEvent event(std::size_t i) const;

    void assign(std::span<const StoredEvent> events);

private:
    std::size_t m_size = 0;
    std::array<std::vector<std::uint64_t>, columnCount> m_words;
};

}  // namespace flowgauge::store
