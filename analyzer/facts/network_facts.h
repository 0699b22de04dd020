// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/connections.h"
#include "analyzer/facts/interval_set.h"
#include "analyzer/facts/queue_pairs.h"
#include "collector/record/measured.h"
#include "collector/record/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// Bytes one way through a port, by what they were for.
struct Carried {
    double moved = 0;
    double gradients = 0;  ///< what the collectives between hosts must move
    double storage = 0;    ///< what storage clients counted on their wire
    double headers = 0;    ///< of packets, at least
    /// What the job's own TCP connections to other hosts moved beyond the gradients: collectives over TCP are in both, and counted once.
    double connections = 0;
    /// Whatever nothing explains; below 0 where more is expected than was moved. Never forced to zero.
    [[nodiscard]] double unexplained() const { return moved - gradients - storage - headers - connections; }
};
struct PortBytes {
    Carried received, sent;
};

enum class PortKind : std::uint8_t { Interface, Rdma };
struct Port {
    std::string host, name;  ///< "eth0", "mlx5_0/1"
    PortKind kind = PortKind::Interface;
    bool trains = true;     ///< a process of the job ran on the host
    Measured<double> rate;  ///< bytes a second that it can move each way
};

/// Collectives that reach another host, by how it is known what they have to move: NCCL's proxies counted it, the formula of the
/// algorithm that NCCL told, and for the others that of a ring.
struct CollectiveCounts {
    std::int64_t all = 0, counted = 0, told = 0;
};

/// How well what a host's ports moved agrees with what is known from elsewhere; bytes.
struct HostWire {
    std::string host;
    CollectiveCounts collectives;
    double expectedReceived = 0, expectedSent = 0;
    Measured<double> storage;  ///< received for reads, as its client counted
    double movedReceived = 0, movedSent = 0;
    /// Storage comes in only, all else goes out as it comes in: an estimate that asks no storage client. Good where little is written.
    [[nodiscard]] double storageBySymmetry() const { return movedReceived - expectedReceived - (movedSent - expectedSent); }
};

struct PortFacts {
    /// Of the data rate. TCP with frames of 1500 bytes reaches 94 % with its payload, RDMA with packets of 1 KiB 93 %, 4 KiB 98 %
    /// (facts/network.md §6): a port at 90 % has no more to give.
    static constexpr double fullFrom = 0.9;

    Port port;
    PortBytes run;
    std::vector<PortBytes> epochs;          ///< as RunFacts::epochs
    double peakReceived = 0, peakSent = 0;  ///< bytes a second over the busiest tenth of a second, or what the sampling can tell
    IntervalSet full{};                     ///< when it moved fullFrom of its rate or more; empty where the rate is not known
    /// The busier way's peak as a share of what the link can move.
    [[nodiscard]] Measured<double> peakShare() const
    {
        if (!port.rate.known()) return Measured<double>::missing(port.rate.reason());
        return (peakReceived > peakSent ? peakReceived : peakSent) / port.rate.value();
    }
};

/// What an Ethernet port's driver tells of it (ethtool). Other views of bytes that are in PortFacts already: never to be added to those.
struct PhysicalPort {
    std::string host, interface;
    double received = 0, sent = 0;            ///< by the physical port, for whomever
    double shownReceived = 0, shownSent = 0;  ///< by the interface, over the same time
    double rdmaReceived = 0, rdmaSent = 0;    ///< by RDMA of this function; 0 as well where its driver does not tell
};

enum class GpuLinkKind : std::uint8_t { Nvlink, Pcie };
/// What one GPU has of one kind of link, all of its links together.
struct GpuLink {
    std::string host, gpu;  ///< the GPU by its UUID
    GpuLinkKind kind = GpuLinkKind::Nvlink;
    double received = 0, sent = 0;          ///< bytes over the run
    double peakReceived = 0, peakSent = 0;  ///< bytes a second between two readings, which are about a second apart
    Measured<double> rate = Measured<double>::missing("the link does not tell its rate");  ///< bytes a second each way
};

struct NetworkFacts {
    std::vector<PortFacts> ports;  ///< those that moved anything, in order of host and name
    std::vector<HostWire> hosts;   ///< those that train and have such a port
    std::vector<GpuLink> gpuLinks;
    std::vector<PeerConnections> connections;
    std::vector<PhysicalPort> physicalPorts;  ///< those whose driver tells, in order of host and name
    std::vector<QueuePairPort> queuePairs;    ///< ports where counters were bound to queue pairs
};

}  // namespace flowgauge::facts
