// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"

#include <array>
#include <string_view>

namespace flowgauge::sample {

/// Which counters of bound queue pairs are kept, and as what (kernel drivers/infiniband/hw/mlx5/counters.c). Names that port_files.h has
/// too mean the same: the port's value is the sum of all its queue pairs', bound or not.
struct QueuePairName {
    std::string_view name;
    Counter counter;
};

inline constexpr std::array queuePairNames{
    QueuePairName{"out_of_sequence", Counter::QpOutOfSequence},
    QueuePairName{"packet_seq_err", Counter::QpSequenceNaks},
    QueuePairName{"local_ack_timeout_err", Counter::QpAckTimeouts},
    QueuePairName{"rnr_nak_retry_err", Counter::QpRnrRetries},
    QueuePairName{"out_of_buffer", Counter::QpOutOfBuffer},
    QueuePairName{"duplicate_request", Counter::QpDuplicates},
    QueuePairName{"roce_adp_retrans", Counter::QpAdaptiveRetrans},
    // Optional counters: there where an administrator has switched them on for the port (since 6.15 by queue pair).
    QueuePairName{"rdma_rx_bytes", Counter::QpRxBytes},
    QueuePairName{"rdma_tx_bytes", Counter::QpTxBytes},
    QueuePairName{"rdma_rx_packets", Counter::QpRxPackets},
    QueuePairName{"rdma_tx_packets", Counter::QpTxPackets},
    QueuePairName{"cc_rx_ce_pkts", Counter::QpEcnMarked},
    QueuePairName{"cc_tx_cnp_pkts", Counter::QpCnpSent},
    QueuePairName{"cc_rx_cnp_pkts", Counter::QpCnpHandled},
};

/// nullptr for a name that is not kept.
[[nodiscard]] constexpr const QueuePairName* queuePairName(std::string_view name)
{
    for (const QueuePairName& row : queuePairNames)
        if (row.name == name) return &row;
    return nullptr;
}

}  // namespace flowgauge::sample
