// SPDX-License-Identifier: MIT
#include "collector/remote/port_counters.h"

namespace flowgauge::remote {
namespace {

/// Where an attribute has a counter, and how wide it is there.
struct Place {
    FabricField field;
    std::size_t at, bytes;
    std::string_view name;
};

constexpr std::array narrowTraffic{
    Place{FabricField::TxData, 24, 4, "PortXmitData"},
    Place{FabricField::RxData, 28, 4, "PortRcvData"},
    Place{FabricField::TxPackets, 32, 4, "PortXmitPkts"},
    Place{FabricField::RxPackets, 36, 4, "PortRcvPkts"},
};
constexpr std::array narrowErrors{
    Place{FabricField::SymbolErrors, 4, 2, "SymbolErrorCounter"}, Place{FabricField::LinkRecoveries, 6, 1, "LinkErrorRecoveryCounter"},
    Place{FabricField::LinkDowned, 7, 1, "LinkDownedCounter"},    Place{FabricField::RxErrors, 8, 2, "PortRcvErrors"},
    Place{FabricField::TxDiscards, 14, 2, "PortXmitDiscards"},
};
constexpr std::array narrowWait{Place{FabricField::TxWait, 40, 4, "PortXmitWait"}};
constexpr std::array wideTraffic{
    Place{FabricField::TxData, 8, 8, "PortXmitData"},
    Place{FabricField::RxData, 16, 8, "PortRcvData"},
    Place{FabricField::TxPackets, 24, 8, "PortXmitPkts"},
    Place{FabricField::RxPackets, 32, 8, "PortRcvPkts"},
};
constexpr std::array wideErrors{
    Place{FabricField::SymbolErrors, 72, 8, "SymbolErrorCounter"}, Place{FabricField::LinkRecoveries, 80, 8, "LinkErrorRecoveryCounter"},
    Place{FabricField::LinkDowned, 88, 8, "LinkDownedCounter"},    Place{FabricField::RxErrors, 96, 8, "PortRcvErrors"},
    Place{FabricField::TxDiscards, 120, 8, "PortXmitDiscards"},    Place{FabricField::TxWait, 168, 8, "PortXmitWait"},
};

std::uint64_t numberAt(AttributeView answer, std::size_t at, std::size_t bytes)
{
    std::uint64_t number = 0;
    for (const std::uint8_t byte : answer.subspan(at, bytes)) number = number << 8 | byte;
    return number;
}

void take(AttributeView answer, std::span<const Place> places, FabricPorts& into)
{
    FabricPort& port = into.all.front();
    for (const Place& place : places) {
        const std::uint64_t value = numberAt(answer, place.at, place.bytes), largest = ~std::uint64_t{0} >> (64 - 8 * place.bytes);
        if (value == largest)
            into.troubles.push_back(port.port + ": " + std::string(place.name) +
                                    " stands at its largest value: what came since is not measured, until the fabric's manager resets it");
        else
            port[place.field] = value;
    }
}

}  // namespace

PortCapabilities capabilitiesOf(AttributeView classPortInfo)
{
    const std::uint64_t mask = numberAt(classPortInfo, 2, 2), second = numberAt(classPortInfo, 4, 4) >> 5;  // the last 5 bits are a time
    const bool extended = (mask & 0x0200) != 0, withoutUnicast = (mask & 0x0400) != 0;
    return {extended || withoutUnicast, extended && (second & 2) != 0, (mask & 0x1000) != 0};
}

std::vector<PortAttribute> attributesOf(PortCapabilities capabilities)
{
    if (capabilities.wideErrors) return {PortAttribute::PortCountersExtended};
    if (capabilities.wide) return {PortAttribute::PortCountersExtended, PortAttribute::PortCounters};
    return {PortAttribute::PortCounters};
}

FabricPorts portOf(AttributeView answer, PortAttribute attribute, PortCapabilities capabilities, const std::string& port)
{
    FabricPorts told;
    told.standardNames = true;
    told.all.emplace_back().port = port;
    if (attribute == PortAttribute::PortCountersExtended) {
        take(answer, wideTraffic, told);
        if (capabilities.wideErrors) take(answer, wideErrors, told);
        return told;
    }
    if (!capabilities.wide) take(answer, narrowTraffic, told);
    take(answer, narrowErrors, told);
    if (capabilities.wait) take(answer, narrowWait, told);
    return told;
}

}  // namespace flowgauge::remote
