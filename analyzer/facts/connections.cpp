// SPDX-License-Identifier: MIT
#include "analyzer/facts/connections.h"

#include "analyzer/facts/host_names.h"
#include "analyzer/facts/median.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace flowgauge::facts {
namespace {

/// A reading of a socket, by whichever process made it.
struct Reading {
    Interval when;
    std::int64_t sent, received, resent;
};
struct Socket {
    std::string host;
    store::Id name = 0;
    std::vector<Reading> readings;
};

/// Some of many values, evenly spread over them, and the largest of all.
class Spread {
public:
    void add(double value)
    {
        m_most = std::max(m_most, value);
        if (m_seen++ % m_stride != 0) return;
        m_kept.push_back(value);
        if (m_kept.size() < mostKept) return;
        for (std::size_t i = 0; i < mostKept / 2; ++i) m_kept[i] = m_kept[2 * i];
        m_kept.resize(mostKept / 2);
        m_stride *= 2;
    }
    [[nodiscard]] bool empty() const { return m_kept.empty(); }
    [[nodiscard]] double most() const { return m_most; }
    [[nodiscard]] double median() const { return medianOf(m_kept); }

private:
    static constexpr std::size_t mostKept = 4096;
    std::vector<double> m_kept;
    std::size_t m_seen = 0, m_stride = 1;
    double m_most = 0;
};
/// Round trips by host and the kernel's number of the socket: which peer that is, its bytes tell.
using RoundTrips = std::map<std::pair<store::Id, std::uint64_t>, std::vector<float>>;
/// A kernel's numbers start anew at each boot, and before Linux 5.x in each network namespace: the name tells those apart.
using SocketKey = std::tuple<store::Id, std::uint64_t, store::Id>;
using Sockets = std::map<SocketKey, Socket>;

std::string hostOf(const std::string& address)
{
    const std::size_t port = address.rfind(':');
    return port == std::string::npos ? "" : address.substr(0, port);
}

bool isLoopback(const std::string& host) { return host.starts_with("127.") || host == "[::1]"; }

/// So many readings are held at most; where there are more, those of one socket that lie closer than `cell` become one.
constexpr std::size_t mostReadings = 2'000'000;
constexpr Nanos firstCell = 200'000'000;
/// Of a socket's round trips the first are kept at full, later ones by every 2^k.
constexpr std::size_t mostRoundTrips = 64;

std::size_t merge(Sockets& sockets, Nanos cell)
{
    std::size_t left = 0;
    for (auto& [key, socket] : sockets) {
        std::vector<Reading> merged;
        for (const Reading& reading : socket.readings) {
            const bool follows = !merged.empty() && !merged.back().when.empty() && !reading.when.empty() &&
                                 reading.when.begin >= merged.back().when.begin && reading.when.end >= merged.back().when.end;
            if (follows && reading.when.end - merged.back().when.begin < cell)
                merged.back() = {{merged.back().when.begin, reading.when.end}, reading.sent, reading.received, reading.resent};
            else
                merged.push_back(reading);
        }
        socket.readings = std::move(merged);
        left += socket.readings.size();
    }
    return left;
}

void addRoundTrip(std::vector<float>& kept, std::int64_t us)
{
    if (us <= 0) return;
    kept.push_back(static_cast<float>(us));
    if (kept.size() < mostRoundTrips) return;
    // The largest stays: it is asked for.
    const float most = *std::max_element(kept.begin(), kept.end());
    for (std::size_t i = 0; i < kept.size() / 2; ++i) kept[i] = kept[2 * i];
    kept.resize(kept.size() / 2);
    kept.back() = most;
}

Sockets readSockets(store::RunStore& store, RoundTrips& roundTrips)
{
    Sockets sockets;
    const std::vector<store::HostRow> hosts = store.hosts();
    store::EventQuery query{{Kind::SocketBytes, Kind::SocketLimits}, {}, {}};
    for (const store::TrackRow& track : store.tracks())
        if (track.key.lane == Lane::Socket) query.tracks.push_back(track.id);
    if (query.tracks.empty()) return sockets;  // an empty list would mean every track
    std::size_t held = 0;
    Nanos cell = firstCell;
    store.scan(query, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events) {
            if (event.kind == Kind::SocketLimits) {
                addRoundTrip(roundTrips[{track.key.host, event.link}], event.arg[0]);
                continue;
            }
            Socket& socket = sockets[{track.key.host, event.link, event.arg[0]}];
            socket.name = event.arg[0];
            socket.readings.push_back({{event.begin, event.end}, event.arg[1], event.arg[2], event.arg[3]});
            ++held;
        }
        for (; held > mostReadings && cell < Nanos{3'600} * 1'000'000'000; cell *= 2) held = merge(sockets, cell);
        return true;
    });
    for (auto& [key, socket] : sockets) {
        socket.host = nameOfHost(hosts, std::get<0>(key));
        std::sort(socket.readings.begin(), socket.readings.end(),
                  [](const Reading& a, const Reading& b) { return a.when.end < b.when.end; });
    }
    return sockets;
}

