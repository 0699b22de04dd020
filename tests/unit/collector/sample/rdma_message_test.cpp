// SPDX-License-Identifier: MIT
#include "collector/sample/rdma_message.h"

#include "tests/unit/collector/sample/rdma_answers.h"

#include <gtest/gtest.h>
#include <array>
#include <cerrno>
#include <map>
#include <optional>

namespace flowgauge::sample {
namespace {

using namespace answers;

/// A counter as it was read.
struct Read {
    std::uint32_t port, id, process;
    std::string kernelName;
    std::map<std::string, std::uint64_t> values;
    friend bool operator==(const Read&, const Read&) = default;
};

std::map<std::string, std::uint64_t> valuesIn(std::span<const char> block)
{
    std::map<std::string, std::uint64_t> all;
    NamedValues values(block);
    for (NamedValue one; values.next(one);) all[std::string(one.name)] = one.value;
    return all;
}

std::vector<Read> read(std::span<const char> body)
{
    std::vector<Read> all;
    BoundCounters counters(body);
    for (BoundCounter one; counters.next(one);)
        all.push_back({one.port, one.id, one.process, std::string(one.kernelName), valuesIn(one.values)});
    return all;
}

TEST(RdmaMessage, TellsOfEachCounterItsPortItsNumberItsProcessAndItsValues)
{
    const std::string body = boundCounters({{1, 3, process(4711), {{"packet_seq_err", 12}, {"out_of_buffer", 0}}, 2},
                                            {2, 9, process(4712), {{"packet_seq_err", 5'000'000'000}}},
                                            {1, 4, text(RDMA_NLDEV_ATTR_RES_KERN_NAME, "nvme_rdma"), {{"out_of_buffer", 1}}},
                                            {1, 5, "", {{"out_of_buffer", 2}}}});
    EXPECT_EQ(read(body), (std::vector<Read>{{1, 3, 4711, "", {{"packet_seq_err", 12}, {"out_of_buffer", 0}}},
                                             {2, 9, 4712, "", {{"packet_seq_err", 5'000'000'000}}},
                                             {1, 4, 0, "nvme_rdma", {{"out_of_buffer", 1}}},
                                             {1, 5, 0, "", {{"out_of_buffer", 2}}}}));
}

TEST(RdmaMessage, PassesOverAttributesThatItDoesNotKnow)
{
    const std::string unknown = attribute(999, "whatever") + attribute(0, "pad");
    const std::string value =
        nest(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, unknown + text(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, "x") + attribute(0, "") +
                                                       attribute(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, bytesOf(std::uint64_t{7})));
    const std::string counter = unknown + number(RDMA_NLDEV_ATTR_PORT_INDEX, 1) + number(RDMA_NLDEV_ATTR_STAT_COUNTER_ID, 2) +
                                nest(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, unknown + value);
    const std::string body =
        unknown + nest(RDMA_NLDEV_ATTR_STAT_COUNTER, unknown + nest(RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY, counter)) + unknown;
    EXPECT_EQ(read(body), (std::vector<Read>{{1, 2, 0, "", {{"x", 7}}}}));
}

TEST(RdmaMessage, ACutMessageTellsNoOtherNumbers)
{
    const std::vector<Bound> all{{1, 3, process(4711), {{"packet_seq_err", 12}, {"out_of_buffer", 34}}}, {2, 9, process(1), {{"a", 5}}}};
    const std::string body = boundCounters(all);
    const std::vector<Read> whole = read(body);
    ASSERT_EQ(whole.size(), 2U);
    // The lengths of what nests reach beyond the end: nothing of it is believed.
    for (std::size_t length = 0; length < body.size(); ++length) EXPECT_TRUE(read({body.data(), length}).empty()) << length;
}

TEST(RdmaMessage, ALengthThatLiesEndsItsBlock)
{
    for (const std::uint16_t lie : std::array<std::uint16_t, 3>{0, 3, 4000}) {
        std::string inside = entry({1, 3, process(4711), {{"a", 12}}});
        std::string broken = entry({1, 4, process(4712), {{"a", 13}}});
        std::memcpy(broken.data(), &lie, sizeof lie);
        const std::string body = nest(RDMA_NLDEV_ATTR_STAT_COUNTER, inside + broken + entry({1, 5, process(4713), {{"a", 14}}}));
        EXPECT_EQ(read(body), (std::vector<Read>{{1, 3, 4711, "", {{"a", 12}}}})) << lie;
    }
}

TEST(RdmaMessage, ACounterWithoutPortNumberOrValuesIsLeftOut)
{
    const std::string port = number(RDMA_NLDEV_ATTR_PORT_INDEX, 1), id = number(RDMA_NLDEV_ATTR_STAT_COUNTER_ID, 2);
    const std::string counted = values({{"a", 1}}), shortPort = attribute(RDMA_NLDEV_ATTR_PORT_INDEX, "ab");
    for (const std::string& counter : {id + counted, port + counted, port + id, port + id + values({}), shortPort + id + counted})
        EXPECT_TRUE(read(nest(RDMA_NLDEV_ATTR_STAT_COUNTER, nest(RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY, counter))).empty());
    EXPECT_TRUE(read("").empty());
}

TEST(RdmaMessage, AValueThatIsNone)
{
    const std::string name = text(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, "a");
    const std::string shortValue = number(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, 7);
    const std::string value = attribute(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, bytesOf(std::uint64_t{7}));
    for (const std::string& inside : {name, value, name + shortValue})
        EXPECT_TRUE(valuesIn(nest(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, inside)).empty());
    // A name without its zero ends where the attribute ends.
    const std::string open = attribute(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, "abcde") + value;
    EXPECT_EQ(valuesIn(nest(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, open)), (std::map<std::string, std::uint64_t>{{"abcde", 7}}));
}

TEST(RdmaMessage, AThousandQueuePairsOfOneCounter)
{
    EXPECT_EQ(read(boundCounters({{1, 3, process(4711), {{"a", 12}}, 1000}})), (std::vector<Read>{{1, 3, 4711, "", {{"a", 12}}}}));
}

TEST(RdmaMessage, TheValuesOfAPort)
{
    const std::string body = number(RDMA_NLDEV_ATTR_DEV_INDEX, 0) + number(RDMA_NLDEV_ATTR_PORT_INDEX, 1) + values({{"a", 1}, {"b", 2}});
    EXPECT_EQ(valuesIn(portValues(body)), (std::map<std::string, std::uint64_t>{{"a", 1}, {"b", 2}}));
    EXPECT_TRUE(portValues(number(RDMA_NLDEV_ATTR_DEV_INDEX, 0)).empty());
}

TEST(RdmaMessage, ADeviceHasAnIndexANameAndPorts)
{
    RdmaDevice told;
    const std::string body = device(7, "mlx5_bond_0", 2);
    ASSERT_TRUE(parseRdmaDevice(body, told));
    EXPECT_EQ(told.index, 7U);
    EXPECT_EQ(told.ports, 2U);
    EXPECT_EQ(told.name, "mlx5_bond_0");
    EXPECT_FALSE(parseRdmaDevice(number(RDMA_NLDEV_ATTR_DEV_INDEX, 7), told));
    EXPECT_FALSE(parseRdmaDevice("", told));
}

TEST(RdmaMessage, HowCountersAreBound)
{
    CounterBinding told{};
    const auto bindingIn = [&](const std::string& body) { return parseBinding(body, told) ? std::optional(told) : std::nullopt; };
    EXPECT_EQ(bindingIn(binding(RDMA_COUNTER_MODE_NONE)), CounterBinding::None);
    EXPECT_EQ(bindingIn(binding(RDMA_COUNTER_MODE_AUTO, RDMA_COUNTER_MASK_PID)), CounterBinding::ByProcess);
    EXPECT_EQ(bindingIn(binding(RDMA_COUNTER_MODE_AUTO, RDMA_COUNTER_MASK_PID | RDMA_COUNTER_MASK_QP_TYPE)), CounterBinding::ByProcess);
    EXPECT_EQ(bindingIn(binding(RDMA_COUNTER_MODE_AUTO, RDMA_COUNTER_MASK_QP_TYPE)), CounterBinding::ByType);
    EXPECT_EQ(bindingIn(binding(RDMA_COUNTER_MODE_MANUAL)), CounterBinding::ByHand);
    EXPECT_EQ(bindingIn(binding(RDMA_COUNTER_MODE_MAX)), std::nullopt);
    EXPECT_EQ(bindingIn(""), std::nullopt);
}

TEST(NetlinkMessages, AreTakenOneAfterTheOtherUpToOneThatIsCut)
{
    const std::int32_t refused = -EINVAL, none = 0;
    const std::string all = message(20, 5, "abcde") + message(NLMSG_ERROR, 6, bytesOf(refused)) + message(NLMSG_DONE, 7, bytesOf(none));
    NetlinkMessages messages(all);
    NetlinkMessage one;
    ASSERT_TRUE(messages.next(one));
    EXPECT_EQ(one.type, 20);
    EXPECT_EQ(one.sequence, 5U);
    EXPECT_EQ(std::string(one.body.data(), one.body.size()), "abcde");
    EXPECT_FALSE(one.isEnd());
    EXPECT_EQ(one.error(), 0);
    ASSERT_TRUE(messages.next(one));
    EXPECT_TRUE(one.isEnd());
    EXPECT_EQ(one.error(), EINVAL);
    ASSERT_TRUE(messages.next(one));
    EXPECT_TRUE(one.isEnd());
    EXPECT_EQ(one.error(), 0);
    EXPECT_FALSE(messages.next(one));

    NetlinkMessages cut({all.data(), 20});
    EXPECT_FALSE(cut.next(one));
    std::string lying = message(20, 5, "");
    lying[0] = 4;
    NetlinkMessages broken(lying);
    EXPECT_FALSE(broken.next(one));
}

}  // namespace
}  // namespace flowgauge::sample
