// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/findings/sentence.h"
#include "collector/record/measured.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::findings {

/// What the client's memory held of the data in later epochs, beside what a cache of its size can hold.
struct CacheShare {
    std::int64_t dataBytes = 0, cacheBytes = 0;
    Measured<double> forecast;  ///< 0..1, of the bytes asked for
    double observed = 0;
    Measured<double> forecastHeld;     ///< of the pages asked for: more than the forecast where read-ahead fetches pages in vain
    Measured<double> forecastFetched;  ///< bytes a byte asked for
    double observedFetched = 0;
};

/// Which part of the data set lay in the hosts' page caches.
struct InMemory {
    struct At {
        std::int64_t epoch = 0;  ///< at its end; 0: when the job began to read
        double share = 0, halfWidth = 0;
    };
    std::vector<At> at;
    bool startKnown = false;  ///< then the first of `at` is the start
    std::int64_t looked = 0, files = 0;
    std::string method;
};

/// What a storage system said of itself over an epoch (0: the whole run); bytes a second.
struct ServerRow {
    std::string server;
    std::int64_t epoch = 0;
    Measured<double> served, disks, network;
    Measured<double> cacheHits;  ///< 0..1
};

/// Where the bytes of the epochs came from.
struct Storage {
    std::vector<Sentence> told;
    std::vector<Sentence> outages;  ///< for a report in which no finding tells of them
    Measured<CacheShare> cache;
    std::vector<ServerRow> servers;
    Measured<InMemory> inMemory;
};

/// A counter over a recording without a job. For a total the numbers are of its growth a second.
struct WatchedRow {
    std::string host, place;
    std::string_view family, counter;
    enum class Unit : std::uint8_t { Plain, Bytes, BytesPerSecond, PerSecond } unit = Unit::Plain;
    double least = 0, mean = 0, most = 0;
};

}  // namespace flowgauge::findings
