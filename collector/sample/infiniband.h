// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// "4: ACTIVE" -> 4, or -1. 4 and 5 (ACTIVE_DEFER) carry traffic.
[[nodiscard]] int parsePortState(std::string_view text);

/// Where one counter of a port is found. A port's counter is the first of its rows that can be read; drivers differ in
/// what they offer (facts: kernel sources of 2024, drivers/infiniband/hw/*).
struct PortFile {
    Counter counter;
    std::string_view path;       ///< below ports/<n>/
    std::string_view alsoAdded;  ///< a second file whose value is added (irdma counts IPv4 and IPv6 apart), or ""

    /// Each read is one command to the adapter, so only bytes are read with every beat.
    [[nodiscard]] constexpr Nanos leastMs() const
    {
        if (counter == Counter::IbRxPackets || counter == Counter::IbTxPackets || counter == Counter::IbTxWait) return 100;
        return counter >= Counter::IbSymbolErrors && counter <= Counter::IbTxDiscards ? 1000 : 0;
    }
};
inline constexpr std::array portFiles{
    PortFile{Counter::IbRxBytes, "counters_ext/port_rcv_data_64", ""},
    PortFile{Counter::IbRxBytes, "counters/port_rcv_data", ""},
    PortFile{Counter::IbTxBytes, "counters_ext/port_xmit_data_64", ""},
    PortFile{Counter::IbTxBytes, "counters/port_xmit_data", ""},
    PortFile{Counter::IbRxHwBytes, "hw_counters/rx_bytes", ""},                            // efa, bnxt_re, mana
    PortFile{Counter::IbRxHwBytes, "hw_counters/rx_bytes_cnt", ""},                        // erdma
    PortFile{Counter::IbRxHwBytes, "hw_counters/ip4InOctets", "hw_counters/ip6InOctets"},  // irdma
    PortFile{Counter::IbTxHwBytes, "hw_counters/tx_bytes", ""},
    PortFile{Counter::IbTxHwBytes, "hw_counters/tx_bytes_cnt", ""},
    PortFile{Counter::IbTxHwBytes, "hw_counters/ip4OutOctets", "hw_counters/ip6OutOctets"},
    PortFile{Counter::IbRxPackets, "counters_ext/port_rcv_packets_64", ""},
    PortFile{Counter::IbRxPackets, "counters/port_rcv_packets", ""},
    PortFile{Counter::IbRxPackets, "hw_counters/rx_pkts", ""},
    PortFile{Counter::IbRxPackets, "hw_counters/rx_packets_cnt", ""},
    PortFile{Counter::IbRxPackets, "hw_counters/rcvd_pkts", ""},  // rxe; its bytes are in the network interface's counters
    PortFile{Counter::IbRxPackets, "hw_counters/rx_pkt", ""},     // hns
    PortFile{Counter::IbRxPackets, "hw_counters/ip4InPkts", "hw_counters/ip6InPkts"},
    PortFile{Counter::IbTxPackets, "counters_ext/port_xmit_packets_64", ""},
    PortFile{Counter::IbTxPackets, "counters/port_xmit_packets", ""},
    PortFile{Counter::IbTxPackets, "hw_counters/tx_pkts", ""},
    PortFile{Counter::IbTxPackets, "hw_counters/tx_packets_cnt", ""},
    PortFile{Counter::IbTxPackets, "hw_counters/sent_pkts", ""},
    PortFile{Counter::IbTxPackets, "hw_counters/tx_pkt", ""},
    PortFile{Counter::IbTxPackets, "hw_counters/ip4OutPkts", "hw_counters/ip6OutPkts"},
    PortFile{Counter::IbTxWait, "counters/port_xmit_wait", ""},
    PortFile{Counter::IbSymbolErrors, "counters/symbol_error", ""},
    PortFile{Counter::IbLinkDowned, "counters/link_downed", ""},
    PortFile{Counter::IbRxErrors, "counters/port_rcv_errors", ""},
    PortFile{Counter::IbTxDiscards, "counters/port_xmit_discards", ""},
};

/// One counter of one port, found and opened. The files stay open: a read is one management command to the adapter.
struct PortCounter {
    ValueFile file, also;
    Source* source = nullptr;
    Counter counter = Counter::IbRxBytes;
    bool added = false;
    Nanos leastNs = 0;  ///< a twentieth less than asked for, so that a beat that comes a little early counts
    Nanos dueNs = 0;
    std::uint64_t value = 0;  ///< of the last read
    Nanos movedNs = 0;        ///< when it last changed

    /// When to read next, after a read at nowNs that gave `now`. A counter that stands still for a second is asked ten times
    /// a second until it moves: a node has many ports, and the idle ones should not cost their adapters a command a beat.
    void plan(Nanos nowNs, std::uint64_t now);
};

/// The ports of InfiniBand, RoCE, Omni-Path, EFA and their like that are up. One file that cannot be read (EINVAL on
/// restricted functions, "N/A (no PMA)") costs that counter, never the port; it is not tried again before the next look,
/// since each refusal writes a line into the kernel's log.
class InfinibandSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    void openDevice(const Pass& pass, std::string_view device);
    void openPort(const Pass& pass, std::string_view device, std::string_view port);
    [[nodiscard]] bool openCounter(const Pass& pass, Path& folder, const PortFile& row, Source& source);
    static constexpr std::size_t mostCounters = 512;  ///< 40 ports of 11 counters and some
    PortCounter* m_counters = nullptr;
    std::size_t m_count = 0;
    bool m_stale = false;  ///< a device went away: look again
    Nanos m_lookedNs = 0;
    int m_ports = 0, m_down = 0;
};

}  // namespace flowgauge::sample
