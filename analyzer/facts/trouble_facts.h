// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/measured.h"
#include "collector/store/run_store.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// How much a counter of errors or waiting grew while the job ran, at one place.
struct Trouble {
    std::string host, place;  ///< "mlx5_0/1", "eth0", "/data"
    Counter counter{};
    double grown = 0;  ///< in the counter's unit
};

/// What the machines' counters say beside traffic.
struct TroubleFacts {
    std::vector<Trouble> troubles;       ///< those that grew
    bool linksSampled = false;           ///< error counters of a network or InfiniBand port were read
    Measured<std::int64_t> memoryBytes;  ///< of the host with least
};

[[nodiscard]] TroubleFacts troublesOf(store::RunStore& store);

}  // namespace flowgauge::facts
