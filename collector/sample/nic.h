// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"
#include "collector/sample/route_socket.h"

namespace flowgauge::sample {

/// A line of /proc/net/dev.
struct NetDevice {
    std::string_view name;
    std::uint64_t rxBytes = 0, rxPackets = 0, rxErrors = 0, rxDropped = 0, txBytes = 0, txPackets = 0;
};

/// The interfaces of a /proc/net/dev text. Headings, cut lines and lines of another shape are skipped.
class NetDeviceLines {
public:
    explicit constexpr NetDeviceLines(std::string_view text) : m_lines(text) {}
    bool next(NetDevice& into);

private:
    Lines m_lines;
};

/// True for names that stand for no hardware (lo, docker0, veth..., br-...): where no interface has a device of its own,
/// as in a container, all others are sampled.
[[nodiscard]] bool isVirtualName(std::string_view name);

/// Network interfaces: those with hardware behind them, so that no byte counts twice (bridges, VLANs, bonds, veth pairs).
/// RDMA traffic is not in these counters on mlx5; InfiniBand ports tell it.
///
/// Which interfaces there are comes from /proc/net/dev, now and then. Between those looks a real machine is asked for the
/// sampled ones alone: bytes by two open files each with every beat where they are few, everything else ten times a second
/// by one question to the kernel. A captured tree, and a kernel that refuses the question, is read by its table.
class NicSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    /// A sampled interface.
    struct Link {
        Source* source = nullptr;
        ValueFile rxBytes, txBytes;
    };
    static constexpr std::size_t mostLinks = RouteSocket::mostLinks;

    [[nodiscard]] bool isWorthIt(const SysRoot& root, std::string_view name) const;
    void look(const Pass& pass);
    [[nodiscard]] bool isShown(const SysRoot& root, std::string_view name) const;
    void putRate(const Pass& pass, std::string_view name, Source& source) const;
    void tellKind(const Pass& pass, std::string_view name);
    void addLink(const Pass& pass, std::string_view name, Source& source);
    void forgetLinks();
    [[nodiscard]] bool putAnswers(const Pass& pass);
    [[nodiscard]] bool putBytes(const Pass& pass);

    RereadFile m_table;
    RouteSocket m_route;
    std::array<Link, mostLinks> m_links{};
    std::array<LinkCounters, mostLinks> m_counters{};  ///< of the same place in m_links
    std::size_t m_count = 0;
    int m_told = 0;  ///< interfaces that the ledger knows
    bool m_anyHardware = false;
    bool m_asks = false;   ///< every sampled interface is in m_links
    bool m_reads = false;  ///< and its files are open
    Nanos m_lookDueNs = 0, m_allDueNs = 0;
};

}  // namespace flowgauge::sample
