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

/// What the ports moved, and what for.
struct Network {
    std::vector<PortRow> ports;    ///< in order of host and port
    std::vector<GpuLinkRow> gpuLinks;
    std::vector<Sentence> checks;  ///< how well it agrees with what is known from elsewhere
    bool attributed = false;       ///< gradients or storage are known
};

}  // namespace flowgauge::findings
