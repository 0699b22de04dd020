// SPDX-License-Identifier: MIT
#include "collector/remote/ufm_text.h"

#include "collector/record/error.h"

#include <gtest/gtest.h>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace flowgauge::remote {
namespace {

const std::string header =
    "timestamp,Node_GUID,port_guid,Port_Number,PortXmitDataExtended,PortXmitPktsExtended,SymbolErrorCounterExtended\n";

/// A file of the fixtures, or a skipped test where there are none.
std::string fixture(const std::string& name)
{
    const char* const folder = std::getenv("FLOWGAUGE_FIXTURES");
    std::ifstream in(std::string(folder == nullptr ? "" : folder) + "/ib/" + name);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(UfmCsv, HasARowAPortAndNoValueForAnEmptyCell)
{
    const FabricPorts ports =
        parseUfmCsv(header + "1709652347161873,0x1,0x0200000000000202,1,7200,100,\n1709652347161873,0x1,0x203,2,72,,45C\n");
    ASSERT_EQ(ports.all.size(), 2U);
    EXPECT_EQ(ports.all[0].port, "0200000000000202/1");
    EXPECT_EQ(ports.all[0].measuredNs, 1'709'652'347'161'873'000);
    EXPECT_EQ(ports.all[0][FabricField::TxData], 7200U);
    EXPECT_EQ(ports.all[0][FabricField::SymbolErrors], std::nullopt);
    EXPECT_EQ(ports.all[1].port, "0000000000000203/2");
    EXPECT_EQ(ports.all[1][FabricField::TxPackets], std::nullopt);
    EXPECT_EQ(ports.all[1][FabricField::SymbolErrors], std::nullopt) << "45C is no number";
    EXPECT_TRUE(ports.standardNames);
}

TEST(Moment, IsNotToldWhereTheTextIsNoTime)
{
    EXPECT_EQ(momentNs(1'700'000'000'000'000, 1000), 1'700'000'000'000'000'000);
    for (const double told : {0.0, -1.0, 1.7e16, 1e300}) EXPECT_EQ(momentNs(told, 1000), 0) << told;
    EXPECT_EQ(parseUfmCsv(header + "17000000000000000000,0x1,0x2,2,72,1,0\n").all.at(0).measuredNs, 0);
}

TEST(UfmCsv, ARowThatWasCutOffIsLeftOutAndTold)
{
    for (const char* const rest : {"1,0x1,0x2,1,72", "1,0x1,0x2,1,72,1,0", "1,0x1,0x2,1,72\n"}) {
        const FabricPorts ports = parseUfmCsv(header + "1,0x1,0x2,2,72,1,0\n" + rest);
        EXPECT_EQ(ports.all.size(), 1U) << rest;
        EXPECT_EQ(ports.troubles.size(), 1U) << rest;
    }
}

TEST(UfmCsv, WhatIsNoTableOfPortsIsAnError)
{
    for (const char* const text : {"", "\n", "<html>", "timestamp,source_id\n1,2\n"}) EXPECT_THROW((void)parseUfmCsv(text), Error) << text;
    EXPECT_TRUE(parseUfmCsv(header).all.empty());
}

TEST(UfmCsv, OfSeveralPlanesOnlyTheirSumIsTaken)
{
    const FabricPorts ports = parseUfmCsv(
        "timestamp,sys_image_guid,port_guid,port_num,aport,port_type,PortXmitDataExtended\n"
        "1,0x9,0x2,1,1,plane,1000\n1,0x9,0x2,2,1,plane,1000\n1,0x9,0x2,,1,aggregated,2000\n1,0x9,0x2,5,,legacy,77\n");
    ASSERT_EQ(ports.all.size(), 2U);
    EXPECT_EQ(ports.all[0].port, "0000000000000009/1");
    EXPECT_EQ(ports.all[0][FabricField::TxData], 2000U);
    EXPECT_EQ(ports.all[1][FabricField::TxData], 77U);
}

TEST(UfmPrometheus, PutsTheLinesOfAPortTogether)
{
    const FabricPorts ports = parseUfmPrometheus(
        "# TYPE PortXmitDataExtended counter\n"
        "PortXmitDataExtended{source=\"0x1\",port_guid=\"0x202\",port_num=\"1\"} 8.64e+4 1628683905941\n"
        "PortXmitPktsExtended{source=\"0x1\",port_guid=\"0x202\",port_num=\"1\"} 1200 1628683905941\n"
        "other{port_guid=\"0x202\"} 5\nPortXmitPktsExtended{port_guid=\"0x203\",port_num=\"1\"} 12");
    ASSERT_EQ(ports.all.size(), 1U);
    EXPECT_EQ(ports.all[0][FabricField::TxData], 86'400U);
    EXPECT_EQ(ports.all[0][FabricField::TxPackets], 1200U);
    EXPECT_EQ(ports.all[0].measuredNs, 1'628'683'905'941'000'000);
    EXPECT_EQ(ports.troubles.size(), 1U) << "the last line has no end";
    EXPECT_THROW((void)parseUfmPrometheus("up 1\n"), Error);
}

TEST(UfmSnapshot, HasLocalTimesWhoseZoneTheAnswersOwnTimeTells)
{
    constexpr std::int64_t utc = 1'709'648'771'000'000'000;  // 2024-03-05 14:26:11
    const std::string text = R"({"2024-03-05 16:26:11": {"Port": {"0200000000000202_1": {"last_updated": "2024-03-05 16:25:47",
        "statistics": {"Infiniband_MBOut": 4086720, "Infiniband_PckOut": 14190, "Infiniband_MBIn": null}}, "odd": 5}}})";
    const FabricPorts ports = parseUfmSnapshot(text, utc + 400'000'000);
    ASSERT_EQ(ports.all.size(), 1U);
    EXPECT_EQ(ports.all[0].measuredNs, utc - 24'000'000'000);
    EXPECT_EQ(ports.all[0][FabricField::TxData], 4'086'720U);
    EXPECT_EQ(ports.all[0][FabricField::RxData], std::nullopt);
    for (const char* const bad : {"", "{", "[]", "{}", R"({"2024-03-05 16:26:11": {"Port": 5}})"})
        EXPECT_THROW((void)parseUfmSnapshot(bad, utc), Error) << bad;
}

TEST(UfmNames, AreNodeAndPlaceOfThePort)
{
    const auto names = parseUfmNames(R"([{"name": "202_1", "path": "default(1) / Computer: node-a / HCA-1/1", "dname": "HCA-1/1"},
                                         {"name": "x"}, 5])");
    EXPECT_EQ(names, (std::map<std::string, std::string>{{"0000000000000202/1", "node-a HCA-1/1"}}));
    EXPECT_THROW((void)parseUfmNames("{}"), Error);
}

