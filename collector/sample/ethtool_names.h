// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"

#include <array>
#include <string_view>

/// Which of a driver's own statistics (`ethtool -S`) are kept, and as what. Names have no common grammar: each row is one that a driver's
/// source or documentation explains (kernel 6.12: mlx5 counters.rst, mlx4/en_ethtool.c, ice, i40e, ixgbe, igb and e1000e ethtool.c).
namespace flowgauge::sample {

struct EthtoolName {
    std::string_view name;  ///< '*' stands for a priority, 0 to 7
    Counter counter;
};

/// Where a driver shows one counter under two names, the one that it lists first is kept.
inline constexpr std::array ethtoolNames{
    // The physical port: all functions of the adapter, RDMA and the frames' check sums (4 bytes each) included.
    EthtoolName{"rx_bytes_phy", Counter::NicPortRxBytes},   // mlx5
    EthtoolName{"port.rx_bytes", Counter::NicPortRxBytes},  // i40e
    EthtoolName{"rx_bytes.nic", Counter::NicPortRxBytes},   // ice
    EthtoolName{"tx_bytes_phy", Counter::NicPortTxBytes},
    EthtoolName{"port.tx_bytes", Counter::NicPortTxBytes},
    EthtoolName{"tx_bytes.nic", Counter::NicPortTxBytes},
    // This function's RDMA: what port_rcv_data and port_xmit_data of its RDMA device count in words.
    EthtoolName{"rx_vport_rdma_unicast_bytes", Counter::NicRdmaRxBytes},
    EthtoolName{"tx_vport_rdma_unicast_bytes", Counter::NicRdmaTxBytes},
    // Pauses, of the whole link and of one priority (PFC). rx_global_pause of mlx5 counts the frames of rx_pause_ctrl_phy once more.
    EthtoolName{"rx_pause_ctrl_phy", Counter::NicRxPauses},
    EthtoolName{"rx_pause", Counter::NicRxPauses},              // mlx4
    EthtoolName{"port.link_xoff_rx", Counter::NicRxPauses},     // i40e
    EthtoolName{"link_xoff_rx.nic", Counter::NicRxPauses},      // ice
    EthtoolName{"rx_flow_control_xoff", Counter::NicRxPauses},  // ixgbe, igb, e1000e
    EthtoolName{"tx_pause_ctrl_phy", Counter::NicTxPauses},
    EthtoolName{"tx_pause", Counter::NicTxPauses},
    EthtoolName{"port.link_xoff_tx", Counter::NicTxPauses},
    EthtoolName{"link_xoff_tx.nic", Counter::NicTxPauses},
    EthtoolName{"tx_flow_control_xoff", Counter::NicTxPauses},
    EthtoolName{"rx_prio*_pause", Counter::NicRxPauses},           // mlx5; only of priorities with PFC
    EthtoolName{"rx_pause_prio_*", Counter::NicRxPauses},          // mlx4
    EthtoolName{"port.rx_priority_*_xoff", Counter::NicRxPauses},  // i40e
    EthtoolName{"rx_priority_*_xoff.nic", Counter::NicRxPauses},   // ice
    EthtoolName{"tx_prio*_pause", Counter::NicTxPauses},
    EthtoolName{"tx_pause_prio_*", Counter::NicTxPauses},
    EthtoolName{"port.tx_priority_*_xoff", Counter::NicTxPauses},
    EthtoolName{"tx_priority_*_xoff.nic", Counter::NicTxPauses},
    EthtoolName{"rx_global_pause_duration", Counter::NicRxPausedUs},
    EthtoolName{"tx_global_pause_duration", Counter::NicTxPausedUs},
    EthtoolName{"rx_prio*_pause_duration", Counter::NicRxPausedUs},
    EthtoolName{"tx_prio*_pause_duration", Counter::NicTxPausedUs},
    // What was lost, and where.
    EthtoolName{"rx_discards_phy", Counter::NicPortRxDiscards},
    EthtoolName{"port.rx_dropped", Counter::NicPortRxDiscards},
    EthtoolName{"rx_dropped.nic", Counter::NicPortRxDiscards},
    EthtoolName{"rx_prio*_discards", Counter::NicPortRxDiscards},
    EthtoolName{"tx_discards_phy", Counter::NicPortTxDiscards},
    EthtoolName{"rx_out_of_buffer", Counter::NicOutOfBuffer},    // mlx5
    EthtoolName{"rx_no_buffer_count", Counter::NicOutOfBuffer},  // igb, e1000e
    EthtoolName{"rx_crc_errors_phy", Counter::NicCrcErrors},
    EthtoolName{"port.rx_crc_errors", Counter::NicCrcErrors},
    EthtoolName{"rx_crc_errors.nic", Counter::NicCrcErrors},
    EthtoolName{"rx_crc_errors", Counter::NicCrcErrors},  // ixgbe, igb, e1000e
    EthtoolName{"rx_symbol_err_phy", Counter::NicSymbolErrors},
    EthtoolName{"link_down_events_phy", Counter::NicLinkDowned},
    // mlx5: seconds in which the adapter could not read from memory, or write to it, for more than 30 % of the time.
    EthtoolName{"outbound_pci_stalled_rd_events", Counter::NicPciStallsReading},
    EthtoolName{"outbound_pci_stalled_wr_events", Counter::NicPciStallsWriting},
};

inline constexpr int wholePort = -1;
struct EthtoolMatch {
    Counter counter = Counter::NicPortRxBytes;
    int priority = wholePort;
};
/// False for a name that is not kept.
[[nodiscard]] bool matchEthtool(std::string_view name, EthtoolMatch& into);

}  // namespace flowgauge::sample
