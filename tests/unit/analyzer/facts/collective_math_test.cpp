// SPDX-License-Identifier: MIT
#include "analyzer/facts/collective_math.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace flowgauge::facts {
namespace {

TEST(BusBandwidth, ReproducesTheSampleLinesOfNcclInspector)
{
    // plugins/profiler/inspector/README.md: coll_msg_size_bytes, coll_exec_time_us, coll_algobw_gbs, coll_busbw_gbs of 8 ranks
    const auto allreduce = bandwidthOf(Kind::Allreduce, arrayBytes(Kind::Allreduce, 17179869184.0, 8), 8, 61'974'000).value();
    EXPECT_EQ(std::llround(allreduce.algorithm / 1e3), 277'210'914);
    EXPECT_EQ(std::llround(allreduce.bus / 1e3), 485'119'099);
    const auto scatter = bandwidthOf(Kind::ReduceScatter, arrayBytes(Kind::ReduceScatter, 2147483648.0, 8), 8, 41'057'000).value();
    EXPECT_EQ(std::llround(scatter.algorithm / 1e3), 418'439'467);
    EXPECT_EQ(std::llround(scatter.bus / 1e3), 366'134'533);
}

TEST(BusBandwidth, FactorsAreThoseOfNcclTests)
{
    for (const Kind kind : {Kind::Allgather, Kind::ReduceScatter, Kind::Alltoall, Kind::Gather, Kind::Scatter})
        EXPECT_DOUBLE_EQ(busFactor(kind, 4), 0.75);
    for (const Kind kind : {Kind::Broadcast, Kind::Reduce, Kind::Send, Kind::Recv}) EXPECT_DOUBLE_EQ(busFactor(kind, 4), 1.0);
    EXPECT_DOUBLE_EQ(busFactor(Kind::Allreduce, 4), 1.5);
    for (const KindRow& row : kindRows) EXPECT_EQ(busFactor(row.kind, 1), 0.0) << row.sqlName;
}

TEST(BusBandwidth, TheArrayIsTheSumOfWhatRanksCount)
{
    EXPECT_EQ(arrayBytes(Kind::Allgather, 10, 8), 80);
    EXPECT_EQ(arrayBytes(Kind::Gather, 10, 8), 80);
    EXPECT_EQ(arrayBytes(Kind::Allreduce, 10, 8), 10);
    EXPECT_EQ(arrayBytes(Kind::Alltoall, 80, 8), 80) << "a rank sends all of it";
}

TEST(BusBandwidth, IsNotMeasuredWithoutTimeOrBytes)
{
    EXPECT_EQ(bandwidthOf(Kind::Allreduce, 8, 2, 0).reason(), "it took no time");
    EXPECT_EQ(bandwidthOf(Kind::Allreduce, 0, 2, 5).reason(), "its bytes are not known");
}

// ---- Simulations: every piece that a GPU hands to another is counted on the link that it takes, step by step. They know nothing of
// formulas ----

/// Bytes by (from, to); ranks of a node are neighbours: rank r is in node r / g.
struct Links {
    CommShape shape;
    std::map<std::pair<std::int64_t, std::int64_t>, double> bytes;

