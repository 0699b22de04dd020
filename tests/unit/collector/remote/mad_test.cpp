// SPDX-License-Identifier: MIT
// Ports of a fabric against a stand-in for libibumad and their agents, through what the fabric simulator of the end-to-end test cannot
// play.
#include "collector/remote/mad.h"

#include "collector/record/error.h"
#include "tests/fakes/umad/stand_in_umad.h"
#include "tests/unit/collector/remote/stand_in.h"

#include <gtest/gtest.h>

namespace flowgauge::remote {
namespace {

constexpr int portCounters = 0x12, extended = 0x1d;
constexpr std::uint16_t wideAndWait = 0x1200;

class MadSource : public testing::Test {
protected:
    MadSource()
    {
        Notebook::clear();
        stand_in::fabric() = {};
    }
    std::string poll(Mad& source)
    {
        const std::string said = pollOf(source, http, recording);
        if (said.empty()) recording.answered();
        return said;
    }
    static std::optional<std::uint64_t> last(Counter counter, const std::string& place)
    {
        std::optional<std::uint64_t> value;
        for (const Notebook::Sample& sample : Notebook::samples)
            if (sample.counter == counter && sample.place == "mad/" + place) value = sample.value;
        return value;
    }
    stand_in::Agent& agent(int lid) { return stand_in::fabric().agents[lid]; }