/// Whose addresses these are: a host is wherever a process of the run had its own side.
std::unordered_map<std::string, std::string> hostsOfAddresses(store::RunStore& store, const Sockets& sockets)
{
    std::unordered_map<std::string, std::string> hosts;
    for (const auto& [key, socket] : sockets) {
        const std::string own = sidesOf(store.nameText(socket.name)).own;
        if (!own.empty() && !isLoopback(own)) hosts.emplace(own, socket.host);
    }
    return hosts;
}

struct Peer {
    PeerConnections facts;
    std::vector<TcpCurve> curves;
    Spread rttUs;
};

std::pair<std::string, PeerKind> peerOf(const std::string& address, const std::string& host,
                                        const std::unordered_map<std::string, std::string>& hosts)
{
    const auto owner = hosts.find(address);
    if (isLoopback(address) || (owner != hosts.end() && owner->second == host)) return {host, PeerKind::SameHost};
    if (owner != hosts.end()) return {owner->second, PeerKind::OtherHost};
    return {address.empty() ? "unknown" : address, PeerKind::Elsewhere};
}

double added(std::int64_t now, std::int64_t before) { return now > before ? static_cast<double>(now - before) : 0; }

/// Several processes may have read the socket: its totals only grow, whoever tells them. A first reading without a past found the
/// connection open, and what it had moved until then was not moved while anybody looked; unless one that had moved nothing says that the
/// connection began then.
void addSocket(const Socket& socket, Peer& peer)
{
    PeerConnections& facts = peer.facts;
    facts.connections += 1;
    TcpCurve curve;
    Reading known{{}, 0, 0, 0};
    const Reading& first = socket.readings.front();
    const bool begun = std::any_of(socket.readings.begin(), socket.readings.end(),
                                   [](const Reading& one) { return one.when.empty() && one.sent == 0 && one.received == 0; });
    if (first.when.empty() && !begun) known = first;
    for (const Reading& reading : socket.readings) {
        const TcpBytes bytes{added(reading.sent, known.sent), added(reading.received, known.received)};
        facts.run.sent += bytes.sent;
        facts.run.received += bytes.received;
        if (bytes.sent > 0 || bytes.received > 0) curve.add(reading.when, bytes);
        if (reading.resent >= 0) facts.resent = facts.resent.valueOr(0) + added(reading.resent, known.resent);
        known = {
            {}, std::max(known.sent, reading.sent), std::max(known.received, reading.received), std::max(known.resent, reading.resent)};
    }
    if (!curve.empty()) peer.curves.push_back(std::move(curve));
}

std::tuple<std::string, int, double> placeOf(const PeerConnections& peer)
{
    const int kind = peer.kind == PeerKind::OtherHost ? 0 : peer.kind == PeerKind::Elsewhere ? 1 : 2;
    return {peer.host, kind, -(peer.run.sent + peer.run.received)};
}

}  // namespace

