// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"
#include "workloads/simulate/network_model.h"
#include "workloads/simulate/parameters.h"

#include <span>
#include <vector>

namespace flowgauge::simulate {

/// One step of one rank; times since the begin of the run.
struct RankStep {
    Interval load;    ///< of this step's batch, by the loader's thread
    Nanos reads = 0;  ///< of load: inside read calls; the rest decodes
    std::int64_t asked = 0, fetched = 0;
    Nanos begin = 0;                                    ///< of the step; it waits for the batch until `fed`
    Nanos fed = 0, forward = 0, backward = 0, end = 0;  ///< ends of input, forward, backward and the step (with optimizer)
    std::vector<Interval> calls;                        ///< of each bucket: from this rank's arrival to the common end
};

struct StepNumber {
    int epoch = 1;
    std::int64_t inEpoch = 0, inRun = 0;
    bool last = false;  ///< of its epoch
};

/// Between two epochs.
struct Border {
    int epoch = 1;
    Interval training;                       ///< of the epoch that ended
    Interval evaluation, checkpoint, pause;  ///< in this order; empty: there is none
    double accuracy = 0;
};

/// Who is told of what happens.
class Observer {
public:
    virtual ~Observer() = default;
    virtual void step(const StepNumber& number, std::span<const RankStep> ranks) = 0;
    virtual void border(const Border& border) = 0;
    virtual void end(Nanos at) = 0;
};

/// Plays the whole job: synchronous data-parallel training. Deterministic by the parameters' seed.
void play(const Parameters& parameters, std::span<Observer* const> observers);

/// Top-1 accuracy after an epoch: rises, and reaches the target in the last epoch, not before.
[[nodiscard]] double accuracyAfter(const Parameters& parameters, int epoch);

/// What it takes before the first step; the job's launch.
inline constexpr Nanos startUp = 2'000'000'000;
/// What lies between two epochs in any case: the loop's own work.
inline constexpr Nanos betweenEpochs = 5'000'000;

}  // namespace flowgauge::simulate
