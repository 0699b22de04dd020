// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/fabric_ports.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// What a port's performance agent answers (InfiniBand Architecture, volume 1, 16.1.3): attributes of 192 bytes, numbers in
/// network order. Data are counted in words of 4 bytes whatever the link's width.
namespace flowgauge::remote {

inline constexpr std::size_t attributeBytes = 192;
using AttributeView = std::span<const std::uint8_t, attributeBytes>;

/// Numbers of attributes.
enum class PortAttribute : std::uint16_t { ClassPortInfo = 0x01, PortCounters = 0x12, PortCountersExtended = 0x1d };

/// What an agent says of itself in ClassPortInfo.
struct PortCapabilities {
    bool wide = false;        ///< PortCountersExtended: data and packets of 64 bits
    bool wideErrors = false;  ///< and in it errors and waits of 64 bits
    bool wait = false;        ///< PortXmitWait means something
};
[[nodiscard]] PortCapabilities capabilitiesOf(AttributeView classPortInfo);

/// Which attributes have all that can be had of a port.
[[nodiscard]] std::vector<PortAttribute> attributesOf(PortCapabilities capabilities);

/// What one of them tells of the port. A counter that stands at its largest value is left out and named: what came since is not in it.
/// All ones in 64 bits mean the same.
[[nodiscard]] FabricPorts portOf(AttributeView answer, PortAttribute attribute, PortCapabilities capabilities, const std::string& port);

}  // namespace flowgauge::remote
