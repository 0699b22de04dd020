// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge {

/// One number that a sampler reads. Its number is part of the spool format.
enum class Counter : std::uint16_t {
#define FLOWGAUGE_COUNTER(enumerator, sqlName, family, unit, scale, shape, bits, sentence) enumerator,
#include "collector/record/counters.def"
#undef FLOWGAUGE_COUNTER
};

/// Which view a counter belongs to (nic_counter, nfs_counter, ...).
enum class CounterFamily : std::uint8_t {
    Nic,
    Ib,
    Nfs,
    Disk,
    Memory,
    Cpu,
    Process,
    Sampler,
    NfsTransport,
    Gpu,
    Storage,
    Fabric,
    FileSystem,
    QueuePair
};
inline constexpr std::size_t counterFamilyCount = 14;

// GCC 12 takes a scoped enumerator for a shadow of the type with its name (time.h); nothing can be mistaken here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// What value x scale is.
enum class CounterUnit : std::uint8_t { Bytes, Count, Ticks, Nanos, Micros, Millis, Jiffies, Pages, Unknown, Number, ByteRate, Rate };
#pragma GCC diagnostic pop

/// Total only grows until it wraps or is reset; Saturating stays at its largest value; Gauge moves freely.
enum class CounterShape : std::uint8_t { Total, Gauge, Saturating };

/// A counter's row of counters.def.
struct CounterRow {
    Counter counter;
    std::string_view sqlName;
    CounterFamily family;
    CounterUnit unit;
    std::uint32_t scale;
    CounterShape shape;
    std::uint8_t bits;
    std::string_view sentence;
};

inline constexpr std::array counterRows{
#define FLOWGAUGE_COUNTER(enumerator, sqlName, family, unit, scale, shape, bits, sentence) \
    CounterRow{Counter::enumerator, #sqlName, CounterFamily::family, CounterUnit::unit, scale, CounterShape::shape, bits, sentence},
#include "collector/record/counters.def"
#undef FLOWGAUGE_COUNTER
};
inline constexpr std::size_t counterCount = counterRows.size();

/// The row of a counter that is known to be valid.
[[nodiscard]] constexpr const CounterRow& rowOf(Counter counter) { return counterRows[static_cast<std::size_t>(counter)]; }

/// True for numbers that this build knows; a spool may hold others.
[[nodiscard]] constexpr bool isCounter(std::uint64_t number) { return number < counterCount; }

/// "nic", "ib", ... as in the names of the views.
[[nodiscard]] constexpr std::string_view familyName(CounterFamily family)
{
    constexpr std::array<std::string_view, counterFamilyCount> names{"nic",     "ib",      "nfs",         "disk",          "memory",
                                                                     "cpu",     "process", "sampler",     "nfs_transport", "gpu",
                                                                     "storage", "fabric",  "file_system", "queue_pair"};
    return names[static_cast<std::size_t>(family)];
}

}  // namespace flowgauge
