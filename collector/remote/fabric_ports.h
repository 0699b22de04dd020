// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/reading.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::remote {

/// What is recorded of a port. UFM has several names for each (fabricFieldOf).
enum class FabricField : std::uint8_t {
    TxData,
    RxData,
    TxPackets,
    RxPackets,
    TxWait,
    SymbolErrors,
    LinkRecoveries,
    LinkDowned,
    RxErrors,
    TxDiscards
};
inline constexpr std::size_t fabricFieldCount = 10;
[[nodiscard]] std::optional<FabricField> fabricFieldOf(std::string_view name);

/// One port as one answer tells it. What was not told is absent, never 0.
struct FabricPort {
    std::string port;  ///< "0200000000000202/1": GUID and number
    std::int64_t measuredNs = 0;
    std::array<std::optional<std::uint64_t>, fabricFieldCount> values{};

    [[nodiscard]] std::optional<std::uint64_t>& operator[](FabricField field) { return values[static_cast<std::size_t>(field)]; }
    [[nodiscard]] const std::optional<std::uint64_t>& operator[](FabricField field) const
    {
        return values[static_cast<std::size_t>(field)];
    }
};
struct FabricPorts {
    std::vector<FabricPort> all;
    bool standardNames = false;  ///< data in counters that the InfiniBand standard defines, in words
    std::vector<std::string> troubles;
};

/// The many spellings of a GUID (colons, 0x, leading zeros, capitals) as 16 digits; "" for what is none.
[[nodiscard]] std::string guidOf(std::string_view text);

/// Learns in which unit an endpoint tells data: the same label has meant bytes, 4-byte words and something else. A packet is at least
/// 26 bytes and at most 4 KiB and its headers, and an idle fabric carries management packets of 288 bytes only.
class FabricUnit {
public:
    enum class Unit : std::uint8_t { Unknown, Bytes, Words };
    [[nodiscard]] Unit learn(const FabricPorts& ports);

private:
    Unit m_unit = Unit::Unknown;
    bool m_contradicted = false;
};

/// At most so many ports are recorded, the first ones.
inline constexpr std::size_t mostPorts = 1024;
/// As readings; `names` has a better name for some ports.
[[nodiscard]] Readings readingsOf(const FabricPorts& ports, FabricUnit::Unit unit, const std::map<std::string, std::string>& names);

}  // namespace flowgauge::remote
