// SPDX-License-Identifier: MIT
// The OneFS client against a stand-in for the cluster, through every fault that the stand-in can play.
#include "collector/remote/onefs.h"

#include "collector/record/error.h"
#include "tests/unit/collector/remote/stand_in.h"

#include <gtest/gtest.h>
#include <thread>

namespace flowgauge::remote {
namespace {

constexpr const char* script = "onefs/onefs_stand_in.py";
const Login login{"monitor", "correct horse battery"};

/// One client that asks one stand-in.
struct Cluster {
    explicit Cluster(const std::string& switches = "{}", const Login& who = login)
        : server(script, switches),
          http({server.base(), server.certificate(), {}, false, std::chrono::seconds(20)}),
          source(who, server.base())
    {
        Notebook::clear();
    }
    std::string poll() { return pollOf(source, http, recording); }
    StandIn server;
    Http http;
    Recording recording{"storage", "here", Notebook::outlet};
    OneFs source;
};

TEST(OneFs, TellsWhatTheClusterDid)
{
    Cluster cluster;
    ASSERT_EQ(cluster.poll(), "");
    EXPECT_EQ(Notebook::value(Counter::StorageReadRate, ""), 2'000'000'000U);
    EXPECT_EQ(Notebook::value(Counter::StorageDiskReadRate, ""), 750'000'000U);
    EXPECT_EQ(Notebook::value(Counter::StorageNetTxRate, ""), 2'050'000'000U);
    EXPECT_EQ(Notebook::value(Counter::StorageNfsReadRate, "nfs3"), 300'020'000U);
    EXPECT_EQ(Notebook::value(Counter::StorageNfsOps, "nfs3"), 400U);
    EXPECT_EQ(Notebook::value(Counter::StorageNfsTimeUs, "nfs3"), 700U) << "(300 x 900 + 100 x 100) / 400";
    EXPECT_EQ(Notebook::value(Counter::StorageNfsReadRate, "nfs4"), std::nullopt) << "nobody uses it";
    EXPECT_EQ(Notebook::value(Counter::StorageNfsReadRate, "client 10.0.0.7"), 300'000'000U);
    EXPECT_EQ(Notebook::value(Counter::StorageNfsReadRate, "client 10.0.0.9"), std::nullopt) << "not by NFS";
    EXPECT_EQ(*Notebook::value(Counter::StorageL1Hits, "node 2") * 10, *Notebook::value(Counter::StorageL1Reads, "node 2") * 4);
    EXPECT_EQ(Notebook::value(Counter::StorageL3Reads, "node 1"), std::nullopt) << "an all-flash node has no L3";
    EXPECT_TRUE(Notebook::says("degraded: it says of itself that it is a stand-in"));
}

TEST(OneFs, ASecondRoundUsesTheSessionOfTheFirst)
{
    Cluster cluster;
    ASSERT_EQ(cluster.poll(), "");
    ASSERT_EQ(cluster.poll(), "");
    EXPECT_EQ(cluster.server.count("/session/1/session"), 1);
    EXPECT_EQ(cluster.server.count("/platform/1/statistics/keys/node.ifs.cache"), 1);
}

TEST(OneFs, AValueThatTheClusterKeepsIsStoredOnceAndNotAskedForBeforeItIsNew)
{
    Cluster cluster(R"({"cache_s": 3600})");
    ASSERT_EQ(cluster.poll(), "");
    ASSERT_EQ(cluster.poll(), "");
    EXPECT_EQ(Notebook::count(Counter::StorageDiskReadRate, ""), 1U);
    EXPECT_EQ(cluster.source.period(), std::chrono::seconds(3600));
    EXPECT_EQ(cluster.server.count("/platform/1/statistics/current"), 2) << "one for the cluster, one for its nodes";
}

struct Fault {
    const char* name;
    const char* switches;
    const char* said;  ///< how the round's error begins; "" it goes well all the same
    int logins;        ///< over all three rounds: before the fault, in it, after it
};
class OneFsFaults : public testing::TestWithParam<Fault> {};

TEST_P(OneFsFaults, EndAtMostTheirOwnRound)
{
    const Fault& fault = GetParam();
    Cluster cluster;
    ASSERT_EQ(cluster.poll(), "");
    cluster.server.set(fault.switches);
    const std::string said = cluster.poll();
    if (*fault.said == '\0') {
        EXPECT_EQ(said, "");
    } else {
        EXPECT_NE(said.find(fault.said), std::string::npos) << said;
    }
    EXPECT_EQ(cluster.poll(), "");
    EXPECT_EQ(cluster.server.count("/session/1/session"), fault.logins);
    EXPECT_EQ(Notebook::value(Counter::StorageDiskReadRate, ""), 750'000'000U);
}

INSTANTIATE_TEST_SUITE_P(Cluster, OneFsFaults,
                         testing::Values(Fault{"SessionExpired", R"({"expire": 1})", "", 2},
                                         Fault{"SessionExpiredToldInHtml", R"({"expire": 1, "html401": true})", "", 2},
                                         Fault{"AnotherNodeAnswers", R"({"node": 2})", "", 2},
                                         Fault{"ReplacementCookie", R"({"replace": 1})", "", 1},
                                         Fault{"RefusedTwice", R"({"expire": 2})", "status 401: authorization required", 3},
                                         Fault{"Unavailable", R"({"busy": 1})", "it answered with status 503", 1},
                                         Fault{"Redirect", R"({"redirect": 1})", "it answered with status 302", 1},
                                         Fault{"ConnectionClosed", R"({"reset": 2})", "localhost", 1},
                                         Fault{"Truncated", R"({"cut": 1})", "the answer was cut off", 1},
                                         Fault{"NoJson", R"({"no_json": 1})", "is not whole, or no JSON", 1},
                                         Fault{"ErrorOfTheWholeRequest", R"({"whole_error": 1})", "the statistics daemon is restarting", 1},
                                         Fault{"DuplicateRows", R"({"twice": true})", "", 1},
                                         Fault{"CacheCountersReset", R"({"cache_reset": 1})", "", 1}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(OneFs, WithoutTheTokenAgainstForgedRequestsWorksToo)
{
    Cluster cluster(R"({"csrf": false})");
    EXPECT_EQ(cluster.poll(), "");
}

TEST(OneFs, ARefusedPasswordIsNotTriedForEver)
{
    Cluster cluster("{}", {"monitor", "wrong"});
    EXPECT_EQ(cluster.poll(), "login: user or password were refused");
    EXPECT_FALSE(cluster.source.givenUp());
    EXPECT_EQ(cluster.poll(), "login: user or password were refused");
    EXPECT_TRUE(cluster.source.givenUp());
}

TEST(OneFs, KeysThatAReleaseLacksAreLeftOut)
{
    Cluster cluster(R"({"unknown_keys": ["node.ifs.cache"], "no_clients": true,
                        "rows": {"ifs.ops.in.rate": {"value": null, "error": "gone", "error_code": 1}}})");
    ASSERT_EQ(cluster.poll(), "");
    ASSERT_EQ(cluster.poll(), "");
    EXPECT_TRUE(Notebook::says("absent: node.ifs.cache: this release has no such key"));
    EXPECT_TRUE(Notebook::says("absent: this release does not tell what each client does"));
    EXPECT_EQ(std::count(Notebook::ledger.begin(), Notebook::ledger.end(), "degraded: ifs.ops.in.rate: not present"), 1);
    EXPECT_EQ(cluster.server.count("/platform/3/statistics/summary/client"), 1);
}

TEST(OneFs, ACertificateThatNobodyTrustsIsRefusedAndSaidHowToHelp)
{
    const StandIn server(script, "{}");
    Notebook::clear();
    Recording recording{"storage", "here", Notebook::outlet};
    OneFs source(login, server.base());
    Http distrustful({server.base(), {}, {}, false, std::chrono::seconds(20)});
    try {
        source.poll(distrustful, recording);
        ADD_FAILURE() << "it was trusted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("--ca FILE"), std::string::npos) << error.what();
    }
    Http careless({server.base(), {}, {}, true, std::chrono::seconds(20)});
    source.poll(careless, recording);
    EXPECT_EQ(Notebook::value(Counter::StorageDiskReadRate, ""), 750'000'000U);
}

TEST(OneFs, AClockThatIsWrongIsToldAndDoesNotMoveTheSamples)
{
    for (const int skew : {600, -600}) {
        const Ticks before = now();
        Cluster cluster(R"({"skew_s": )" + std::to_string(skew) + "}");
        ASSERT_EQ(cluster.poll(), "");
        EXPECT_TRUE(Notebook::says("measured: its clock is ")) << skew;
        for (const Notebook::Sample& sample : Notebook::samples) {
            EXPECT_GE(sample.at, before);
            EXPECT_LE(sample.at, now());
        }
    }
}

TEST(OneFs, AServerThatIsTooSlowIsLeftInTime)
{
    StandIn server(script, R"({"slow": 1000, "slow_s": 600})");
    Http http({server.base(), server.certificate(), {}, false, std::chrono::milliseconds(300)});
    Recording recording{"storage", "here", Notebook::outlet};
    OneFs source(login, server.base());
    EXPECT_THROW(source.poll(http, recording), Error);
}

TEST(OneFs, AQuestionUnderWayEndsWhenTheRunDoes)
{
    StandIn server(script, R"({"slow": 1000, "slow_s": 600})");
    Http http({server.base(), server.certificate(), {}, false, std::chrono::minutes(10)});
    Recording recording{"storage", "here", Notebook::outlet};
    OneFs source(login, server.base());
    std::thread asking([&] { EXPECT_THROW(source.poll(http, recording), Error); });
    http.stop();
    asking.join();  // without stop() it would take ten minutes, and the test's own limit is shorter
    EXPECT_FALSE(http.sleep(std::chrono::minutes(10)));
}

}  // namespace
}  // namespace flowgauge::remote
