// SPDX-License-Identifier: MIT
#include "collector/remote/port_counters.h"

#include <gtest/gtest.h>

namespace flowgauge::remote {
namespace {

/// 1, 2, 3, ... 191: every number says where it was read.
std::array<std::uint8_t, attributeBytes> numbered()
{
    std::array<std::uint8_t, attributeBytes> bytes{};
    for (std::size_t at = 0; at < bytes.size(); ++at) bytes[at] = static_cast<std::uint8_t>(at);
    return bytes;
}

std::array<std::uint8_t, attributeBytes> classPortInfo(std::array<std::uint8_t, 6> masks)
{
    std::array<std::uint8_t, attributeBytes> bytes{1, 1, masks[0], masks[1], masks[2], masks[3], masks[4], masks[5]};
    return bytes;
}

using Values = std::array<std::optional<std::uint64_t>, fabricFieldCount>;
constexpr std::optional<std::uint64_t> none;
Values valuesOf(PortAttribute attribute, PortCapabilities capabilities)
{
    const FabricPorts told = portOf(numbered(), attribute, capabilities, "lid 1 port 2");
    EXPECT_EQ(told.all.size(), 1U);
    EXPECT_EQ(told.all[0].port, "lid 1 port 2");
    EXPECT_TRUE(told.troubles.empty());
    return told.all[0].values;
}

TEST(PortCounters, OfAnAgentAreAsWideAsItSays)
{
    // perfquery of an EDR switch prints CapMask 0x5A00 and CapMask2 0x0000002; the last 5 bits beside it are a time.
    const PortCapabilities edr = capabilitiesOf(classPortInfo({0x5a, 0x00, 0, 0, 0, 2 << 5 | 0x12}));
    EXPECT_TRUE(edr.wide && edr.wideErrors && edr.wait);
    const PortCapabilities ibsim = capabilitiesOf(classPortInfo({0x12, 0x00, 0, 0, 0, 0x12}));
    EXPECT_TRUE(ibsim.wide && !ibsim.wideErrors && ibsim.wait);
    const PortCapabilities withoutUnicast = capabilitiesOf(classPortInfo({0x04, 0x00, 0, 0, 0, 2 << 5}));
    EXPECT_TRUE(withoutUnicast.wide && !withoutUnicast.wideErrors && !withoutUnicast.wait);
    const PortCapabilities old = capabilitiesOf(classPortInfo({0x01, 0x00, 0, 0, 0, 0x1f}));
    EXPECT_TRUE(!old.wide && !old.wideErrors && !old.wait);
}

TEST(PortCounters, AreAskedForByNoMoreQuestionsThanNeeded)
{
    using enum PortAttribute;
    EXPECT_EQ(attributesOf({true, true, true}), (std::vector{PortCountersExtended}));
    EXPECT_EQ(attributesOf({true, false, true}), (std::vector{PortCountersExtended, PortCounters}));
    EXPECT_EQ(attributesOf({false, false, true}), (std::vector{PortCounters}));
}

/// Places by hand from the tables of 16.1.3.5 and 16.1.4: TxData, RxData, TxPackets, RxPackets, TxWait, SymbolErrors, LinkRecoveries,
/// LinkDowned, RxErrors, TxDiscards.
TEST(PortCounters, StandWhereTheStandardHasThem)
{
    EXPECT_EQ(valuesOf(PortAttribute::PortCounters, {false, false, true}),
              (Values{0x18191a1b, 0x1c1d1e1f, 0x20212223, 0x24252627, 0x28292a2b, 0x0405, 0x06, 0x07, 0x0809, 0x0e0f}));
    EXPECT_EQ(valuesOf(PortAttribute::PortCounters, {true, false, false}),
              (Values{none, none, none, none, none, 0x0405, 0x06, 0x07, 0x0809, 0x0e0f}));
    EXPECT_EQ(valuesOf(PortAttribute::PortCountersExtended, {true, false, true}),
              (Values{0x08090a0b0c0d0e0f, 0x1011121314151617, 0x18191a1b1c1d1e1f, 0x2021222324252627}));
    EXPECT_EQ(valuesOf(PortAttribute::PortCountersExtended, {true, true, true}),
              (Values{0x08090a0b0c0d0e0f, 0x1011121314151617, 0x18191a1b1c1d1e1f, 0x2021222324252627, 0xa8a9aaabacadaeaf,
                      0x48494a4b4c4d4e4f, 0x5051525354555657, 0x58595a5b5c5d5e5f, 0x6061626364656667, 0x78797a7b7c7d7e7f}));
}

TEST(PortCounters, AtTheirLargestValueAreLeftOutAndNamed)
{
    std::array<std::uint8_t, attributeBytes> bytes{};
    bytes.fill(0xff);
    const FabricPorts told = portOf(bytes, PortAttribute::PortCounters, {false, false, true}, "lid 1 port 2");
    EXPECT_EQ(told.all[0].values, Values{});
    EXPECT_EQ(told.troubles.size(), fabricFieldCount);
    bytes[43] = 0xfe;
    const FabricPorts below = portOf(bytes, PortAttribute::PortCounters, {true, false, true}, "lid 1 port 2");
    EXPECT_EQ(below.all[0][FabricField::TxWait], 0xfffffffeU);
    EXPECT_EQ(below.troubles.size(), 5U);
    EXPECT_EQ(below.troubles[2],
              "lid 1 port 2: LinkDownedCounter stands at its largest value: what came since is not measured, until the fabric's manager "
              "resets it");
}

TEST(PortCounters, DataAreWordsOfFourBytes)
{
    std::array<std::uint8_t, attributeBytes> bytes{};
    bytes[14] = 0x01;  // 256 words
    const FabricPorts told = portOf(bytes, PortAttribute::PortCountersExtended, {true, false, false}, "lid 1 port 2");
    const Readings readings = readingsOf(told, FabricUnit::Unit::Words, {});
    ASSERT_EQ(readings.all.size(), 4U);
    EXPECT_EQ(readings.all[0].counter, Counter::FabricTxWords);
    EXPECT_EQ(readings.all[0].value * rowOf(readings.all[0].counter).scale, 1024U);  // bytes
}

}  // namespace
}  // namespace flowgauge::remote
