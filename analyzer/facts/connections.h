// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/measured.h"
#include "collector/record/time.h"
#include "collector/store/run_store.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// Whom a connection of the job leads to.
enum class PeerKind : std::uint8_t {
    SameHost,   ///< over the loopback, whatever the address
    OtherHost,  ///< a host of the run
    Elsewhere,  ///< storage, a proxy, a server of logs: whatever it is, no process of the run told of that address
};

struct TcpBytes {
    double sent = 0, received = 0;
};

/// What the job's processes of one host moved over TCP to and from one peer; bytes of the streams, each once.
struct PeerConnections {
    std::string host, peer;  ///< the peer is a host of the run, or an address
    PeerKind kind = PeerKind::Elsewhere;
    std::int64_t connections = 0;
    TcpBytes run;
    std::vector<TcpBytes> epochs;                                                     ///< as RunFacts::epochs
    Measured<double> resent = Measured<double>::missing("the kernel does not tell");  ///< bytes sent again
    Measured<double> rttMedianUs = Measured<double>::missing("no round trip was measured");
    Measured<double> rttMostUs = Measured<double>::missing("no round trip was measured");
};

/// What one socket had moved at moments of its life.
class TcpCurve {
public:
    /// Until `end` so much more, evenly since `begin`, which is not before the end of the last step.
    void add(Interval when, TcpBytes more);
    [[nodiscard]] bool empty() const { return m_at.empty(); }
    [[nodiscard]] TcpBytes within(Interval when) const;

private:
    [[nodiscard]] TcpBytes until(Nanos moment) const;
    std::vector<Nanos> m_at;  ///< ascending
    std::vector<TcpBytes> m_moved;
};

/// Reads the sockets' own counters once, then answers for any time. One socket counts once, however many descriptors and processes share
/// it (by the kernel's number of it); what was moved before a connection was first seen, in a process that inherited it, is in no sum.
/// Of very many readings neighbours are taken together: sums stay exact, times become coarser.
class Connections {
public:
    explicit Connections(store::RunStore& store);

    /// In order of host, other hosts before what is elsewhere and the host itself, most bytes first. Epochs are not filled in.
    [[nodiscard]] const std::vector<PeerConnections>& peers() const { return m_peers; }
    /// peer: position in peers(). What lies between two readings is taken to have moved evenly.
    [[nodiscard]] TcpBytes within(std::size_t peer, Interval when) const;
    /// Over the host's wires to that kind of peer.
    [[nodiscard]] TcpBytes within(const std::string& host, PeerKind kind, Interval when) const;

private:
    std::vector<PeerConnections> m_peers;
    std::vector<std::vector<TcpCurve>> m_curves;  ///< as m_peers
};

/// "tcp 10.0.0.1:40000 -> [2001:db8::2]:443" as its two hosts; empty where the name is none of a connection, or a side is unknown.
struct ConnectionSides {
    std::string own, peer;
};
[[nodiscard]] ConnectionSides sidesOf(const std::string& name);

}  // namespace flowgauge::facts
