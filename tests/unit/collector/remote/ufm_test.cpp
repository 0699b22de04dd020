// SPDX-License-Identifier: MIT
// The UFM clients against a stand-in, by every way of proving who one is, and through its faults.
#include "collector/remote/ufm.h"

#include "collector/record/error.h"
#include "tests/unit/collector/remote/stand_in.h"

#include <gtest/gtest.h>

namespace flowgauge::remote {
namespace {

constexpr const char* script = "ufm/ufm_stand_in.py";
const Login login{"admin", "fabric of lies"};

/// One source that asks one stand-in.
struct Fabric {
    Fabric(const std::string& switches, bool tls)
        : server(script, switches, tls), http({server.base(), tls ? server.certificate() : "", {}, false, std::chrono::seconds(20)})
    {
        Notebook::clear();
    }
    std::string poll(Source& source) { return pollOf(source, http, recording); }
    StandIn server;
    Http http;
    Recording recording{"fabric", "here", Notebook::outlet};
};

struct Way {
    const char* name;
    const char* prefix;
    const char* switches;
};
class UfmWays : public testing::TestWithParam<Way> {};

TEST_P(UfmWays, TellTheSamePortAndOutliveASessionThatEnds)
{
    Fabric fabric(GetParam().switches, true);
    UfmRest source(UfmSession(GetParam().prefix, login));
    ASSERT_EQ(fabric.poll(source), "");
    const std::string port = "node-a HCA-1/1";
    EXPECT_EQ(Notebook::value(Counter::FabricTxBytes, port), 4'158'000'000U);
    EXPECT_EQ(Notebook::value(Counter::FabricRxPackets, port), 1'000'000U);
    EXPECT_TRUE(Notebook::says("measured: data of its ports: bytes"));
    fabric.server.set(R"({"expire": 1, "skew_s": 60})");
    EXPECT_EQ(fabric.poll(source), "");
    EXPECT_EQ(Notebook::value(Counter::FabricTxBytes, port), 8'316'000'000U);
}

TEST_P(UfmWays, AWrongPasswordIsNotTriedForEver)
{
    Fabric fabric(GetParam().switches, true);
    UfmRest source(UfmSession(GetParam().prefix, {"admin", "wrong & strange"}));
    EXPECT_EQ(fabric.poll(source), "login: user, password or token were refused");
    EXPECT_FALSE(source.givenUp());
    EXPECT_EQ(fabric.poll(source), "login: user, password or token were refused");
    EXPECT_TRUE(source.givenUp());
}

INSTANTIATE_TEST_SUITE_P(All, UfmWays,
                         testing::Values(Way{"Basic", "/ufmRest", "{}"}, Way{"Session", "/ufmRestV2", "{}"},
                                         Way{"Token", "/ufmRestV3", "{}"}, Way{"BearerToken", "/ufmRestV3", R"({"bearer": true})"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(UfmRest, FaultsEndTheirOwnRoundOnly)
{
    Fabric fabric("{}", true);
    UfmRest source(UfmSession("", login));
    ASSERT_EQ(fabric.poll(source), "");
    const std::pair<const char*, const char*> faults[] = {
        {R"({"busy": 1})", "it answered with status 503"},       {R"({"cut": 1})", "the answer was cut off"},
        {R"({"redirect": 1})", "it answered with status 302"},   {R"({"status_403": 1})", "it answered with status 403"},
        {R"({"status_500": 1})", "it answered with status 500"}, {R"({"no_json": 1})", "is not whole, or no JSON"}};
    for (const auto& [switches, said] : faults) {
        fabric.server.set(switches);
        EXPECT_NE(fabric.poll(source).find(said), std::string::npos) << switches;
        EXPECT_EQ(fabric.poll(source), "") << switches;
    }
    EXPECT_THROW(UfmSession("/ufmRestV9", login), Error);
}

TEST(UfmRest, AnAnswerMayComeCompressed)
{
    Fabric fabric(R"({"gzip": true})", true);
    UfmRest source(UfmSession("", login));
    ASSERT_EQ(fabric.poll(source), "");
    EXPECT_EQ(Notebook::value(Counter::FabricTxBytes, "node-a HCA-1/1"), 4'158'000'000U);
}

TEST(UfmRest, ACertificateOfAnotherNameIsNotTrusted)
{
    Fabric fabric(R"({"tls_name": "elsewhere"})", true);
    UfmRest source(UfmSession("", login));
    EXPECT_NE(fabric.poll(source).find("its certificate is not one to trust"), std::string::npos);
    EXPECT_TRUE(Notebook::samples.empty());
}

TEST(UfmRest, AClientCertificateIsShownWhereOneIsDemanded)
{
    Fabric without(R"({"demand_client": true})", true);
    UfmRest source(UfmSession("", login));
    EXPECT_NE(without.poll(source), "");
    Http http({without.server.base(), without.server.certificate(), without.server.certificate().parent_path() / "client.pem", false,
               std::chrono::seconds(20)});
    EXPECT_EQ(pollOf(source, http, without.recording), "");
    EXPECT_EQ(Notebook::value(Counter::FabricRxPackets, "node-a HCA-1/1"), 1'000'000U);
}

class UfmTables : public testing::TestWithParam<const char*> {};

TEST_P(UfmTables, TellDataInWordsAndNeedNoLogin)
{
    Fabric fabric("{}", false);
    UfmTelemetry source(GetParam());
    ASSERT_EQ(fabric.poll(source), "");
    EXPECT_EQ(Notebook::value(Counter::FabricTxWords, "0200000000000202/1"), 1'039'500'000U) << "x 4 bytes";
    EXPECT_EQ(Notebook::value(Counter::FabricTxPackets, "0200000000000202/1"), 1'000'000U);
    EXPECT_EQ(Notebook::value(Counter::FabricTxWait, "0200000000000202/1"), std::nullopt) << "its cell is empty";
    fabric.server.set(R"({"counters_reset": 1, "skew_s": 60})");
    ASSERT_EQ(fabric.poll(source), "");
    EXPECT_EQ(Notebook::value(Counter::FabricTxPackets, "0200000000000202/1"), 1'000'000U);
    EXPECT_EQ(Notebook::count(Counter::FabricTxPackets, "0200000000000202/1"), 2U) << "the reset is kept as it was told";
}

INSTANTIATE_TEST_SUITE_P(All, UfmTables, testing::Values("", "/metrics"),
                         [](const auto& test) { return std::string(*test.param == '\0' ? "Csv" : "Prometheus"); });

TEST(UfmTelemetry, APathThatIsNotThereIsSaid)
{
    Fabric fabric("{}", false);
    UfmTelemetry source("/csv/other");
    EXPECT_EQ(fabric.poll(source), "/csv/other: it answered with status 404");
}

}  // namespace
}  // namespace flowgauge::remote
