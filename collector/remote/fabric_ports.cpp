// SPDX-License-Identifier: MIT
#include "collector/remote/fabric_ports.h"

#include <cctype>

namespace flowgauge::remote {
namespace {

struct FieldName {
    std::string_view name;
    FabricField field;
};
constexpr std::array fieldNames{
    FieldName{"PortXmitDataExtended", FabricField::TxData},
    FieldName{"PortRcvDataExtended", FabricField::RxData},
    FieldName{"Infiniband_MBOut", FabricField::TxData},
    FieldName{"Infiniband_MBIn", FabricField::RxData},
    FieldName{"Infiniband_MBOut_u_Gb", FabricField::TxData},
    FieldName{"Infiniband_MBIn_u_Gb", FabricField::RxData},
    FieldName{"PortXmitPktsExtended", FabricField::TxPackets},
    FieldName{"PortRcvPktsExtended", FabricField::RxPackets},
    FieldName{"Infiniband_PckOut", FabricField::TxPackets},
    FieldName{"Infiniband_PckIn", FabricField::RxPackets},
    FieldName{"Infiniband_PckOut_u_Packets", FabricField::TxPackets},
    FieldName{"Infiniband_PckIn_u_Packets", FabricField::RxPackets},
    FieldName{"PortXmitWaitExt", FabricField::TxWait},
    FieldName{"PortXmitWaitExtended", FabricField::TxWait},
    FieldName{"Infiniband_XmitWait", FabricField::TxWait},
    FieldName{"SymbolErrorCounterExtended", FabricField::SymbolErrors},
    FieldName{"Infiniband_SymbolErrors", FabricField::SymbolErrors},
    FieldName{"Symbol_Errors", FabricField::SymbolErrors},
    FieldName{"LinkErrorRecoveryCounterExtended", FabricField::LinkRecoveries},
    FieldName{"Infiniband_LinkRecovers", FabricField::LinkRecoveries},
    FieldName{"LinkDownedCounterExtended", FabricField::LinkDowned},
    FieldName{"Infiniband_LinkDowned", FabricField::LinkDowned},
    FieldName{"Link_Down_IB", FabricField::LinkDowned},
    FieldName{"PortRcvErrorsExtended", FabricField::RxErrors},
    FieldName{"PortRcvErrors", FabricField::RxErrors},
    FieldName{"Infiniband_RcvErrors", FabricField::RxErrors},
    FieldName{"PortXmitDiscardsExtended", FabricField::TxDiscards},
    FieldName{"Infiniband_XmtDiscards", FabricField::TxDiscards},
};

constexpr std::array<Counter, fabricFieldCount> counters{
    Counter::FabricTxWords,  Counter::FabricRxWords,      Counter::FabricTxPackets,      Counter::FabricRxPackets,
    Counter::FabricTxWait,   Counter::FabricSymbolErrors, Counter::FabricLinkRecoveries, Counter::FabricLinkDowned,
    Counter::FabricRxErrors, Counter::FabricTxDiscards};

Counter counterOf(FabricField field, FabricUnit::Unit unit)
{
    const bool sent = field == FabricField::TxData;
    if (sent || field == FabricField::RxData) {
        if (unit == FabricUnit::Unit::Bytes) return sent ? Counter::FabricTxBytes : Counter::FabricRxBytes;
        if (unit == FabricUnit::Unit::Unknown) return sent ? Counter::FabricTxRaw : Counter::FabricRxRaw;
    }
    return counters[static_cast<std::size_t>(field)];
}

/// What one port's data and packets say of the unit.
FabricUnit::Unit vote(const std::optional<std::uint64_t>& data, const std::optional<std::uint64_t>& packets)
{
    constexpr std::uint64_t enough = 1000;
    constexpr double largestPacket = 4300, smallestPacket = 24, idleBytes = 288, idleWords = 72;
    if (!data || !packets || *packets < enough) return FabricUnit::Unit::Unknown;
    const double each = static_cast<double>(*data) / static_cast<double>(*packets);
    const auto isNear = [each](double value) { return each > value - 0.5 && each < value + 0.5; };
    if (isNear(idleWords) || (each > 1 && each < smallestPacket)) return FabricUnit::Unit::Words;
    if (isNear(idleBytes) || (each > largestPacket / 4 && each < largestPacket)) return FabricUnit::Unit::Bytes;
    return FabricUnit::Unit::Unknown;
}

}  // namespace

std::optional<FabricField> fabricFieldOf(std::string_view name)
{
    for (const FieldName& row : fieldNames)
        if (row.name == name) return row.field;
    return std::nullopt;
}

std::string guidOf(std::string_view text)
{
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    std::string digits;
    for (const char letter : text) {
        if (letter == ':' || letter == ' ') continue;
        if (std::isxdigit(static_cast<unsigned char>(letter)) == 0) return {};
        digits += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    if (digits.empty() || digits.size() > 16) return {};
    return std::string(16 - digits.size(), '0') + digits;
}

/// What one reading settled, holds: counters that are read later mix bulk traffic with the past.
FabricUnit::Unit FabricUnit::learn(const FabricPorts& ports)
{
    for (const FabricPort& port : ports.all)
        for (const Unit said : {vote(port[FabricField::TxData], port[FabricField::TxPackets]),
                                vote(port[FabricField::RxData], port[FabricField::RxPackets])}) {
            if (said == Unit::Unknown) continue;
            m_contradicted = m_contradicted || (m_unit != Unit::Unknown && m_unit != said);
            if (m_unit == Unit::Unknown) m_unit = said;
        }
    if (m_contradicted) return Unit::Unknown;
    return m_unit == Unit::Unknown && ports.standardNames ? Unit::Words : m_unit;
}

Readings readingsOf(const FabricPorts& ports, FabricUnit::Unit unit, const std::map<std::string, std::string>& names)
{
    Readings readings;
    readings.troubles = ports.troubles;
    if (unit == FabricUnit::Unit::Unknown)
        readings.troubles.emplace_back("in which unit it tells data could not be found out: kept as it is, in no sum of bytes");
    if (ports.all.size() > mostPorts)
        readings.troubles.push_back("it has more ports than are recorded: the first " + std::to_string(mostPorts));
    for (std::size_t i = 0; i < ports.all.size() && i < mostPorts; ++i) {
        const FabricPort& port = ports.all[i];
        const auto named = names.find(port.port);
        for (std::size_t field = 0; field < fabricFieldCount; ++field)
            if (port.values[field])
                readings.all.push_back({counterOf(static_cast<FabricField>(field), unit), named == names.end() ? port.port : named->second,
                                        *port.values[field], port.measuredNs});
    }
    return readings;
}

}  // namespace flowgauge::remote
