// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/network_rows.h"

#include "analyzer/facts/wire_demand.h"

#include <algorithm>
#include <array>

namespace flowgauge::diagnoses {
namespace {

findings::CarriedBytes bytesOf(const facts::Carried& carried)
{
    return {carried.moved, carried.gradients, carried.storage, carried.headers, carried.unexplained(), carried.connections};
}

findings::PortRow rowOf(const facts::RunFacts& run, const facts::PortFacts& facts)
{
    findings::PortRow row;
    row.host = facts.port.host;
    row.port = facts.port.name;
    row.received = bytesOf(facts.run.received);
    row.sent = bytesOf(facts.run.sent);
    row.peakReceived = facts.peakReceived;
    row.peakSent = facts.peakSent;
    row.rate = facts.port.rate;
    for (std::size_t i = 0; i < std::min(facts.epochs.size(), run.epochs.size()); ++i)
        row.epochs.push_back({run.epochs[i].number, bytesOf(facts.epochs[i].received), bytesOf(facts.epochs[i].sent)});
    return row;
}

constexpr const char* wordFor(facts::PeerKind kind)
{
    return kind == facts::PeerKind::OtherHost ? "other host" : kind == facts::PeerKind::Elsewhere ? "elsewhere" : "same host";
}

findings::ConnectionRow rowOf(const facts::RunFacts& run, const facts::PeerConnections& facts)
{
    findings::ConnectionRow row{facts.host,         facts.peer,   wordFor(facts.kind), facts.connections, facts.run.sent,
                                facts.run.received, facts.resent, facts.rttMedianUs,   facts.rttMostUs,   {}};
    for (std::size_t i = 0; i < std::min(facts.epochs.size(), run.epochs.size()); ++i)
        row.epochs.push_back({run.epochs[i].number, facts.epochs[i].sent, facts.epochs[i].received});
    return row;
}

struct QueuePairWord {
    Counter counter;
    const char* what;
};
constexpr std::array queuePairWords{
    QueuePairWord{Counter::QpRxBytes, "bytes received"},
    QueuePairWord{Counter::QpTxBytes, "bytes sent"},
    QueuePairWord{Counter::QpRxPackets, "packets received"},
    QueuePairWord{Counter::QpTxPackets, "packets sent"},
    QueuePairWord{Counter::QpOutOfSequence, "packets that came out of order"},
    QueuePairWord{Counter::QpSequenceNaks, "times the far side lost packets"},
    QueuePairWord{Counter::QpAckTimeouts, "acknowledgements too late"},
    QueuePairWord{Counter::QpRnrRetries, "times the far side was not ready"},
    QueuePairWord{Counter::QpOutOfBuffer, "packets without a buffer"},
    QueuePairWord{Counter::QpDuplicates, "requests that came twice"},
    QueuePairWord{Counter::QpAdaptiveRetrans, "adaptive retransmissions"},
    QueuePairWord{Counter::QpEcnMarked, "packets marked as congested"},
    QueuePairWord{Counter::QpCnpSent, "congestion notices sent"},
    QueuePairWord{Counter::QpCnpHandled, "congestion notices obeyed"},
};

/// Counters that stood still, the port's own too, say nothing.
void addQueuePairs(const facts::QueuePairPort& port, findings::Network& network)
{
    for (const QueuePairWord& word : queuePairWords) {
        const facts::QueuePairCount* const count = port.find(word.counter);
        if (count == nullptr || (count->ofJob() == 0 && count->others == 0 && count->port.valueOr(0) == 0)) continue;
        const CounterRow& row = flowgauge::rowOf(word.counter);
        findings::QueuePairRow& told = network.queuePairs.emplace_back();
        told = {port.host,     port.port,  std::string(row.sqlName), word.what, row.unit == CounterUnit::Bytes, {}, count->ofJob(),
                count->others, count->port};
        for (const auto& [rank, counted] : count->job) told.ranks.push_back({rank, counted});
    }
}

std::string written(std::int64_t everyStep)
{
    return everyStep == 1 ? "" : " (one of " + std::to_string(everyStep) + " steps is written, and stands for those up to the next)";
}

findings::Sentence expectedCheck(const facts::HostWire& wire, const facts::RunFacts& run)
{
    const facts::WireSource source = facts::sourceOf(wire.collectives);
    const auto check = [&](const auto&... more) {
        return findings::Sentence(wire.host, ": ", findings::Count{wire.collectives.all}, " collectives with other hosts",
                                  written(run.everyStep()), " had to bring ", findings::Bytes{wire.expectedReceived}, " and send ",
                                  findings::Bytes{wire.expectedSent}, ", ", facts::wordsOf(source), more..., "; the ports sent ",
                                  findings::Bytes{wire.movedSent}, ".");
    };
    const double less = source == facts::WireSource::FlatRing ? facts::hostsRingLess(run) : 0;
    return less > 0 ? check(" (a ring of the hosts alone would move ", findings::Share{less}, " less)") : check();
}

findings::Sentence symmetryCheck(const facts::HostWire& wire)
{
    const findings::Bytes more{std::max(0.0, wire.storageBySymmetry())};
    if (!wire.storage.known())
        return findings::Sentence(wire.host, ": storage was not counted (", wire.storage.reason(), "); the ports received ", more,
                                  " more than they sent and the collectives explain, as reading over them would.");
    return findings::Sentence(wire.host, ": storage counted ", findings::Bytes{wire.storage.value()}, " of replies; the ports received ",
                              more, " more than they sent and the collectives explain.");
}

/// What a port moved beside its interface, from this part of it on: check sums of frames alone are less.
constexpr double besideFrom = 0.05;

bool movedBesideInterface(const facts::PhysicalPort& port)
{
    return port.received - port.shownReceived > besideFrom * port.received || port.sent - port.shownSent > besideFrom * port.sent;
}

findings::Sentence scopeNote(const facts::PhysicalPort& port)
{
    return findings::Sentence(port.host, ": the physical port of ", port.interface, " received ", findings::Bytes{port.received},
                              " and sent ", findings::Bytes{port.sent}, " (ethtool); its interface shows ",
                              findings::Bytes{port.shownReceived}, " and ", findings::Bytes{port.shownSent}, ", RDMA of this function was ",
                              findings::Bytes{port.rdmaReceived}, " and ", findings::Bytes{port.rdmaSent},
                              ". The port's bytes hold both and those of other functions: they are in no sum.");
}

}  // namespace

findings::Network networkOf(const facts::RunFacts& run)
{
    findings::Network network;
    for (const facts::PortFacts& port : run.network.ports)
        if (port.port.trains) network.ports.push_back(rowOf(run, port));
    for (const facts::GpuLink& link : run.network.gpuLinks)
        network.gpuLinks.push_back({link.host, link.gpu, link.kind == facts::GpuLinkKind::Nvlink ? "NVLink" : "PCIe", link.received,
                                    link.sent, link.peakReceived, link.peakSent, link.rate});
    for (const facts::PeerConnections& peer : run.network.connections) {
        network.connections.push_back(rowOf(run, peer));
        network.attributed = network.attributed || peer.kind != facts::PeerKind::SameHost;
    }
    for (const facts::HostWire& wire : run.network.hosts) {
        network.attributed = network.attributed || wire.collectives.all > 0 || wire.storage.known();
        if (wire.collectives.all > 0) network.checks.push_back(expectedCheck(wire, run));
        if (wire.collectives.all > 0 || wire.storage.known()) network.checks.push_back(symmetryCheck(wire));
    }
    for (const facts::PhysicalPort& port : run.network.physicalPorts)
        if (movedBesideInterface(port)) network.checks.push_back(scopeNote(port));
    for (const facts::QueuePairPort& port : run.network.queuePairs) addQueuePairs(port, network);
    return network;
}

}  // namespace flowgauge::diagnoses
