// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/sentence.h"
#include "collector/record/measured.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::findings {

/// Bytes one way through a port, by what they were for. `unexplained` is what is left of `moved`; below 0 where more is expected.
struct CarriedBytes {
    double moved = 0, gradients = 0, storage = 0, headers = 0, unexplained = 0;
    double connections = 0;  ///< of the job's own TCP connections, beyond the gradients
};

/// One port of a host that trains, over the run.
struct PortRow {
    std::string host, port;
    CarriedBytes received, sent;
    double peakReceived = 0, peakSent = 0;  ///< bytes a second
    Measured<double> rate;                  ///< of the link, bytes a second each way
    struct InEpoch {
        std::int64_t number = 0;
        CarriedBytes received, sent;
    };
    std::vector<InEpoch> epochs;
    [[nodiscard]] Measured<double> shareOfLink(double peak) const
    {
        return rate.known() ? Measured<double>(peak / rate.value()) : Measured<double>::missing(rate.reason());
    }
};

/// What one GPU's links of one kind moved, all together.
struct GpuLinkRow {
    std::string host, gpu;
    std::string kind;  ///< "NVLink", "PCIe"
    double received = 0, sent = 0, peakReceived = 0, peakSent = 0;
    Measured<double> rate;  ///< bytes a second each way
};

/// What the job's processes of a host moved over TCP to and from one peer, over the run.
struct ConnectionRow {
    std::string host, peer;
    std::string where;  ///< "other host", "elsewhere", "same host"
    std::int64_t connections = 0;
    double sent = 0, received = 0;
    Measured<double> resent;                  ///< bytes
    Measured<double> rttMedianUs, rttMostUs;  ///< smoothed round trip
    struct InEpoch {
        std::int64_t number = 0;
        double sent = 0, received = 0;
    };
    std::vector<InEpoch> epochs;
    [[nodiscard]] Measured<double> resentShare() const
    {
        if (!resent.known()) return resent;
        return sent > 0 ? Measured<double>(resent.value() / sent) : Measured<double>::missing("nothing was sent");
    }
};

/// One number that a port's queue pairs counted over the run.
struct QueuePairRow {
    std::string host, port;
    std::string name;      ///< as SQL calls the counter
    std::string what;      ///< "packets that arrived out of order"
    bool isBytes = false;  ///< else a count
    struct OfRank {
        int rank = 0;
        double counted = 0;
    };
    std::vector<OfRank> ranks;  ///< whose queue pairs have counters
    double job = 0, others = 0;
    Measured<double> portInAll;  ///< of all queue pairs, those without a counter too
};

/// What the ports moved, and what for.
struct Network {
    std::vector<PortRow> ports;  ///< in order of host and port
    std::vector<GpuLinkRow> gpuLinks;
    std::vector<ConnectionRow> connections;  ///< in order of host
    std::vector<QueuePairRow> queuePairs;    ///< in order of host, port and counter
    std::vector<Sentence> checks;            ///< how well it agrees with what is known from elsewhere
    bool attributed = false;                 ///< gradients or storage are known
};

}  // namespace flowgauge::findings
