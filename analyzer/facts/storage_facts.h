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

/// What memory will spare in later epochs, by the reads of the first one played against a cache of that size (see page_cache.h).
struct CacheForecast {
    double spared = 0;   ///< share of the bytes asked for that need not be fetched, 0..1
    double held = 0;     ///< share of what is asked for that is there: more, where read-ahead fetches pages in vain
    double fetched = 0;  ///< bytes a byte asked for
};

/// What the client's cache held of the data, beside what one of its size can hold.
struct CacheFit {
    std::int64_t dataBytes = 0;   ///< that the first epoch asked for
    std::int64_t cacheBytes = 0;  ///< of memory for file pages, at the end of the first epoch
    std::string cache;            ///< "the job's cgroup" or "the host"
    ReadOrder order = ReadOrder::Same;
    std::int64_t firstEpoch = 0, lastEpoch = 0;  ///< whose share was observed
    Measured<CacheForecast> forecast;
    double observed = 0, observedFetched = 0;  ///< as the forecast's spared and fetched
};

/// Which part of the data set lay in the hosts' page caches at a time.
struct ResidentShare {
    double share = 0;      ///< of its bytes, 0..1
    double halfWidth = 0;  ///< of the interval that holds it in 95 of 100 cases: 0 where every file was looked at
};

/// What the samplers of the hosts saw of it (collector/sample/data_set.h).
struct DataInMemory {
    ResidentShare atStart;
    bool startKnown = false;  ///< else there were no files that the job had not opened yet: of others it has read itself what is there
    std::int64_t looked = 0, files = 0;  ///< at the start, and how many there were
    struct AtEnd {
        std::int64_t epoch = 0;
        ResidentShare resident;
    };
    std::vector<AtEnd> epochs;  ///< at whose end it is known
    std::string method;         ///< "cachestat(2)"
};

/// What a storage system said of itself, mean over some time; bytes a second.
struct ServerRates {
    std::string server;      ///< "isilon1"
    std::int64_t epoch = 0;  ///< 0: the whole run
    Measured<double> served, disks, network;
    Measured<double> cacheHits;  ///< of the data reads that its nodes looked up in their caches
};

/// What the client of a parallel file system counted at one mount; bytes.
struct FileSystemBytes {
    std::string host, mount;
    Measured<double> asked, fetched, sent;
};

struct StorageFacts {
    std::vector<Outage> outages;  ///< in order of time
    Measured<CacheFit> cache;
    std::vector<ServerRates> servers;          ///< by server, then by epoch
    std::vector<FileSystemBytes> fileSystems;  ///< by host, then by mount
    Measured<DataInMemory> inMemory;
};

}  // namespace flowgauge::facts
