// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/collective_figures.h"
#include "analyzer/facts/run_facts.h"
#include "gui/load/data_thread.h"
#include "gui/load/snapshot.h"

#include <string>
#include <vector>

namespace flowgauge::load {

/// What went through one port of a host, in equal slices of time; bytes a second.
struct PortFlow {
    std::string host, port;
    bool trains = true;  ///< a process of the job ran on the host
    std::vector<double> received, sent;
    double receivedBytes = 0, sentBytes = 0;  ///< over the window
    double receivedPeak = 0, sentPeak = 0;    ///< over the busiest tenth of a second of the run, as the report tells
    double rate = 0;                          ///< bytes a second that the port can move each way; 0: not known
};

/// What a host's ports moved, by what it was for. Bytes a second; the three parts add up to what the ports moved.
struct HostFlow {
    std::string host;
    std::vector<double> gradients, storage, other;  ///< received
    std::vector<double> sentGradients, sentOther;   ///< sent
    bool known = false;                             ///< collectives reach other hosts, or storage is fetched over NFS: else all is `other`
    std::vector<double> expected;                   ///< by the collectives that reach other hosts; may be more than was moved
    facts::CollectiveCounts collectives;            ///< how that is known
    double rate = 0;                                ///< of its ports together; 0: not known of all
    [[nodiscard]] bool attributed() const { return known; }
};

struct NetworkFlow {
    Interval when;
    std::size_t slices = 0;
    std::vector<PortFlow> ports;  ///< those that moved anything, in order of host and port
    std::vector<HostFlow> hosts;  ///< those that train; empty without ports
    double hostsRingLess = 0;     ///< see facts::hostsRingLess
};

/// As facts::PortTraffic tells ports and what they carried for. facts may be null: then nothing is attributed.
[[nodiscard]] NetworkFlow networkFlow(store::RunStore& store, const facts::RunFacts* facts, Interval when, std::size_t slices);

/// Of the collectives that at least two ranks share and that begin in the window.
[[nodiscard]] std::vector<facts::CollectiveFigures> collectives(const facts::RunFacts& facts, Interval when);

/// [row * ranks + column]
struct RankMatrix {
    std::vector<int> ranks;
    std::vector<double> waited;  ///< ns that the row's rank waited for the column's, who came last
    std::vector<double> sent;    ///< bytes that the row's rank sent to the column's by point-to-point calls; empty: none
};
[[nodiscard]] RankMatrix rankMatrix(store::RunStore& store, const RunSnapshot& run, Interval when, const Cancel& cancel);

}  // namespace flowgauge::load
