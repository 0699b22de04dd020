// SPDX-License-Identifier: MIT
#include "workloads/allreduce/grouped.h"
#include "workloads/allreduce/bench.h"

#include <gtest/gtest.h>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

using namespace flowgauge::workloads::allreduce;

namespace {

using Buffers = std::vector<std::vector<float>>;

/// All members of all nodes in this process; a node is a thread.
class Job {
public:
    explicit Job(Shape shape, GroupedOptions options = {}) : m_shape(shape), m_links(memoryLinks(shape.nodes))
    {
        for (auto& link : m_links) m_engines.push_back(std::make_unique<GroupedAllreduce>(shape, *link, options));
    }
    /// Reasons of failure by node.
    std::vector<std::string> run(const Buffers& from, Buffers& into)
    {
        std::vector<std::string> said(m_shape.nodes);
        std::vector<std::thread> nodes;
        for (std::size_t node = 0; node < m_shape.nodes; ++node)
            nodes.emplace_back([&, node] {
                std::vector<std::span<const float>> inputs;
                std::vector<std::span<float>> outputs;
                for (std::size_t local = 0; local < m_shape.groupSize; ++local) {
                    inputs.emplace_back(from[node * m_shape.groupSize + local]);
                    outputs.emplace_back(into[node * m_shape.groupSize + local]);
                }
                said[node] = m_engines[node]->run(inputs, outputs);
            });
        for (std::thread& node : nodes) node.join();
        return said;
    }

private:
    Shape m_shape;
    std::vector<std::unique_ptr<NodeLink>> m_links;
    std::vector<std::unique_ptr<GroupedAllreduce>> m_engines;
};

Buffers integers(const Shape& shape, std::size_t elements, std::uint32_t round = 0)
{
    Buffers buffers(shape.members(), std::vector<float>(elements));
    for (std::size_t member = 0; member < buffers.size(); ++member) fillValues(buffers[member], member, round);
    return buffers;
}

Buffers randoms(const Shape& shape, std::size_t elements)
{
    std::mt19937 dice(7);
    std::uniform_real_distribution<float> values(-1e3F, 1e3F);
    Buffers buffers(shape.members(), std::vector<float>(elements));
    for (auto& buffer : buffers)
        for (float& value : buffer) value = values(dice);
    return buffers;
}

void expectSums(const Buffers& sums, std::uint32_t round, const std::string& what)
{
    for (std::size_t member = 0; member < sums.size(); ++member)
        for (std::size_t i = 0; i < sums[member].size(); ++i)
            ASSERT_EQ(sums[member][i], expectedSum(i, sums.size(), round)) << what << ", member " << member << ", element " << i;
}

bool sameBits(const std::vector<float>& one, const std::vector<float>& other)
{
    return one.size() == other.size() && (one.empty() || std::memcmp(one.data(), other.data(), one.size() * sizeof(float)) == 0);
}

/// All ways to put 1 to 16 members into equal groups.
std::vector<Shape> shapes()
{
    std::vector<Shape> all;
    for (std::size_t members = 1; members <= 16; ++members)
        for (std::size_t group = 1; group <= members; ++group)
            if (members % group == 0) all.push_back({members / group, group, 64});
    return all;
}

}  // namespace

TEST(Grouped, SumsAreExactForOneToSixteenMembersAndSizesThatDivideNothing)
{
    for (const Shape& shape : shapes())
        for (const std::size_t elements :
             {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{331}}) {
            Job job(shape);
            const Buffers from = integers(shape, elements);
            Buffers into(shape.members(), std::vector<float>(elements, -1));
            const std::string what = std::to_string(shape.nodes) + "x" + std::to_string(shape.groupSize) + ", " + std::to_string(elements);
            for (const std::string& said : job.run(from, into)) ASSERT_EQ(said, "") << what;
            expectSums(into, 0, what);
        }
}

TEST(Grouped, SumsMayReplaceTheValues)
{
    for (const Shape& shape : {Shape{1, 4, 64}, Shape{3, 2, 64}, Shape{4, 4, 64}}) {
        Job job(shape);
        Buffers both = integers(shape, 1000);
        for (const std::string& said : job.run(both, both)) ASSERT_EQ(said, "");
        expectSums(both, 0, "in place");
    }
}

TEST(Grouped, AThousandRepetitionsOfChangingSizeKeepTheirBitsAcrossTheWrapOfEpochs)
{
    const Shape shape{2, 2, 32};
    GroupedOptions options;
    options.firstEpoch = std::numeric_limits<std::uint32_t>::max() - 1500;  // each repetition takes some
    Job job(shape, options);
    const std::vector<std::size_t> sizes{97, 1, 200, 32};
    std::vector<Buffers> inputs, first(sizes.size());
    for (const std::size_t size : sizes) inputs.push_back(randoms(shape, size));
    for (std::size_t repetition = 0; repetition < 1000; ++repetition) {
        const std::size_t which = repetition % sizes.size();
        Buffers into(shape.members(), std::vector<float>(sizes[which]));
        for (const std::string& said : job.run(inputs[which], into)) ASSERT_EQ(said, "");
        if (first[which].empty()) first[which] = into;
        for (std::size_t member = 0; member < into.size(); ++member) {
            ASSERT_TRUE(sameBits(into[member], first[which][0])) << "repetition " << repetition << ", member " << member;
        }
    }
}