    Http http{Access{}};
    Recording recording{"fabric mad://", "mad", Notebook::outlet};
};

Mad sourceOf(const std::string& text) { return Mad(parsePlace("mad://" + text), &stand_in::umad); }

TEST_F(MadSource, ReadsAPortByTwoQuestionsAndResetsNothing)
{
    agent(7).capabilityMask = wideAndWait;
    agent(7).numbers = {{{extended, 8}, {8, 1'000'000'000'000}},  {{extended, 16}, {8, 72}},
                        {{extended, 24}, {8, 5'000'000'000}},     {{extended, 32}, {8, 1}},
                        {{portCounters, 40}, {4, 4'000'000'000}}, {{portCounters, 14}, {2, 3}}};
    Mad source = sourceOf("7:3");
    ASSERT_EQ(poll(source), "");
    EXPECT_EQ(last(Counter::FabricTxWords, "lid 7 port 3"), 1'000'000'000'000U);
    EXPECT_EQ(last(Counter::FabricRxWords, "lid 7 port 3"), 72U);
    EXPECT_EQ(last(Counter::FabricTxPackets, "lid 7 port 3"), 5'000'000'000U);
    EXPECT_EQ(last(Counter::FabricRxPackets, "lid 7 port 3"), 1U);
    EXPECT_EQ(last(Counter::FabricTxWait, "lid 7 port 3"), 4'000'000'000U);
    EXPECT_EQ(last(Counter::FabricTxDiscards, "lid 7 port 3"), 3U);
    EXPECT_EQ(last(Counter::FabricLinkDowned, "lid 7 port 3"), 0U);
    EXPECT_EQ(stand_in::fabric().asked, 3);
    ASSERT_EQ(poll(source), "");
    EXPECT_EQ(stand_in::fabric().asked, 5);  // what the agent can is asked once
    EXPECT_TRUE(stand_in::fabric().onlyReads);
}

TEST_F(MadSource, OfThirtyTwoBitsIsReadAsFarAsItCountsAndSaysSo)
{
    agent(7).numbers = {{{portCounters, 24}, {4, 0xfffffffe}}, {{portCounters, 28}, {4, 0xffffffff}}, {{portCounters, 40}, {4, 17}}};
    Mad source = sourceOf("7:3");
    ASSERT_EQ(poll(source), "");
    EXPECT_EQ(last(Counter::FabricTxWords, "lid 7 port 3"), 0xfffffffeU);
    EXPECT_EQ(last(Counter::FabricRxWords, "lid 7 port 3"), std::nullopt);
    EXPECT_EQ(last(Counter::FabricTxWait, "lid 7 port 3"), std::nullopt);
    EXPECT_TRUE(Notebook::says("degraded: lid 7 counts data in 32 bits only"));
    EXPECT_TRUE(Notebook::says("absent: lid 7 does not count PortXmitWait"));
    EXPECT_TRUE(Notebook::says("degraded: lid 7 port 3: PortRcvData stands at its largest value"));
}

TEST_F(MadSource, LosesAPortThatVanishesAndFindsItAgain)
{
    agent(7).capabilityMask = agent(8).capabilityMask = wideAndWait;
    agent(8).numbers = {{{extended, 8}, {8, 10}}};
    Mad source = sourceOf("7:3,8:1");
    ASSERT_EQ(poll(source), "");
    agent(8).gone = true;
    Notebook::samples.clear();
    ASSERT_EQ(poll(source), "");
    EXPECT_EQ(last(Counter::FabricTxWords, "lid 7 port 3"), 0U);
    EXPECT_EQ(last(Counter::FabricTxWords, "lid 8 port 1"), std::nullopt);
    EXPECT_TRUE(Notebook::says("degraded: lid 8 port 1: no answer: nobody has that LID, or its node or the way to it is down"));
    agent(8).gone = false;
    ASSERT_EQ(poll(source), "");
    EXPECT_EQ(last(Counter::FabricTxWords, "lid 8 port 1"), 10U);
    recording.close(false);
    EXPECT_FALSE(Notebook::says("degraded: 2 of"));
}

TEST_F(MadSource, WaitsNoLongerThanItSaysForAnAgentThatIsSilentAndAsksItsOtherPortsNextRound)
{
    agent(7).silent = true;
    agent(8).capabilityMask = wideAndWait;
    Mad source = sourceOf("7:1,7:2,7:3,8:1");
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(poll(source), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
    EXPECT_EQ(last(Counter::FabricTxWords, "lid 8 port 1"), 0U);
    EXPECT_EQ(stand_in::fabric().asked, 4);
}

TEST_F(MadSource, TakesNoAnswerToAnOlderQuestion)
{
    agent(7).capabilityMask = wideAndWait;
    agent(7).late = true;
    agent(7).numbers = {{{extended, 8}, {8, 5}}};
    Mad source = sourceOf("7:3");
    EXPECT_EQ(poll(source), "");
    EXPECT_EQ(last(Counter::FabricTxWords, "lid 7 port 3"), 5U);
}

TEST_F(MadSource, TellsWhatARefusalMeans)
{
    for (const auto& [status, meaning] : {std::pair{0x1c, "it has no such port"},
                                          {0x0c, "it does not know the question"},
                                          {0x02, "it sends to another agent, which is not asked"},
                                          {0x01, "it refused, with status 1"}}) {
        agent(7).status = static_cast<std::uint16_t>(status);
        Mad source = sourceOf("7:3");
        EXPECT_EQ(poll(source), "lid 7 port 3: " + std::string(meaning));
    }
    stand_in::fabric().sendResult = -EIO;
    Mad source = sourceOf("7:3");
    EXPECT_EQ(poll(source), "lid 7 port 3: a question to it could not be sent (Input/output error)");
    EXPECT_EQ(stand_in::fabric().opened, stand_in::fabric().closed);
}

TEST_F(MadSource, WithoutDeviceOrPermissionOrLibrarySaysWhatToDo)
{
    Mad source = sourceOf("mlx5_0/7:3");
    stand_in::fabric().openResult = -EIO;
    stand_in::fabric().openErrno = EACCES;
    EXPECT_EQ(poll(source),
              "mlx5_0: no permission for /dev/infiniband/umad*: run as root, or let your group read and write it (a udev rule)");
    stand_in::fabric().openErrno = ENOENT;
    EXPECT_EQ(poll(source),
              "mlx5_0: /dev/infiniband/umad* cannot be opened (No such file or directory): is there an InfiniBand device, is its "
              "module there (modprobe ib_umad), does a container show it?");
    stand_in::fabric().openResult = -ENODEV;
    EXPECT_EQ(poll(source), "mlx5_0: this host has no such InfiniBand device or port; ibstat lists what it has");
    stand_in::fabric().openResult = 0;
    stand_in::fabric().enlistResult = -EPERM;
    EXPECT_EQ(poll(source), "mlx5_0: the kernel takes no questions to performance agents there");
    EXPECT_EQ(stand_in::fabric().closed, 1);
    try {
        (void)openUmad("libibumad-that-is-not-there.so.3");
        ADD_FAILURE() << "expected an Error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "libibumad-that-is-not-there.so.3: cannot be loaded: install it on this host (Debian: libibumad3, others: rdma-core "
                     "or libibumad)");
    }
}

TEST_F(MadSource, EndsAtOnceWhenTheRunIsOver)
{
    agent(7).silent = true;
    Mad source = sourceOf("7:1");
    http.stop();
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(poll(source), "lid 7 port 1: the run is over");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

}  // namespace
}  // namespace flowgauge::remote
