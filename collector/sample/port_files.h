// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/time.h"

#include <array>
#include <string_view>

/// Which driver counts what, where and in which unit (kernel sources of 2024, drivers/infiniband/hw/*).
namespace flowgauge::sample {

/// What one of port_rcv_data and port_xmit_data is, and whether bytes in hw_counters are to be believed.
enum class DataUnit : unsigned char {
    Unknown,  ///< kept raw, in no sum
    Words,    ///< 4 octets, whatever the width of the link
    Flits,    ///< 8 octets
    Octets,   ///< the driver has no such file; its own counters are octets
    None,     ///< the driver counts no bytes: they are in the network interface's counters
};

/// Whether a driver can bind counters to single queue pairs (ib_device_ops counter_bind_qp, drivers/infiniband of 2026).
enum class BindsCounters : unsigned char { No, Yes, NotKnown };

struct RdmaDriver {
    std::string_view driver;  ///< of the PCI device; "" where there is none
    std::string_view device;  ///< what the device's name begins with where the driver cannot be seen
    DataUnit unit;
    BindsCounters binds = BindsCounters::No;
};

/// The bytes are those of the function for mlx5, and of the port for all others.
inline constexpr std::array rdmaDrivers{
    RdmaDriver{"mlx5_core", "mlx5", DataUnit::Words, BindsCounters::Yes},
    RdmaDriver{"ionic", "ionic", DataUnit::Unknown, BindsCounters::Yes},
    RdmaDriver{"mlx4_core", "mlx4", DataUnit::Words},
    RdmaDriver{"hfi1", "hfi1", DataUnit::Flits},
    RdmaDriver{"hfi1", "opap", DataUnit::Flits},  // as udev names it
    RdmaDriver{"ib_qib", "qib", DataUnit::Words},
    RdmaDriver{"ib_mthca", "mthca", DataUnit::Words},
    RdmaDriver{"be2net", "ocrdma", DataUnit::Words},
    RdmaDriver{"qede", "qedr", DataUnit::Words},
    RdmaDriver{"bnxt_en", "bnxt_re", DataUnit::Octets},
    RdmaDriver{"ice", "irdma", DataUnit::Octets},
    RdmaDriver{"i40e", "i40iw", DataUnit::Octets},
    RdmaDriver{"efa", "efa", DataUnit::Octets},
    RdmaDriver{"efa", "rdmap", DataUnit::Octets},
    RdmaDriver{"mana", "mana", DataUnit::Octets},
    RdmaDriver{"erdma", "erdma", DataUnit::Octets},
    RdmaDriver{"hns3", "hns", DataUnit::None},
    RdmaDriver{"cxgb4", "cxgb4", DataUnit::None},
    RdmaDriver{"", "rxe", DataUnit::None},
    RdmaDriver{"", "siw", DataUnit::None},
    // udev's names where no driver can be seen: of the adapters under these names only those of words have port_rcv_data.
    RdmaDriver{"", "rocep", DataUnit::Words, BindsCounters::NotKnown},
    RdmaDriver{"", "roceP", DataUnit::Words, BindsCounters::NotKnown},
    RdmaDriver{"", "ibp", DataUnit::Words, BindsCounters::NotKnown},
};

/// By the driver, or where that cannot be seen ("") by the device's name.
[[nodiscard]] DataUnit dataUnit(std::string_view driver, std::string_view device);
[[nodiscard]] BindsCounters bindsCounters(std::string_view driver, std::string_view device);

/// Where one counter of a port is found. A port's counter is the first of its rows that can be read; drivers differ in
/// what they offer.
struct PortFile {
    Counter counter;
    std::string_view path;       ///< below ports/<n>/
    std::string_view alsoAdded;  ///< a second file whose value is added (irdma counts IPv4 and IPv6 apart), or ""

