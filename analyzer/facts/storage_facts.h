// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/measured.h"
#include "collector/record/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// A time in which a server did not answer a client whose requests waited.
struct Outage {
    std::string host, server;  ///< the client; "10.99.1.2 v3 tcp"
    Interval when;             ///< from the last reply before it, or from when the requests waited, to the first reply after
    Nanos waited = 0;          ///< by the requests that were answered then, added up
    double connects = 0;       ///< times that the client connected anew
    double retransmits = 0;    ///< READs that were sent again, and time-outs of requests
};

/// In which order an epoch reads what the one before has read.
enum class ReadOrder : std::uint8_t { Same, Shuffled };

/// How much of what is read again a cache holds that lets go of what was not used for longest.
/// In the same order nothing, unless it holds everything. In a new random order each epoch, what is read at x of one epoch (0..1) and
/// at y of the next has 1 - x (1 - y) of the data read between; it is still there if that is no more than the cache's part c of the
/// data, which for even x and y is so with c + (1 - c) ln(1 - c). Linux keeps close to it (facts/storage.md §2).
[[nodiscard]] double hitShareOf(double cachePart, ReadOrder order);

/// What the client's cache held of the data, beside what one of its size can hold.
struct CacheFit {
    std::int64_t dataBytes = 0;   ///< that an epoch asks for
    std::int64_t cacheBytes = 0;  ///< of file pages in memory, mean over those epochs
    std::string cache;            ///< "the job's cgroup" or "the host"
    ReadOrder order = ReadOrder::Same;
    std::int64_t firstEpoch = 0, lastEpoch = 0;  ///< whose share was observed
    double forecast = 0, observed = 0;           ///< share of what was asked that memory had, 0..1
};

/// What a storage system said of itself, mean over some time; bytes a second.
struct ServerRates {
    std::string server;      ///< "isilon1"
    std::int64_t epoch = 0;  ///< 0: the whole run
    Measured<double> served, disks, network;
    Measured<double> cacheHits;  ///< of the data reads that its nodes looked up in their caches
};

struct StorageFacts {
    std::vector<Outage> outages;  ///< in order of time
    Measured<CacheFit> cache;
    std::vector<ServerRates> servers;  ///< by server, then by epoch
};

}  // namespace flowgauge::facts