TEST(Grouped, OverlapChangesNoBit)
{
    const Shape shape{2, 3, 50};
    const Buffers from = randoms(shape, 777);
    GroupedOptions alone;
    alone.overlap = false;
    Buffers with(shape.members(), std::vector<float>(777)), without = with;
    Job(shape).run(from, with);
    Job(shape, alone).run(from, without);
    for (std::size_t member = 0; member < with.size(); ++member) EXPECT_TRUE(sameBits(with[member], without[member]));
}

TEST(Grouped, SumsAreAsGoodAsSinglePrecisionAllows)
{
    const Shape shape{4, 4, 64};
    const Buffers from = randoms(shape, 500);
    Buffers into(shape.members(), std::vector<float>(500));
    Job(shape).run(from, into);
    for (std::size_t i = 0; i < 500; ++i) {
        double sum = 0, size = 0;
        for (const auto& buffer : from) sum += buffer[i], size += std::fabs(buffer[i]);
        EXPECT_LE(std::fabs(into[0][i] - sum), size * 16 * std::numeric_limits<float>::epsilon());
    }
}

TEST(Grouped, NotANumberAndInfinityReachEveryMemberAtTheirPlaceAndNoOther)
{
    const Shape shape{2, 4, 64};
    Buffers from = integers(shape, 300);
    from[5][17] = std::numeric_limits<float>::quiet_NaN();
    from[0][299] = std::numeric_limits<float>::infinity();
    from[3][298] = std::numeric_limits<float>::infinity();
    from[6][298] = -std::numeric_limits<float>::infinity();
    Buffers into(shape.members(), std::vector<float>(300));
    Job(shape).run(from, into);
    for (const auto& sums : into)
        for (std::size_t i = 0; i < 300; ++i) {
            EXPECT_EQ(std::isnan(sums[i]), i == 17 || i == 298) << i;
            EXPECT_EQ(std::isinf(sums[i]), i == 299) << i;
        }
}

TEST(Grouped, AMemberThatDoesNotComeEndsTheOperationForAllInstead)
{
    for (const bool overlap : {true, false}) {
        GroupedOptions options;
        options.deadline = std::chrono::milliseconds(200);
        options.overlap = overlap;
        options.absentMember = 1;
        const Shape shape{2, 3, 64};
        Job job(shape, options);
        const Buffers from = integers(shape, 500);
        Buffers into(shape.members(), std::vector<float>(500));
        for (const std::string& said : job.run(from, into)) EXPECT_NE(said.find("within the deadline"), std::string::npos) << said;
    }
}

TEST(Grouped, LinksCarryWhatTheFormulaOfTheSchemeSays)
{
    // 2 nodes of 4: 4,096 floats in one chunk, slices of 1,024. In a group each member reads 3 slices and is read from 3 times, twice.
    const LinkTable links = linkTable({2, 4, 4096}, 4096);
    std::map<std::size_t, std::uint64_t> sentInGroup, sentBetween;
    for (const auto& [link, bytes] : links) (link.first / 4 == link.second / 4 ? sentInGroup : sentBetween)[link.first] += bytes;
    for (std::size_t member = 0; member < 8; ++member) {
        EXPECT_EQ(sentInGroup[member], 2 * 3 * 1024 * 4U);  // 2 (g - 1) / g of the buffer
        EXPECT_EQ(sentBetween[member], 1024 * 4U);          // 2 (N - 1) / N of its slice
    }
}

TEST(Grouped, LinksOfUnevenPartsAddUpToWhatTheWholeNeeds)
{
    for (const Shape& shape : shapes())
        for (const std::size_t elements : {std::size_t{1}, std::size_t{65}, std::size_t{331}}) {
            std::uint64_t inGroups = 0, between = 0;
            for (const auto& [link, bytes] : linkTable(shape, elements))
                (link.first / shape.groupSize == link.second / shape.groupSize ? inGroups : between) += bytes;
            EXPECT_EQ(inGroups, 2 * (shape.groupSize - 1) * elements * 4 * shape.nodes);
            EXPECT_EQ(between, shape.nodes > 1 ? 2 * (shape.nodes - 1) * elements * 4 : 0);
        }
}

TEST(Bench, BandwidthsAreThoseOfNcclTests)
{
    const Line line{1'000'000, 0.001, 0, 0, 0, ""};
    EXPECT_DOUBLE_EQ(algorithmBandwidth(line), 1e9);
    EXPECT_DOUBLE_EQ(busBandwidth(line, 4), 1.5e9);
    EXPECT_EQ(busBandwidth(line, 1), 0);
    EXPECT_EQ(algorithmBandwidth({1, 0, 0, 0, 0, ""}), 0);
    Options options;
    options.leastBytes = 1000, options.mostBytes = 5000;
    EXPECT_EQ(sizesOf(options), (std::vector<std::uint64_t>{1000, 4000, 5000}));
}
