// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/kind.h"

#include <optional>
#include <string_view>

namespace flowgauge::store {

/// "column:type" of kinds.def, taken apart.
struct ArgumentColumn {
    std::string_view name, type;
};

[[nodiscard]] constexpr ArgumentColumn argumentOf(const KindRow& row, std::size_t argument)
{
    const std::string_view text = row.arguments[argument];
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {};
    return {text.substr(0, colon), text.substr(colon + 1)};
}

/// Which argument holds the name that statistics are kept by: the first of type name.
[[nodiscard]] constexpr std::optional<std::size_t> nameArgument(Kind kind)
{
    for (std::size_t i = 0; i < 4; ++i)
        if (argumentOf(rowOf(kind), i).type == "name") return i;
    return std::nullopt;
}

/// Which argument holds the bytes that were moved: the one called bytes. A negative one is -errno and moved none.
[[nodiscard]] constexpr std::optional<std::size_t> bytesArgument(Kind kind)
{
    for (std::size_t i = 0; i < 4; ++i)
        if (argumentOf(rowOf(kind), i).name == "bytes") return i;
    return std::nullopt;
}

/// Both as tables, for loops over events: 4 is none.
struct KindColumns {
    std::uint8_t name = 4;
    std::uint8_t bytes = 4;
};
inline constexpr auto kindColumns = [] {
    std::array<KindColumns, kindCount> columns{};
    for (const KindRow& row : kindRows) {
        auto& entry = columns[static_cast<std::size_t>(row.kind)];
        entry.name = static_cast<std::uint8_t>(nameArgument(row.kind).value_or(4));
        entry.bytes = static_cast<std::uint8_t>(bytesArgument(row.kind).value_or(4));
    }
    return columns;
}();

[[nodiscard]] constexpr std::optional<Lane> findLane(std::string_view name)
{
    for (const Lane lane : {Lane::Meta, Lane::Io, Lane::Comm, Lane::Mark, Lane::Gpu, Lane::Counter, Lane::Api, Lane::Socket})
        if (laneName(lane) == name) return lane;
    return std::nullopt;
}
[[nodiscard]] constexpr std::optional<Kind> findKind(std::string_view sqlName)
{
    for (const KindRow& row : kindRows)
        if (row.sqlName == sqlName) return row.kind;
    return std::nullopt;
}

[[nodiscard]] constexpr std::optional<Counter> findCounter(std::string_view sqlName)
{
    for (const CounterRow& row : counterRows)
        if (row.sqlName == sqlName) return row.counter;
    return std::nullopt;
}

/// A set of kinds as chunk.kinds keeps it.
using KindBits = std::uint64_t;
static_assert(kindCount <= 63, "chunk.kinds has a bit per kind and SQLite's integers are signed");
[[nodiscard]] constexpr KindBits bitOf(Kind kind) { return KindBits{1} << static_cast<unsigned>(kind); }
inline constexpr KindBits allKinds = ~KindBits{0} >> 1;

}  // namespace flowgauge::store
