// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/event.h"
#include "collector/record/ledger_line.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge::sample {

/// Where samples and names go: the recorder, or a test's notebook.
struct Outlet {
    void (*record)(const Event& event);
    NameKey (*name)(NameClass nameClass, std::string_view text);
};
extern const Outlet recorderOutlet;

/// Whether a place is worth sampling, once that is known.
enum class Use : std::uint8_t { Undecided, Sampled, Ignored };

/// The last reading of one counter at one place.
struct LastReading {
    std::uint64_t value = 0;
    Nanos storedNs = 0;  ///< 0: never
    Ticks seenAt = 0;    ///< time of the last reading that was not stored; 0: the last one was
};

inline constexpr std::size_t mostCountersOfAFamily = 32;

/// A place that has counters: "eth0", "mlx5_0/1", "/data".
struct Source {
    std::uint64_t hash = 0;  ///< of family and name; 0: free
    NameKey key = 0;
    Use use = Use::Undecided;
    std::array<LastReading, mostCountersOfAFamily> last{};
};

/// The places of one sampling thread: a fixed table, mapped from the kernel. Places are never given back: a device that
/// returns under its name goes on with its key.
class SourceTable {
public:
    constexpr SourceTable() = default;
    SourceTable(const SourceTable&) = delete;
    SourceTable& operator=(const SourceTable&) = delete;

    bool create(std::size_t capacity);
    void release();
    /// The place of that name, new ones Undecided; nullptr when the table is full, or it is new and `mayAdd` is false.
    [[nodiscard]] Source* find(CounterFamily family, std::string_view name, bool mayAdd = true);
    /// True while half of the table is free: kinds of which there may be thousands leave the rest to the others.
    [[nodiscard]] bool isHalfFree() const { return m_used < m_capacity / 2; }

private:
    Source* m_sources = nullptr;
    std::size_t m_capacity = 0;
    std::size_t m_used = 0;
};

/// Takes the readings of a pass and stores what is news: a changed value at once (and before it the last unchanged reading,
/// so that the change is not smeared over the quiet time), an unchanged one about every second.
class CounterSink {
public:
    static constexpr Nanos heartbeatNs = 1'000'000'000;

    /// factMark: whose facts note() tells, hostFactMark or processFactMark.
    constexpr CounterSink(const Outlet& outlet, std::string_view factMark) : m_outlet(&outlet), m_factMark(factMark) {}
    /// Starts a pass. nowNs: any clock that only grows, never 0.
    void beginPass(Nanos nowNs) { m_nowNs = nowNs; }
    [[nodiscard]] Nanos nowNs() const { return m_nowNs; }
    /// Gives a place its key and marks it as one that is sampled.
    void accept(Source& source, std::string_view name) const;
    void put(Ticks at, Source& source, Counter counter, std::uint64_t value);
    /// True when a reading of that counter was stored at that place.
    [[nodiscard]] static bool hasStored(const Source& source, Counter counter);
    /// A line of the run's ledger: what was looked for, what became of it ("measured", "absent"), and why.
    void note(std::string_view what, std::string_view state, std::string_view reason) const;

private:
    void store(Ticks at, const Source& source, Counter counter, std::uint64_t value) const;
    const Outlet* m_outlet;
    std::string_view m_factMark;
    Nanos m_nowNs = 1;
};

}  // namespace flowgauge::sample
