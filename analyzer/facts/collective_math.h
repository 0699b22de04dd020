// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/kind.h"
#include "collector/record/measured.h"
#include "collector/record/time.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// What collectives are worth and what they move, by the conventions of nccl-tests (doc/PERFORMANCE.md). GB are 1e9 bytes.
namespace flowgauge::facts {

/// The S of nccl-tests: the whole array, from what kinds.def counts as one rank's bytes. Allgather, ReduceScatter, Gather and
/// Scatter count one rank's part, of which S has one for each rank; the others' bytes are S already.
[[nodiscard]] double arrayBytes(Kind kind, double bytesOfRank, std::int64_t ranks);

/// busbw / algbw: 2(n-1)/n of an allreduce; (n-1)/n of Allgather, ReduceScatter, Alltoall, Gather and Scatter; 1 of Broadcast, Reduce,
/// Send and Recv. 0 for one rank, which moves nothing.
[[nodiscard]] double busFactor(Kind kind, std::int64_t ranks);

/// algbw = S/t and busbw, bytes a second.
struct Bandwidth {
    double algorithm = 0, bus = 0;
};
/// S: see arrayBytes. Not measured without time or without bytes.
[[nodiscard]] Measured<Bandwidth> bandwidthOf(Kind kind, double arrayBytes, std::int64_t ranks, Nanos time);

/// Nobody leaves before the last has come. In the other kinds a rank may.
[[nodiscard]] bool joinsAll(Kind kind);

enum class CommAlgorithm : std::uint8_t { Ring, Tree, Nvls, NvlsTree, CollNet, Pat };
/// As CommDetail numbers them. LL sends 8 bytes of flags with 8 of data, LL128 8 with 120.
enum class CommProtocol : std::uint8_t { Ll, Ll128, Simple };
[[nodiscard]] double inflationOf(CommProtocol protocol);
/// Of NCCL's words for it; none for a way that has no formula here (copy engines).
[[nodiscard]] std::optional<CommAlgorithm> algorithmNamed(std::string_view ncclName);
[[nodiscard]] std::string_view nameOf(CommAlgorithm algorithm);
[[nodiscard]] std::string_view nameOf(CommProtocol protocol);

/// N nodes of g GPUs.
struct CommShape {
    std::int64_t nodes = 1, gpusPerNode = 1;
    [[nodiscard]] std::int64_t ranks() const { return nodes * gpusPerNode; }
};

/// Bytes that one collective puts on wires, flags of its protocol included; headers of the network are not.
struct WireBytes {
    double sentPerRank = 0, receivedPerRank = 0;  ///< mean over ranks, whichever wire
    double nodeOut = 0, nodeIn = 0;               ///< mean over nodes, all NICs of the node together; 0 for one node
    double nodeOutMost = 0;                       ///< of the busiest node
    double perNic = 0;                            ///< mean sent by one NIC, where a node has as many as GPUs
};
/// S: see arrayBytes. Not measured (why) for an algorithm that NCCL does not have for that operation or that shape.
[[nodiscard]] Measured<WireBytes> wireBytesOf(Kind kind, double arrayBytes, CommShape shape, CommAlgorithm algorithm,
                                              CommProtocol protocol);

}  // namespace flowgauge::facts
