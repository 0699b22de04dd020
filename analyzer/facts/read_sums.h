// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace flowgauge::facts {

/// Calls that took bytes from data files.
struct ReadCount {
    std::int64_t calls = 0, bytes = 0;
    Nanos time = 0;  ///< durations added up

    ReadCount& operator+=(const ReadCount& other)
    {
        calls += other.calls;
        bytes += other.bytes;
        time += other.time;
        return *this;
    }
    friend bool operator==(const ReadCount&, const ReadCount&) = default;
};

/// Read calls of one power of two of requested bytes: [2^n, 2^(n+1)).
struct SizeClass {
    std::int64_t calls = 0, bytes = 0;
    Nanos time = 0;
};

/// What the read calls of a rank add up to. Constant memory however many there are.
struct ReadSums {
    static constexpr std::size_t sizeClasses = 48;

    std::int64_t calls = 0, failed = 0, bytes = 0;
    Nanos time = 0;           ///< durations added up
    Nanos waitedNs = 0;       ///< of those calls that took longer than memory would: they waited for storage
    std::int64_t waited = 0;  ///< how many
    Nanos longest = 0;
    std::array<SizeClass, sizeClasses> bySize{};

    /// bytes: what came back, or -errno; requested: what was asked for.
    void add(Nanos duration, std::int64_t bytesOrError, std::uint64_t requested);
    void add(const ReadSums& other);
    /// Lower end of the size class that holds the median call; 0 without calls.
    [[nodiscard]] std::int64_t medianRequest() const;
};

/// A cached read costs a system call and a copy. One that takes longer than this waited for something: 200 µs is two orders
/// above a cached call and below one round trip to a busy NFS server; 0.5 GB/s is a tenth of a copy.
[[nodiscard]] constexpr Nanos cachedReadAtMost(std::int64_t bytes) { return 200'000 + 2 * bytes; }

}  // namespace flowgauge::facts
