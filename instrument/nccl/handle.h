// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

/// What NCCL is given as a handle: a number, never an address. NCCL hands such numbers back when it pleases: twice, after their end, out of
/// another process (PXN), as parents of things that come later. A number cannot be followed, and one that is not ours, or not
/// any more, is recognised.
///
///      63        58 57                       19 18     15 14                0
///     +------------+---------------------------+---------+-------------------+
///     | check (6)  | serial (39)               | age (4) | place (15)        |
///     +------------+---------------------------+---------+-------------------+
///
/// serial of an operation: plan << 8 | member. Operations of one plan (one kernel launch) share the plan; member tells collectives
/// of a plan apart and is 0 for sends and receives. So what a proxy moved is tied to its operation by the handle of its parent alone,
/// however long that has ended.
namespace flowgauge::nccl {

using Handle = std::uint64_t;

// Ranges of places, told apart so that a number says itself what it stands for.
inline constexpr std::uint32_t eventPlaces = 16384;
inline constexpr std::uint32_t firstProxyPlace = 0x4000, proxyPlaces = 4096;
inline constexpr std::uint32_t firstContextPlace = 0x5000, contextPlaces = 1024;
inline constexpr std::uint32_t firstStepPlace = 0x6000;  ///< of the proxy operation at the same distance from firstProxyPlace
inline constexpr std::uint32_t lostPlace = 0x7fff;       ///< nothing was kept; children still need a parent that is not NULL

/// Differs from process to process, so that another one's handles are recognised even where both have the same pid.
extern constinit std::uint64_t handleSalt;
/// Chooses the salt, once.
void chooseSalt();

inline constexpr std::uint64_t serialMask = (std::uint64_t{1} << 39) - 1;
inline constexpr std::uint64_t planMask = serialMask >> 8;

[[nodiscard]] inline std::uint64_t checkOf(std::uint64_t low)
{
    std::uint64_t mixed = (low ^ handleSalt) * 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9;
    return mixed >> 58;
}

[[nodiscard]] inline Handle makeHandle(std::uint64_t serial, std::uint32_t age, std::uint32_t place)
{
    const std::uint64_t low = (serial & serialMask) << 19 | (age & 15U) << 15 | place;
    return checkOf(low) << 58 | low;
}

[[nodiscard]] inline bool isOurs(Handle handle) { return handle != 0 && checkOf(handle & ~std::uint64_t{0} >> 6) == handle >> 58; }
[[nodiscard]] inline std::uint32_t placeOf(Handle handle) { return static_cast<std::uint32_t>(handle & 0x7fff); }
[[nodiscard]] inline std::uint32_t ageOf(Handle handle) { return static_cast<std::uint32_t>(handle >> 15 & 15); }
[[nodiscard]] inline std::uint64_t serialOf(Handle handle) { return handle >> 19 & serialMask; }
[[nodiscard]] inline std::uint64_t planOf(Handle handle) { return serialOf(handle) >> 8; }

/// What Event::link holds for an operation: bit 62 keeps it apart from the correlation ids of CUDA.
[[nodiscard]] inline std::uint64_t linkOf(std::uint64_t serial) { return std::uint64_t{1} << 62 | (serial & serialMask); }
/// 0 for a number that stands for no operation of ours.
[[nodiscard]] inline std::uint64_t linkOfHandle(Handle handle)
{
    return isOurs(handle) && (placeOf(handle) < eventPlaces || placeOf(handle) == lostPlace) ? linkOf(serialOf(handle)) : 0;
}

[[nodiscard]] inline Handle handleOf(const void* given) { return reinterpret_cast<Handle>(given); }
[[nodiscard]] inline void* given(Handle handle) { return reinterpret_cast<void*>(handle); }

}  // namespace flowgauge::nccl