    /// Each read is one command to the adapter, so only bytes are read with every beat.
    [[nodiscard]] constexpr Nanos leastMs() const
    {
        if (counter == Counter::IbRxBytes || counter == Counter::IbTxBytes || counter == Counter::IbRxHwBytes ||
            counter == Counter::IbTxHwBytes)
            return 0;
        return counter == Counter::IbRxPackets || counter == Counter::IbTxPackets || counter == Counter::IbTxWait ? 100 : 1000;
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
    PortFile{Counter::IbLinkRecoveries, "counters/link_error_recovery", ""},
    PortFile{Counter::IbIntegrityErrors, "counters/local_link_integrity_errors", ""},
    PortFile{Counter::IbOverruns, "counters/excessive_buffer_overrun_errors", ""},
    PortFile{Counter::IbRemoteErrors, "counters/port_rcv_remote_physical_errors", ""},
    PortFile{Counter::IbOutOfSequence, "hw_counters/out_of_sequence", ""},         // mlx5
    PortFile{Counter::IbOutOfSequence, "hw_counters/rq_num_oos", ""},              // mlx4
    PortFile{Counter::IbOutOfSequence, "hw_counters/out_of_seq_request", ""},      // rxe
    PortFile{Counter::IbOutOfSequence, "hw_counters/oos_drop_count", ""},          // bnxt_re
    PortFile{Counter::IbOutOfSequence, "hw_counters/responder_oos", ""},           // mana
    PortFile{Counter::IbSequenceNaks, "hw_counters/packet_seq_err", ""},           // mlx5
    PortFile{Counter::IbSequenceNaks, "hw_counters/sq_num_oos", ""},               // mlx4
    PortFile{Counter::IbSequenceNaks, "hw_counters/seq_err_naks_rcvd", ""},        // bnxt_re
    PortFile{Counter::IbSequenceNaks, "hw_counters/rcvd_seq_err", ""},             // rxe
    PortFile{Counter::IbAckTimeouts, "hw_counters/local_ack_timeout_err", ""},     // mlx5
    PortFile{Counter::IbAckTimeouts, "hw_counters/sq_num_to", ""},                 // mlx4
    PortFile{Counter::IbAckTimeouts, "hw_counters/requester_timeout", ""},         // mana
    PortFile{Counter::IbAckTimeouts, "hw_counters/retrans_timeout_events", ""},    // efa
    PortFile{Counter::IbRnrRetries, "hw_counters/rnr_nak_retry_err", ""},          // mlx5
    PortFile{Counter::IbRnrRetries, "hw_counters/sq_num_rnr", ""},                 // mlx4
    PortFile{Counter::IbRnrRetries, "hw_counters/rnr_naks_rcvd", ""},              // bnxt_re
    PortFile{Counter::IbRnrRetries, "hw_counters/rcvd_rnr_err", ""},               // rxe
    PortFile{Counter::IbOutOfBuffer, "hw_counters/out_of_buffer", ""},             // mlx5
    PortFile{Counter::IbOutOfBuffer, "hw_counters/rx_out_of_buffer", ""},          // bnxt_re
    PortFile{Counter::IbOutOfBuffer, "hw_counters/rx_drops", ""},                  // efa
    PortFile{Counter::IbDuplicates, "hw_counters/duplicate_request", ""},          // mlx5, rxe
    PortFile{Counter::IbDuplicates, "hw_counters/rq_num_dup", ""},                 // mlx4
    PortFile{Counter::IbEcnMarked, "hw_counters/np_ecn_marked_roce_packets", ""},  // mlx5
    PortFile{Counter::IbEcnMarked, "hw_counters/rx_ecn_marked_pkts", ""},          // bnxt_re
    PortFile{Counter::IbEcnMarked, "hw_counters/RxECNMrkd", ""},                   // irdma
    PortFile{Counter::IbCnpSent, "hw_counters/np_cnp_sent", ""},                   // mlx5
    PortFile{Counter::IbCnpSent, "hw_counters/tx_cnp_pkts", ""},                   // bnxt_re
    PortFile{Counter::IbCnpSent, "hw_counters/tx_cnp_pkt", ""},                    // hns
    PortFile{Counter::IbCnpSent, "hw_counters/cnpSent", ""},                       // irdma
    PortFile{Counter::IbCnpHandled, "hw_counters/rp_cnp_handled", ""},             // mlx5
    PortFile{Counter::IbCnpHandled, "hw_counters/rx_cnp_pkts", ""},                // bnxt_re
    PortFile{Counter::IbCnpHandled, "hw_counters/rx_cnp_pkt", ""},                 // hns
    PortFile{Counter::IbCnpHandled, "hw_counters/cnpHandled", ""},                 // irdma
    PortFile{Counter::IbCnpHandled, "hw_counters/received_cnps", ""},              // mana
    PortFile{Counter::IbAdaptiveRetrans, "hw_counters/roce_adp_retrans", ""},      // mlx5
    PortFile{Counter::IbRetransmits, "hw_counters/to_retransmits", ""},            // bnxt_re
    PortFile{Counter::IbRetransmits, "hw_counters/tcpRetransSegs", ""},            // irdma
    PortFile{Counter::IbRetransmits, "hw_counters/retrans_pkts", ""},              // efa
};

/// hw_counters stand in for counters, they are not added to them: a port that has words or flits needs no hw bytes.
[[nodiscard]] constexpr Counter standsFor(Counter counter)
{
    if (counter == Counter::IbRxHwBytes) return Counter::IbRxBytes;
    if (counter == Counter::IbTxHwBytes) return Counter::IbTxBytes;
    return counter;
}

/// The number under which a value of that row is stored: the same file means words, flits or nobody knows what.
[[nodiscard]] Counter inUnit(Counter counter, DataUnit unit);

/// "4: ACTIVE" -> 4, or -1. 4 and 5 (ACTIVE_DEFER) carry traffic.
[[nodiscard]] int parsePortState(std::string_view text);

/// "100 Gb/sec (4X EDR)" -> 100000: data rate in 10^6 bit/s. SDR, DDR and QDR lines spend a fifth of their bits on coding,
/// FDR 14.0625 Gb/s a lane on 13.64; from FDR10 on (and where no speed is named) the printed rate is the data rate.
/// 0: unknown ("", "0 GB/sec", and the 2.5 and 40 Gb/s that stand for "unknown" on Ethernet).
[[nodiscard]] std::uint64_t parseDataRate(std::string_view text, bool ethernet);

}  // namespace flowgauge::sample
