// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/replay.h"
#include "analyzer/findings/sentence.h"

#include <optional>
#include <string>
#include <vector>

namespace flowgauge::diagnoses {

/// What is to be different. Each default changes nothing.
struct WhatIf {
    double linkTimes = 1;              ///< links so many times as fast as now; or, when positive:
    double linkBytesPerSecond = 0;     ///< links of that speed ...
    double linkNowBytesPerSecond = 0;  ///< ... where they have that now; 0: what the fastest reductions reached
    bool overlap = false;
    bool cached = false;        ///< no read waits for storage
    bool noInputStall = false;  ///< no step waits for data at all
    bool noShuffleGap = false;  ///< epochs follow each other as steps do
    bool balanced = false;      ///< all ranks take the same time for their own work
    bool gpuDirect = false;     ///< no copy through the hosts' memory is exposed
};

/// A step and the run as they are and as they would be, ns; errors are how far the prediction may be off.
struct Prediction {
    double stepNow = 0, step = 0, stepError = 0;
    double runNow = 0, run = 0, runError = 0;
    findings::Estimate throughput;            ///< by what share more steps are done in the same time
    double linkNow = 0, linkTimes = 1;        ///< bytes a second of the links that it starts from, and how many times as fast they become
    double replayOff = 0;                     ///< by what share a replay without any change misses what was recorded
    std::vector<findings::Sentence> remarks;  ///< what was assumed
};

/// Missing, with the reason, where the run has no steps to replay.
[[nodiscard]] Measured<Prediction> predict(const Subject& subject, const WhatIf& change);

/// What overlap would save of a step, a share; nothing where steps cannot be replayed.
[[nodiscard]] std::optional<findings::Estimate> gainOfOverlap(const Subject& subject);

}  // namespace flowgauge::diagnoses
