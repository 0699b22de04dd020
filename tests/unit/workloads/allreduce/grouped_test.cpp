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

/// However busy the machine is that runs the test.
GroupedOptions patient()
{
    GroupedOptions options;
    options.deadline = std::chrono::minutes(2);
    return options;
}

/// All members of all groups in this process; a group is a thread.
class Job {
public:
    explicit Job(const Shape& shape, const GroupedOptions& options = patient()) : m_shape(shape)
    {
        for (const RingLink& link : ringInMemory(shape.groups)) {
            m_groups.push_back(std::make_unique<HostGroup>(shape));
            m_engines.push_back(std::make_unique<GroupedAllreduce>(shape, link, *m_groups.back(), options));
        }
    }
    /// Reasons of failure by group.
    std::vector<std::string> run(const Buffers& from, Buffers& into)
    {
        const std::vector<std::span<const float>> inputs(from.begin(), from.end());
        const std::vector<std::span<float>> outputs(into.begin(), into.end());
        std::vector<std::string> said(m_shape.groups);
        std::vector<std::thread> groups;
        for (std::size_t group = 0; group < m_shape.groups; ++group)
            groups.emplace_back([&, group] {
                const std::size_t first = group * m_shape.groupSize;
                m_groups[group]->use(std::span(inputs).subspan(first, m_shape.groupSize),
                                     std::span(outputs).subspan(first, m_shape.groupSize));
                said[group] = m_engines[group]->run(from.front().size());
            });
        for (std::thread& group : groups) group.join();
        return said;
    }

private:
    Shape m_shape;
    std::vector<std::unique_ptr<HostGroup>> m_groups;
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
            const std::string what = std::to_string(shape.groups) + "x" + std::to_string(shape.groupSize) + ", " + std::to_string(elements);
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
    const std::vector<std::size_t> sizes{97, 1, 200, 32};  // the chunk of 64 divides none of the first three
    for (std::size_t members = 1; members <= 16; ++members) {
        const Shape shape{members % 2 == 0 ? 2U : 1U, members % 2 == 0 ? members / 2 : members, 64};
        GroupedOptions options = patient();
        options.firstEpoch = std::numeric_limits<std::uint32_t>::max() - 50;  // each repetition takes some
        Job job(shape, options);
        std::vector<Buffers> inputs, first(sizes.size());
        for (const std::size_t size : sizes) inputs.push_back(randoms(shape, size));
        const std::size_t repetitions = members == 1 || members == 3 || members == 16 ? 1000 : 50;
        for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
            const std::size_t which = repetition % sizes.size();
            const bool inPlace = repetition % 8 >= 4;
            Buffers into = inPlace ? inputs[which] : Buffers(members, std::vector<float>(sizes[which]));
            for (const std::string& said : job.run(inPlace ? into : inputs[which], into)) ASSERT_EQ(said, "");
            if (first[which].empty()) first[which] = into;
            for (const std::vector<float>& sums : into)
                ASSERT_TRUE(sameBits(sums, first[which][0])) << members << " members, repetition " << repetition;
        }
    }
}

TEST(Grouped, OverlapChangesNoBit)
{
    const Shape shape{2, 3, 50};
    const Buffers from = randoms(shape, 777);
    GroupedOptions alone = patient();
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

TEST(Grouped, ABackEndThatFailsEndsTheOperationForAllWithItsReason)
{
    class Failing final : public Group {
    public:
        void reduce(const Part& part) override
        {
            if (part.owner == 1) throw std::runtime_error("the device was lost");
        }
        std::span<float> sums(const Part&) override { return {}; }
        void exchanged(const Part&) override {}
        void gather(std::span<const Part>, std::size_t) override {}
    } failing;
    EXPECT_EQ(GroupedAllreduce({1, 3, 64}, ringInMemory(1).front(), failing).run(500), "the device was lost");
}

TEST(Grouped, StagesOfNeighbouringChunksOverlapUnlessForbidden)
{
    /// The reduction of the second chunk waits until that of the first was gathered, or until it is clear that this never comes first.
    class Watching final : public Group {
    public:
        void reduce(const Part& part) override
        {
            if (part.slice.begin > 0) gatheredBefore = gathered.load();
            reduced = part.slice.end;
        }
        std::span<float> sums(const Part&) override { return {}; }
        void exchanged(const Part&) override {}
        void gather(std::span<const Part> parts, std::size_t) override
        {
            while (overlap && reduced < 128)
                std::this_thread::yield();  // the next chunk's reduction is under way meanwhile, or we wait for ever
            gathered = parts.front().slice.end;
        }
        bool overlap = true;
        std::atomic<std::size_t> reduced{0}, gathered{0}, gatheredBefore{0};
    };
    for (const bool overlap : {true, false}) {
        Watching watching;
        watching.overlap = overlap;
        GroupedOptions options = patient();
        options.overlap = overlap;
        EXPECT_EQ(GroupedAllreduce({1, 1, 64}, ringInMemory(1).front(), watching, options).run(128), "");
        EXPECT_EQ(watching.gatheredBefore, overlap ? 0U : 64U);
    }
}

TEST(Grouped, LinksCarryWhatTheFormulaOfTheSchemeSays)
{
    // 2 groups of 4: 4,096 floats in one chunk, slices of 1,024. In a group each member reads 3 slices and is read from 3 times, twice.
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
            EXPECT_EQ(inGroups, 2 * (shape.groupSize - 1) * elements * 4 * shape.groups);
            EXPECT_EQ(between, shape.groups > 1 ? 2 * (shape.groups - 1) * elements * 4 : 0);
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
