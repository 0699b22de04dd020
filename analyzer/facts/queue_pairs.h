// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/counter.h"
#include "collector/record/measured.h"
#include "collector/store/run_store.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// One number that queue pairs of a port counted while the run was recorded, in the counter's unit.
struct QueuePairCount {
    Counter counter{};          ///< of the family QueuePair
    std::map<int, double> job;  ///< by rank, a rank's workers included; those whose counter was read, 0 where it did not grow
    double others = 0;          ///< of other processes, of the kernel, and of processes that the kernel did not tell
    /// What the port counted in all: the job's, others', and that of queue pairs without a counter of their own.
    Measured<double> port = Measured<double>::missing("the port's own was not read");
    [[nodiscard]] double ofJob() const;
};

/// A port with counters that are bound to queue pairs (collector/sample/queue_pairs.h). They are parts of what its port counts.
struct QueuePairPort {
    std::string host, port;  ///< "mlx5_0/1"
    std::vector<QueuePairCount> counts;
    [[nodiscard]] const QueuePairCount* find(Counter counter) const;
};

/// In order of host and port, and of counter.
[[nodiscard]] std::vector<QueuePairPort> queuePairsOf(store::RunStore& store);

/// The counter of queue pairs that counts a part of that one of a port; none for most.
[[nodiscard]] std::optional<Counter> partOf(Counter ofPort);

}  // namespace flowgauge::facts
