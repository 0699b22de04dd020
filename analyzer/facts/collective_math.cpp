// SPDX-License-Identifier: MIT
#include "analyzer/facts/collective_math.h"

#include <algorithm>
#include <array>

namespace flowgauge::facts {
namespace {

using Wire = Measured<WireBytes>;

struct AlgorithmWord {
    std::string_view word;
    CommAlgorithm algorithm;
};
/// The first word of an algorithm is its name here too.
constexpr std::array algorithmWords{
    AlgorithmWord{"RING", CommAlgorithm::Ring},       AlgorithmWord{"TREE", CommAlgorithm::Tree},
    AlgorithmWord{"NVLS", CommAlgorithm::Nvls},       AlgorithmWord{"NVLS_TREE", CommAlgorithm::NvlsTree},
    AlgorithmWord{"COLLNET", CommAlgorithm::CollNet}, AlgorithmWord{"COLLNET_DIRECT", CommAlgorithm::CollNet},
    AlgorithmWord{"PAT", CommAlgorithm::Pat},         AlgorithmWord{"COLLNET_CHAIN", CommAlgorithm::CollNet},
};

double share(std::int64_t ranks) { return ranks > 1 ? static_cast<double>(ranks - 1) / static_cast<double>(ranks) : 0.0; }

bool isPart(Kind kind) { return kind == Kind::Allgather || kind == Kind::ReduceScatter || kind == Kind::Gather || kind == Kind::Scatter; }

/// A rank's sends equal its receives, and each of a node's rings leaves the node once: the node sends what one rank does.
WireBytes alongRing(double perRank, CommShape shape)
{
    const double out = shape.nodes > 1 ? perRank : 0.0;
    return {perRank, perRank, out, out, out, out / static_cast<double>(shape.gpusPerNode)};
}

Wire ring(Kind kind, double array, CommShape shape)
{
    const double n = static_cast<double>(shape.ranks());
    switch (kind) {
        case Kind::Allreduce:
            return alongRing(2 * share(shape.ranks()) * array, shape);
        case Kind::Allgather:
        case Kind::ReduceScatter:
            return alongRing(share(shape.ranks()) * array, shape);
        case Kind::Broadcast:
        case Kind::Reduce: {  // a chain: all but one rank pass everything on; it crosses from node to node N-1 times
            const double nodes = static_cast<double>(shape.nodes);
            const double out = array * (nodes - 1) / nodes;
            return WireBytes{array * (n - 1) / n,
                             array * (n - 1) / n,
                             out,
                             out,
                             shape.nodes > 1 ? array : 0.0,
                             out / static_cast<double>(shape.gpusPerNode)};
        }
        default:
            return Wire::missing("NCCL has no ring for it");
    }
}

/// Two trees over the nodes, each for half of the array, and a chain through the GPUs of each node. Every edge carries its half up and
/// down: the sum over nodes is 2(N-1)S. The inner nodes of one tree are leaves of the other.
Wire tree(Kind kind, double array, CommShape shape)
{
    if (kind != Kind::Allreduce) return Wire::missing("NCCL has trees for allreduce only");
    const double nodes = static_cast<double>(shape.nodes);
    const double gpus = static_cast<double>(shape.gpusPerNode);
    const double out = 2 * (nodes - 1) / nodes * array;
    const double inside = 2 * (gpus - 1) * array;  // of a node: up and down each link of its chain
    const double perRank = (out + inside) / gpus;
    const double most = shape.nodes == 1 ? 0.0 : shape.nodes == 2 ? array : 2 * array;
    return WireBytes{perRank, perRank, out, out, most, out / gpus};
}

/// The switch reduces and multicasts. Of an allreduce each GPU owns 1/n: it lets the switch read and reduce its part (the others send
/// theirs), and sends the sum once.
Wire nvls(Kind kind, double array, CommShape shape)
{
    if (shape.nodes != 1) return Wire::missing("NVLS reaches one node only; across nodes it is NVLS with trees");
    const double n = static_cast<double>(shape.ranks());
    switch (kind) {
        case Kind::Allreduce:
            return WireBytes{array * (1 + 1 / n), array * (1 + 1 / n), 0, 0, 0, 0};
        case Kind::ReduceScatter:
            return WireBytes{array, array / n, 0, 0, 0, 0};
        case Kind::Allgather:
            return WireBytes{array / n, array, 0, 0, 0, 0};
        default:
            return Wire::missing("NCCL has no NVLS for it");
    }
}

Wire nvlsTree(Kind kind, double array, CommShape shape)
{
    if (kind != Kind::Allreduce) return Wire::missing("NCCL has NVLS trees for allreduce only");
    const double nodes = static_cast<double>(shape.nodes);
    const double gpus = static_cast<double>(shape.gpusPerNode);
    const double out = 2 * (nodes - 1) / nodes * array;
    const double perRank = array * (1 + 1 / gpus) + out / gpus;
    return WireBytes{perRank, perRank, out, out, shape.nodes == 1 ? 0.0 : shape.nodes == 2 ? array : 2 * array, out / gpus};
}

/// The network reduces: each node sends the array once and gets it once, over its heads.
Wire collNet(Kind kind, double array, CommShape shape)
{
    if (kind != Kind::Allreduce) return Wire::missing("in-network reduction is known for allreduce only");
    if (shape.nodes < 2) return Wire::missing("there is no network inside one node");
    const double gpus = static_cast<double>(shape.gpusPerNode);
    const double inside = 2 * (gpus - 1) / gpus * array;  // reduce to the heads and back
    return WireBytes{inside + array / gpus, inside + array / gpus, array, array, array, array / gpus};
}

Wire pat(Kind kind, double array, CommShape shape)
{
    if (kind != Kind::Allgather && kind != Kind::ReduceScatter) return Wire::missing("NCCL has PAT for allgather and reduce-scatter only");
    if (shape.gpusPerNode != 1) return Wire::missing("NCCL has PAT for one GPU a node only");
    const double perRank = share(shape.ranks()) * array;
    const double out = shape.nodes > 1 ? perRank : 0.0;
    return WireBytes{perRank, perRank, out, out, out, out};
}

Wire payloadOf(Kind kind, double array, CommShape shape, CommAlgorithm algorithm)
{
    if (kind == Kind::Alltoall) {  // sends and receives to all others, whatever the algorithm is called
        const double n = static_cast<double>(shape.ranks());
        const double perRank = array / n * (n - 1);
        const double perNic = array / n * (n - static_cast<double>(shape.gpusPerNode));
        const double out = perNic * static_cast<double>(shape.gpusPerNode);
        return WireBytes{perRank, perRank, out, out, out, perNic};
    }
    switch (algorithm) {
        case CommAlgorithm::Ring:
            return ring(kind, array, shape);
        case CommAlgorithm::Tree:
            return tree(kind, array, shape);
        case CommAlgorithm::Nvls:
            return nvls(kind, array, shape);
        case CommAlgorithm::NvlsTree:
            return nvlsTree(kind, array, shape);
        case CommAlgorithm::CollNet:
            return collNet(kind, array, shape);
        case CommAlgorithm::Pat:
            return pat(kind, array, shape);
    }
    return Wire::missing("unknown algorithm");
}

}  // namespace

double arrayBytes(Kind kind, double bytesOfRank, std::int64_t ranks)
{
    return isPart(kind) ? bytesOfRank * static_cast<double>(ranks) : bytesOfRank;
}

double busFactor(Kind kind, std::int64_t ranks)
{
    if (ranks < 2) return 0.0;
    if (kind == Kind::Allreduce) return 2 * share(ranks);
    return isPart(kind) || kind == Kind::Alltoall ? share(ranks) : 1.0;
}

bool joinsAll(Kind kind)
{
    return kind == Kind::Allreduce || kind == Kind::Allgather || kind == Kind::ReduceScatter || kind == Kind::Alltoall ||
           kind == Kind::Barrier;
}

Measured<Bandwidth> bandwidthOf(Kind kind, double array, std::int64_t ranks, Nanos time)
{
    if (time <= 0) return Measured<Bandwidth>::missing("it took no time");
    if (array <= 0) return Measured<Bandwidth>::missing("its bytes are not known");
    const double algorithm = array / static_cast<double>(time) * 1e9;
    return Bandwidth{algorithm, algorithm * busFactor(kind, ranks)};
}

double inflationOf(CommProtocol protocol)
{
    constexpr double flagged = 2.0;
    constexpr double flaggedLine = 16.0 / 15.0;
    return protocol == CommProtocol::Ll ? flagged : protocol == CommProtocol::Ll128 ? flaggedLine : 1.0;
}

std::optional<CommAlgorithm> algorithmNamed(std::string_view ncclName)
{
    const auto row =
        std::find_if(algorithmWords.begin(), algorithmWords.end(), [&](const AlgorithmWord& one) { return one.word == ncclName; });
    return row == algorithmWords.end() ? std::nullopt : std::optional(row->algorithm);
}

std::string_view nameOf(CommAlgorithm algorithm)
{
    return std::find_if(algorithmWords.begin(), algorithmWords.end(), [&](const AlgorithmWord& one) { return one.algorithm == algorithm; })
        ->word;
}

std::string_view nameOf(CommProtocol protocol)
{
    constexpr std::array<std::string_view, 3> names{"LL", "LL128", "SIMPLE"};
    return names[static_cast<std::size_t>(protocol)];
}

Measured<WireBytes> wireBytesOf(Kind kind, double array, CommShape shape, CommAlgorithm algorithm, CommProtocol protocol)
{
    if (shape.nodes < 1 || shape.gpusPerNode < 1) return Wire::missing("nobody takes part");
    if (shape.ranks() == 1) return WireBytes{};
    Wire payload = payloadOf(kind, array, shape, algorithm);
    if (!payload.known()) return payload;
    WireBytes bytes = payload.value();
    for (double* value : {&bytes.sentPerRank, &bytes.receivedPerRank, &bytes.nodeOut, &bytes.nodeIn, &bytes.nodeOutMost, &bytes.perNic})
        *value *= inflationOf(protocol);
    return bytes;
}

}  // namespace flowgauge::facts