ConnectionSides sidesOf(const std::string& name)
{
    constexpr std::string_view before = "tcp ", between = " -> ";
    const std::size_t arrow = name.find(between);
    if (!name.starts_with(before) || arrow == std::string::npos) return {};
    return {hostOf(name.substr(before.size(), arrow - before.size())), hostOf(name.substr(arrow + between.size()))};
}

void TcpCurve::add(Interval when, TcpBytes more)
{
    const Nanos before = m_at.empty() ? when.begin : m_at.back();
    const TcpBytes moved = m_moved.empty() ? TcpBytes{} : m_moved.back();
    // A reading that several made at the same moment, or a moment apart, still needs a stretch of time to move in.
    const Nanos end = std::max(when.end, std::max(before, when.begin) + 1), begin = std::min(std::max(when.begin, before), end - 1);
    if (m_at.empty() || begin > before) {
        m_at.push_back(begin);
        m_moved.push_back(moved);
    }
    m_at.push_back(end);
    m_moved.push_back({moved.sent + more.sent, moved.received + more.received});
}

TcpBytes TcpCurve::until(Nanos moment) const
{
    const auto after = static_cast<std::size_t>(std::upper_bound(m_at.begin(), m_at.end(), moment) - m_at.begin());
    if (after == 0) return {};
    if (after == m_at.size()) return m_moved.back();
    const TcpBytes &low = m_moved[after - 1], &high = m_moved[after];
    const double part = static_cast<double>(moment - m_at[after - 1]) / static_cast<double>(m_at[after] - m_at[after - 1]);
    return {low.sent + (high.sent - low.sent) * part, low.received + (high.received - low.received) * part};
}

TcpBytes TcpCurve::within(Interval when) const
{
    if (when.empty() || when.end <= m_at.front() || when.begin >= m_at.back()) return {};
    const TcpBytes low = until(when.begin), high = until(when.end);
    return {high.sent - low.sent, high.received - low.received};
}

Connections::Connections(store::RunStore& store)
{
    RoundTrips roundTrips;
    const Sockets sockets = readSockets(store, roundTrips);
    const auto hosts = hostsOfAddresses(store, sockets);
    std::map<std::pair<std::string, std::string>, Peer> peers;
    for (const auto& [key, socket] : sockets) {
        const auto [name, kind] = peerOf(sidesOf(store.nameText(socket.name)).peer, socket.host, hosts);
        Peer& peer = peers[{socket.host, name}];
        peer.facts.host = socket.host;
        peer.facts.peer = name;
        peer.facts.kind = kind;
        addSocket(socket, peer);
        for (const float us : roundTrips[{std::get<0>(key), std::get<1>(key)}]) peer.rttUs.add(us);
    }
    std::vector<Peer> ordered;
    ordered.reserve(peers.size());
    for (auto& [key, peer] : peers) ordered.push_back(std::move(peer));
    std::stable_sort(ordered.begin(), ordered.end(), [](const Peer& a, const Peer& b) { return placeOf(a.facts) < placeOf(b.facts); });
    for (Peer& peer : ordered) {
        m_peers.push_back(std::move(peer.facts));
        m_curves.push_back(std::move(peer.curves));
        if (peer.rttUs.empty()) continue;
        m_peers.back().rttMostUs = peer.rttUs.most();
        m_peers.back().rttMedianUs = peer.rttUs.median();
    }
}

TcpBytes Connections::within(std::size_t peer, Interval when) const
{
    TcpBytes sum;
    for (const TcpCurve& curve : m_curves[peer]) {
        const TcpBytes one = curve.within(when);
        sum.sent += one.sent;
        sum.received += one.received;
    }
    return sum;
}

TcpBytes Connections::within(const std::string& host, PeerKind kind, Interval when) const
{
    TcpBytes sum;
    for (std::size_t i = 0; i < m_peers.size(); ++i) {
        if (m_peers[i].host != host || m_peers[i].kind != kind) continue;
        const TcpBytes one = within(i, when);
        sum.sent += one.sent;
        sum.received += one.received;
    }
    return sum;
}

}  // namespace flowgauge::facts