    void send(std::int64_t from, std::int64_t to, double amount) { bytes[{from, to}] += amount; }
    [[nodiscard]] double sentPerRank() const
    {
        double sum = 0;
        for (const auto& [link, amount] : bytes) sum += amount;
        return sum / static_cast<double>(shape.ranks());
    }
    [[nodiscard]] std::vector<double> nodesOut() const
    {
        std::vector<double> out(static_cast<std::size_t>(shape.nodes));
        for (const auto& [link, amount] : bytes)
            if (link.first / shape.gpusPerNode != link.second / shape.gpusPerNode)
                out[static_cast<std::size_t>(link.first / shape.gpusPerNode)] += amount;
        return out;
    }
};

double meanOf(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

/// A ring allreduce on real numbers: n-1 steps in which each rank passes a chunk on and adds, n-1 in which it passes sums on. Checks the
/// sums.
Links ringAllreduce(CommShape shape, std::size_t elements, double bytesPerElement)
{
    const auto n = static_cast<std::size_t>(shape.ranks());
    Links links{shape, {}};
    std::vector<std::vector<double>> data(n, std::vector<double>(elements));
    for (std::size_t rank = 0; rank < n; ++rank)
        for (std::size_t i = 0; i < elements; ++i) data[rank][i] = static_cast<double>(rank * elements + i);
    const auto chunk = [&](std::size_t index) { return std::pair(index * elements / n, (index + 1) * elements / n); };
    for (std::size_t step = 0; step < 2 * (n - 1); ++step) {
        const auto before = data;
        for (std::size_t rank = 0; rank < n; ++rank) {
            const std::size_t to = (rank + 1) % n;
            const std::size_t index = step < n - 1 ? (rank + n - step) % n : (rank + 1 + n - (step - (n - 1))) % n;
            const auto [begin, end] = chunk(index);
            links.send(static_cast<std::int64_t>(rank), static_cast<std::int64_t>(to), static_cast<double>(end - begin) * bytesPerElement);
            for (std::size_t i = begin; i < end; ++i) data[to][i] = step < n - 1 ? data[to][i] + before[rank][i] : before[rank][i];
        }
    }
    for (std::size_t i = 0; i < elements; ++i) {
        double sum = 0;
        for (std::size_t rank = 0; rank < n; ++rank) sum += static_cast<double>(rank * elements + i);
        for (std::size_t rank = 0; rank < n; ++rank) EXPECT_DOUBLE_EQ(data[rank][i], sum);
    }
    return links;
}

TEST(WireBytes, OfARingAreThoseOfASimulatedRing)
{
    for (const CommShape shape : {CommShape{1, 2}, CommShape{1, 8}, CommShape{2, 4}, CommShape{4, 2}, CommShape{5, 1}}) {
        SCOPED_TRACE(std::to_string(shape.nodes) + " x " + std::to_string(shape.gpusPerNode));
        constexpr std::size_t elements = 4001;  // divides into nothing
        const Links links = ringAllreduce(shape, elements, 4);
        const WireBytes bytes = wireBytesOf(Kind::Allreduce, elements * 4.0, shape, CommAlgorithm::Ring, CommProtocol::Simple).value();
        EXPECT_NEAR(bytes.sentPerRank / links.sentPerRank(), 1, 0.001);
        if (shape.nodes > 1) {
            EXPECT_NEAR(bytes.nodeOut / meanOf(links.nodesOut()), 1, 0.001);
        } else {
            EXPECT_EQ(bytes.nodeOut, 0);
        }
    }
}

/// NCCL's tree of nodes (src/graph/trees.cc): each node's parent is the number with its lowest set bit moved up; its mirror is the second
/// tree.
std::vector<std::int64_t> parentsOf(std::int64_t nodes, bool second)
{
    std::vector<std::int64_t> parents(static_cast<std::size_t>(nodes), -1);
    for (std::int64_t node = 1; node < nodes; ++node) {
        std::int64_t bit = 1;
        while ((node & bit) == 0) bit <<= 1;
        std::int64_t up = (node ^ bit) | (bit << 1);
        if (up >= nodes) up = node ^ bit;
        parents[static_cast<std::size_t>(node)] = up;
    }
    if (!second) return parents;
    const bool odd = nodes % 2 == 1;  // shifted by one, else mirrored
    std::vector<std::int64_t> other(static_cast<std::size_t>(nodes), -1);
    const auto place = [&](std::int64_t node) { return odd ? (node + 1) % nodes : nodes - 1 - node; };
    for (std::int64_t node = 0; node < nodes; ++node)
        if (parents[static_cast<std::size_t>(node)] >= 0)
            other[static_cast<std::size_t>(place(node))] = place(parents[static_cast<std::size_t>(node)]);
    return other;
}

/// Up and down of both trees, half of the array each, between the first GPUs of nodes, and along the chain of GPUs inside.
Links treeAllreduce(CommShape shape, double array)
{
    Links links{shape, {}};
    for (const bool second : {false, true}) {
        const auto parents = parentsOf(shape.nodes, second);
        for (std::int64_t node = 0; node < shape.nodes; ++node) {
            const std::int64_t head = node * shape.gpusPerNode;
            for (std::int64_t gpu = 1; gpu < shape.gpusPerNode; ++gpu) {
                links.send(head + gpu, head + gpu - 1, array / 2);
                links.send(head + gpu - 1, head + gpu, array / 2);
            }
            if (parents[static_cast<std::size_t>(node)] < 0) continue;
            const std::int64_t parent = parents[static_cast<std::size_t>(node)] * shape.gpusPerNode;
            links.send(head, parent, array / 2);
            links.send(parent, head, array / 2);
        }
    }
    return links;
}

TEST(WireBytes, OfATreeAreThoseOfTwoSimulatedTrees)
{
    for (const CommShape shape :
         {CommShape{2, 1}, CommShape{2, 8}, CommShape{3, 4}, CommShape{4, 1}, CommShape{8, 2}, CommShape{13, 2}, CommShape{1, 8}}) {
        SCOPED_TRACE(std::to_string(shape.nodes) + " x " + std::to_string(shape.gpusPerNode));
        const Links links = treeAllreduce(shape, 1e6);
        const WireBytes bytes = wireBytesOf(Kind::Allreduce, 1e6, shape, CommAlgorithm::Tree, CommProtocol::Simple).value();
        EXPECT_NEAR(bytes.sentPerRank / links.sentPerRank(), 1, 0.001);
        if (shape.nodes == 1) continue;
        const auto out = links.nodesOut();
        EXPECT_NEAR(bytes.nodeOut / meanOf(out), 1, 0.001);
        EXPECT_LE(*std::max_element(out.begin(), out.end()), bytes.nodeOutMost * 1.001);
    }
}

TEST(WireBytes, OfTwoNodesATreeMovesHalfOfWhatARingMoves)
{
    const CommShape shape{2, 8};
    const double tree = wireBytesOf(Kind::Allreduce, 1e6, shape, CommAlgorithm::Tree, CommProtocol::Simple).value().nodeOut;
    const double ring = wireBytesOf(Kind::Allreduce, 1e6, shape, CommAlgorithm::Ring, CommProtocol::Simple).value().nodeOut;
    EXPECT_DOUBLE_EQ(tree, 1e6);
    EXPECT_DOUBLE_EQ(ring, 1'875'000);
}

/// A switch that reduces: for each owner's part it fetches that part from every GPU, hands the owner the sum, and sends the owner's
/// store to all of them.
struct Switch {
    double outOfGpu = 0, intoGpu = 0;  ///< of one GPU
};
Switch nvlsAllreduce(std::int64_t gpus, double array)
{
    std::vector<double> out(static_cast<std::size_t>(gpus)), in(static_cast<std::size_t>(gpus));
    const double part = array / static_cast<double>(gpus);
    for (std::size_t owner = 0; owner < out.size(); ++owner) {
        for (double& sent : out) sent += part;  // multimem.ld_reduce reads it from every GPU, the owner's own too
        in[owner] += part;                      // the sum
        out[owner] += part;                     // multimem.st
        for (double& received : in) received += part;
    }
    return {meanOf(out), meanOf(in)};
}

TEST(WireBytes, OfNvlsAreThoseOfASimulatedSwitch)
{
    for (const std::int64_t gpus : {2, 4, 8}) {
        const Switch simulated = nvlsAllreduce(gpus, 1e6);
        const WireBytes bytes = wireBytesOf(Kind::Allreduce, 1e6, {1, gpus}, CommAlgorithm::Nvls, CommProtocol::Simple).value();
        EXPECT_NEAR(bytes.sentPerRank / simulated.outOfGpu, 1, 0.001);
        EXPECT_NEAR(bytes.receivedPerRank / simulated.intoGpu, 1, 0.001);
    }
}

/// Bruck's exchange, which PAT follows: in step k each rank sends what it has so far, at most up to n, to the rank 2^k away.
TEST(WireBytes, OfPatAreThoseOfASimulatedExchange)
{
    for (const std::int64_t n : {2, 3, 8, 13}) {
        double sent = 0;
        std::int64_t have = 1;
        while (have < n) {
            const std::int64_t pieces = std::min(have, n - have);
            sent += static_cast<double>(pieces) * 1e6 / static_cast<double>(n);
            have += pieces;
        }
        const WireBytes bytes = wireBytesOf(Kind::Allgather, 1e6, {n, 1}, CommAlgorithm::Pat, CommProtocol::Simple).value();
        EXPECT_NEAR(bytes.sentPerRank / sent, 1, 0.001);
        EXPECT_NEAR(bytes.nodeOut / sent, 1, 0.001);
    }
}

TEST(WireBytes, OfAnAlltoallLeaveTheNodeForTheRanksOfOtherNodes)
{
    const WireBytes bytes = wireBytesOf(Kind::Alltoall, 1600, {2, 8}, CommAlgorithm::Ring, CommProtocol::Simple).value();
    EXPECT_DOUBLE_EQ(bytes.sentPerRank, 1500);
    EXPECT_DOUBLE_EQ(bytes.perNic, 800);
    EXPECT_DOUBLE_EQ(bytes.nodeOut, 6400);
}

TEST(WireBytes, OfInNetworkReductionAreTheArrayOnceEachWay)
{
    const WireBytes bytes = wireBytesOf(Kind::Allreduce, 800, {4, 8}, CommAlgorithm::CollNet, CommProtocol::Simple).value();
    EXPECT_DOUBLE_EQ(bytes.nodeOut, 800);
    EXPECT_DOUBLE_EQ(bytes.nodeIn, 800);
    EXPECT_DOUBLE_EQ(bytes.perNic, 100);
    const WireBytes trees = wireBytesOf(Kind::Allreduce, 800, {4, 8}, CommAlgorithm::NvlsTree, CommProtocol::Simple).value();
    EXPECT_DOUBLE_EQ(trees.nodeOut, 1200);
    EXPECT_DOUBLE_EQ(trees.perNic, 150);
}

TEST(WireBytes, GrowByTheFlagsOfTheProtocol)
{
    const auto sent = [](CommProtocol protocol) {
        return wireBytesOf(Kind::Allreduce, 1200, {1, 2}, CommAlgorithm::Ring, protocol).value().sentPerRank;
    };
    EXPECT_DOUBLE_EQ(sent(CommProtocol::Simple), 1200);
    EXPECT_DOUBLE_EQ(sent(CommProtocol::Ll), 2400);
    EXPECT_DOUBLE_EQ(sent(CommProtocol::Ll128), 1280);
}

TEST(WireBytes, OfOneRankAreNoneAndOfWhatNcclDoesNotHaveAreNotMeasured)
{
    EXPECT_EQ(wireBytesOf(Kind::Allreduce, 1200, {1, 1}, CommAlgorithm::Ring, CommProtocol::Ll).value().sentPerRank, 0);
    EXPECT_FALSE(wireBytesOf(Kind::Allgather, 1200, {2, 2}, CommAlgorithm::Tree, CommProtocol::Ll).known());
    EXPECT_FALSE(wireBytesOf(Kind::Allreduce, 1200, {2, 2}, CommAlgorithm::Nvls, CommProtocol::Ll).known());
    EXPECT_FALSE(wireBytesOf(Kind::Allreduce, 1200, {1, 2}, CommAlgorithm::CollNet, CommProtocol::Ll).known());
    EXPECT_FALSE(wireBytesOf(Kind::Allgather, 1200, {2, 2}, CommAlgorithm::Pat, CommProtocol::Ll).known());
}

}  // namespace
}  // namespace flowgauge::facts
