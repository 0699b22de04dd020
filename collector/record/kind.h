// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge {

/// What an event is about. Its number is part of the spool format.
enum class Kind : std::uint16_t {
#define FLOWGAUGE_KIND(enumerator, sqlName, lane, a0, a1, a2, a3, sentence) enumerator,
#include "collector/record/kinds.def"
#undef FLOWGAUGE_KIND
};

/// Which of a thread's tracks an event is drawn on and stored with. Meta events never leave ingest.
enum class Lane : std::uint8_t { Meta, Io, Comm, Mark, Gpu, Counter, Api, Socket };
inline constexpr std::size_t laneCount = 8;

/// "io", "comm", ... as in track.lane and `--kinds`.
[[nodiscard]] constexpr std::string_view laneName(Lane lane)
{
    constexpr std::array<std::string_view, laneCount> names{"meta", "io", "comm", "mark", "gpu", "counter", "api", "socket"};
    return names[static_cast<std::size_t>(lane)];
}

/// A kind's row of kinds.def.
struct KindRow {
    Kind kind;
    std::string_view sqlName;
    Lane lane;
    std::array<std::string_view, 4> arguments;  ///< "column:type" or ""
    std::string_view sentence;
};

inline constexpr std::array kindRows{
#define FLOWGAUGE_KIND(enumerator, sqlName, lane, a0, a1, a2, a3, sentence) \
    KindRow{Kind::enumerator, #sqlName, Lane::lane, {a0, a1, a2, a3}, sentence},
#include "collector/record/kinds.def"
#undef FLOWGAUGE_KIND
};
inline constexpr std::size_t kindCount = kindRows.size();

/// The row of a kind that is known to be valid (from our own code, or checked with isKind).
[[nodiscard]] constexpr const KindRow& rowOf(Kind kind) { return kindRows[static_cast<std::size_t>(kind)]; }

/// True for numbers that this build knows; a spool may hold others.
[[nodiscard]] constexpr bool isKind(std::uint16_t number) { return number < kindCount; }

/// True for the collectives: all ranks of a communicator take part, ordered by sequence number.
[[nodiscard]] constexpr bool isCollective(Kind kind) { return kind >= Kind::Allreduce && kind <= Kind::Neighbor; }

/// Events of the lane gpu happen on a device's stream, not on a thread: this number stands for both where a track has its thread.
[[nodiscard]] constexpr std::int64_t streamThread(std::int64_t device, std::int64_t stream)
{
    return (device << 32) | (stream & 0xFFFFFFFF);
}

}  // namespace flowgauge
