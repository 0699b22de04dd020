// SPDX-License-Identifier: MIT
#include "gui/load/network_data.h"

#include "analyzer/facts/port_traffic.h"
#include "analyzer/facts/wire_demand.h"

#include <algorithm>
#include <map>

namespace flowgauge::load {

namespace {

Interval sliceOf(Interval when, std::size_t slices, std::size_t i)
{
    const auto border = [&](std::size_t k) {
        return when.begin + static_cast<Nanos>(static_cast<double>(when.length()) * static_cast<double>(k) / static_cast<double>(slices));
    };
    return {border(i), border(i + 1)};
}

double ratePer(Interval slice, double bytes) { return slice.empty() ? 0 : bytes * 1e9 / static_cast<double>(slice.length()); }

PortFlow portFlow(const facts::PortTraffic& traffic, std::size_t at, const std::vector<facts::PortBytes>& bytes, Interval when)
{
    const facts::Port& port = traffic.ports()[at];
    const facts::PortBytes all = traffic.within(at, when);
    PortFlow flow{port.host,
                  port.name,
                  port.trains,
                  {},
                  {},
                  all.received.moved,
                  all.sent.moved,
                  traffic.peakReceived(at),
                  traffic.peakSent(at),
                  port.rate.valueOr(0)};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const Interval slice = sliceOf(when, bytes.size(), i);
        flow.received.push_back(ratePer(slice, bytes[i].received.moved));
        flow.sent.push_back(ratePer(slice, bytes[i].sent.moved));
    }
    return flow;
}

/// Takes from `left` what is wanted, and no more than there is: bands of a chart cannot lie below zero.
double take(double& left, double wanted)
{
    const double taken = std::clamp(wanted, 0.0, left);
    left -= taken;
    return taken;
}

void add(facts::Carried& sum, const facts::Carried& one)
{
    sum.moved += one.moved;
    sum.gradients += one.gradients;
    sum.storage += one.storage;
}

/// Of all ports of a host, in one slice.
void addSlice(const facts::PortBytes& bytes, Interval slice, HostFlow& flow)
{
    double received = bytes.received.moved;
    flow.storage.push_back(ratePer(slice, take(received, bytes.received.storage)));
    flow.gradients.push_back(ratePer(slice, take(received, bytes.received.gradients)));
    flow.other.push_back(ratePer(slice, received));
    double sent = bytes.sent.moved;
    flow.sentGradients.push_back(ratePer(slice, take(sent, bytes.sent.gradients)));
    flow.sentOther.push_back(ratePer(slice, sent));
}

using BytesOfPorts = std::vector<std::vector<facts::PortBytes>>;  ///< [port][slice]

HostFlow hostFlow(const facts::PortTraffic& traffic, const std::string& host, const BytesOfPorts& bytes, const NetworkFlow& whole)
{
    HostFlow flow;
    flow.host = host;
    const facts::HostWire wire = traffic.wireOf(host, whole.when);
    flow.collectives = wire.collectives;
    flow.known = wire.collectives.all > 0 || wire.storage.known();
    for (std::size_t i = 0; i < whole.slices; ++i) {
        const Interval slice = sliceOf(whole.when, whole.slices, i);
        facts::PortBytes sum;
        for (std::size_t port = 0; port < bytes.size(); ++port) {
            if (traffic.ports()[port].host != host) continue;
            add(sum.received, bytes[port][i].received);
            add(sum.sent, bytes[port][i].sent);
        }
        addSlice(sum, slice, flow);
        if (wire.collectives.all > 0) flow.expected.push_back(ratePer(slice, traffic.wireOf(host, slice).expectedReceived));
    }
    bool allRates = true;
    for (const facts::Port& port : traffic.ports()) {
        if (port.host != host) continue;
        flow.rate += port.rate.valueOr(0);
        allRates = allRates && port.rate.known();
    }
    if (!allRates) flow.rate = 0;
    return flow;
}

}  // namespace

NetworkFlow networkFlow(store::RunStore& store, const facts::RunFacts* facts, Interval when, std::size_t slices)
{
    const facts::RunFacts none;
    const facts::PortTraffic traffic(store, facts != nullptr ? *facts : none);
    NetworkFlow flow{when, slices, {}, {}, facts != nullptr ? facts::hostsRingLess(*facts) : 0};
    BytesOfPorts bytes(traffic.ports().size(), std::vector<facts::PortBytes>(slices));
    for (std::size_t port = 0; port < bytes.size(); ++port) {
        for (std::size_t i = 0; i < slices; ++i) bytes[port][i] = traffic.within(port, sliceOf(when, slices, i));
        flow.ports.push_back(portFlow(traffic, port, bytes[port], when));
    }
    if (facts == nullptr || when.empty()) return flow;
    for (const std::string& host : traffic.hosts()) flow.hosts.push_back(hostFlow(traffic, host, bytes, flow));
    return flow;
}

std::vector<facts::CollectiveFigures> collectives(const facts::RunFacts& facts, Interval when)
{
    return facts::collectiveFigures(facts::meetingsOf(facts.ranks, facts.clocks), when);
}

RankMatrix rankMatrix(store::RunStore& store, const RunSnapshot& run, Interval when, const Cancel& cancel)
{
    RankMatrix matrix;
    if (!run.analysis) return matrix;
    const facts::RunFacts& facts = run.analysis->facts;
    matrix.ranks = facts.rankNumbers();
    const std::size_t count = matrix.ranks.size();
    matrix.waited.resize(count * count);
    for (const facts::Meeting& meeting : facts::meetingsOf(facts.ranks, facts.clocks)) {
        if (!facts::beginsIn(meeting, when)) continue;
        for (std::size_t i = 0; i < meeting.calls.size(); ++i)
            if (meeting.calls[i] != nullptr && i != meeting.lastRank)
                matrix.waited[i * count + meeting.lastRank] +=
                    static_cast<double>(std::clamp(meeting.lastArrivalFor(i), meeting.calls[i]->when.begin, meeting.calls[i]->when.end) -
                                        meeting.calls[i]->when.begin);
    }
    std::map<int, std::size_t> positions;
    for (std::size_t i = 0; i < count; ++i) positions[matrix.ranks[i]] = i;
    store.scan({{Kind::Send, Kind::RmaPut}, {}, when}, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        const TrackInfo* info = run.track(track.id);
        if (info == nullptr || !info->rank || !positions.contains(*info->rank)) return !*cancel;
        for (const store::StoredEvent& event : events) {
            const auto peer = positions.find(static_cast<int>(event.arg[2]));
            if (peer == positions.end()) continue;
            matrix.sent.resize(count * count);
            matrix.sent[positions[*info->rank] * count + peer->second] += static_cast<double>(event.arg[1]);
        }
        return !*cancel;
    });
    return matrix;
}

}  // namespace flowgauge::load