TEST(Guid, HasOneSpelling)
{
    for (const char* const text :
         {"0200:0000:0000:0001", "0x0200000000000001", "0x200000000000001", "0200000000000001", " 0X0200000000000001 "})
        EXPECT_EQ(guidOf(std::string_view(text).substr(text[0] == ' ' ? 1 : 0)), "0200000000000001") << text;
    EXPECT_EQ(guidOf("node-a"), "");
    EXPECT_EQ(guidOf("12345678901234567"), "");
    EXPECT_EQ(guidOf("abCDef"), "0000000000abcdef");
}

FabricPorts portWith(std::uint64_t data, std::uint64_t packets, bool standard)
{
    FabricPort port;
    port.port = "1/1";
    port[FabricField::TxData] = data;
    port[FabricField::TxPackets] = packets;
    return {{port}, standard, {}};
}

TEST(FabricUnit, IsFoundOutByBytesAPacket)
{
    using Unit = FabricUnit::Unit;
    EXPECT_EQ(FabricUnit().learn(portWith(4'086'720, 14'190, false)), Unit::Bytes) << "288 each: an idle fabric, in bytes";
    EXPECT_EQ(FabricUnit().learn(portWith(85'554'128'244, 1'188'251'785, false)), Unit::Words) << "72 each: the same in words";
    EXPECT_EQ(FabricUnit().learn(portWith(4'158'000, 1000, true)), Unit::Bytes) << "no packet has so many words";
    EXPECT_EQ(FabricUnit().learn(portWith(1'039'500, 1000, true)), Unit::Words) << "either could be: the standard says words";
    EXPECT_EQ(FabricUnit().learn(portWith(1'039'500, 1000, false)), Unit::Unknown);
    EXPECT_EQ(FabricUnit().learn(portWith(288, 1, false)), Unit::Unknown) << "too few packets";
    FabricUnit unit;
    EXPECT_EQ(unit.learn(portWith(4'158'000, 1000, false)), Unit::Bytes);
    EXPECT_EQ(unit.learn(portWith(500'000, 1000, false)), Unit::Bytes) << "what was settled holds";
    EXPECT_EQ(unit.learn(portWith(7'500, 1000, false)), Unit::Unknown) << "one of the two cannot be";
}

TEST(UfmFixtures, HaveTheirValues)
{
    if (std::getenv("FLOWGAUGE_FIXTURES") == nullptr) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    const FabricPorts primary = parseUfmCsv(fixture("ufm_csv_shape/primary_9001_csv_metrics.csv"));
    ASSERT_EQ(primary.all.size(), 2U);
    EXPECT_EQ(primary.all[1].port, "0200000000000202/2");
    EXPECT_EQ(primary.all[1][FabricField::TxData], 85'554'200'244U);
    EXPECT_EQ(primary.all[1][FabricField::RxData], std::nullopt);
    EXPECT_EQ(primary.all[1][FabricField::LinkDowned], 1U);
    EXPECT_EQ(FabricUnit().learn(primary), FabricUnit::Unit::Words);
    EXPECT_EQ(parseUfmCsv(fixture("ufm_csv_shape/partial_body.csv")).all.size(), 0U);
    EXPECT_EQ(parseUfmCsv(fixture("ufm_csv_shape/xdr_rows.csv")).all.size(), 2U);
    EXPECT_EQ(parseUfmCsv(fixture("ufm_csv_shape/secondary_9002_csv_xcset.csv")).all.at(0)[FabricField::SymbolErrors], 0U);
    EXPECT_EQ(parseUfmPrometheus(fixture("ufm_prom/metrics.txt")).all.at(0)[FabricField::TxPackets], 1'188'251'785U);
    EXPECT_EQ(parseUfmNames(fixture("ufm_rest_shape/ports.json")).at("0200000000000202/1"), "node-a HCA-1/1");
    const FabricPorts snapshot = parseUfmSnapshot(fixture("ufm_rest_shape/snapshot_response.json"), 1'709'655'971'000'000'000);
    EXPECT_EQ(FabricUnit().learn(snapshot), FabricUnit::Unit::Bytes);
}

}  // namespace
}  // namespace flowgauge::remote
