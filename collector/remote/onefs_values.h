// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/reading.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the answers of OneFS' statistics mean. Everything here takes text, and throws Error for text that is no such answer.
namespace flowgauge::remote {

/// How a key's value is made up.
enum class OneFsShape : std::uint8_t {
    Number,     ///< one number, of the cluster
    Protocol,   ///< a list with one row an operation
    CacheNode,  ///< one object with a number per level and question, of each node
};

/// A key that is asked for. "out" of the cluster or its disks is what was read, "in" what was written.
struct OneFsKey {
    const char* name;
    OneFsShape shape;
    Counter counter;    ///< of a Number
    const char* place;  ///< of a Protocol
};
[[nodiscard]] const std::vector<OneFsKey>& oneFsKeys();

/// One row of /statistics/current: what became of it.
struct OneFsStats {
    Readings readings;
    std::vector<std::string> missing;  ///< keys that this cluster does not have, or is not set up for
};
[[nodiscard]] OneFsStats parseOneFsStats(std::string_view body);

/// How often a key's present value is new, from /statistics/keys/KEY; nothing where the cluster works it out when asked.
/// The key is not there at all: answer status 404, which the caller sees.
[[nodiscard]] std::optional<std::chrono::seconds> parseOneFsInterval(std::string_view body);

/// Rates by client of NFS, from /statistics/summary/client. At most `mostClients`, the busiest first.
inline constexpr std::size_t mostClients = 64;
[[nodiscard]] Readings parseOneFsClients(std::string_view body);

/// Queries of /statistics/current for many keys, none longer than a web server takes (8190 bytes, so 7000 for the keys).
[[nodiscard]] std::vector<std::string> oneFsQueries(const std::vector<std::string>& keys);

}  // namespace flowgauge::remote
