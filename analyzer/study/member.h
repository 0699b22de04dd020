// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/subject.h"
#include "analyzer/findings/over_time.h"
#include "collector/record/measured.h"

#include <array>
#include <string>
#include <vector>

/// Several runs beside each other: how a job scales, and what changed between two of them.
namespace flowgauge::study {

/// What GPUs (or, without them, ranks) did with their time: the parts of a step, and what lies outside of epochs.
enum class Use : std::uint8_t { Compute, ExposedCommunication, ExposedCopy, InputStall, OtherIdle, BetweenEpochs, Unknown };
inline constexpr std::size_t useCount = 7;
inline constexpr std::array<std::string_view, useCount> useNames{"compute",    "exposed communication", "exposed copy",  "input stall",
                                                                 "other idle", "between epochs",        "not attributed"};
using UseSeconds = std::array<double, useCount>;  ///< GPU-seconds

/// One run as a study sees it.
struct Member {
    std::string name, simulated;
    std::int64_t nodes = 0, ranks = 0;  ///< ranks stand for GPUs; 0: not known
    std::int64_t epochs = 0;
    Measured<double> throughput;       ///< samples/s of the median epoch
    Measured<double> firstThroughput;  ///< samples/s of the first epoch
    bool coldFirst = false;            ///< the first epoch is slower than the later ones, and evenly so: a ceiling, not a start-up
    Measured<double> firstDemand;      ///< bytes/s that the first epoch asks for
    Measured<double> target;           ///< accuracy to reach, 0..1
    Measured<Nanos> timeToTarget;
    Measured<std::int64_t> epochsToTarget;
    Nanos wall = 0;                                 ///< time to target, else the whole training
    UseSeconds uses{};                              ///< add up to wall times ranks
    std::vector<double> fetched;                    ///< bytes, by epoch
    Measured<std::int64_t> quietFrom;               ///< the first epoch that fetches less than quietBelow of the first one
    Measured<double> demand;                        ///< bytes/s asked for in the median epoch, all nodes
    Measured<double> peakDisk, peakFetched;         ///< bytes/s, all nodes, in the busiest slice
    Measured<double> sentPerNode, receivedPerNode;  ///< bytes/s over the epochs
    findings::OverTime overTime;
};
inline constexpr double quietBelow = 0.05;

[[nodiscard]] Member memberOf(const diagnoses::Subject& subject, findings::OverTime overTime);

}  // namespace flowgauge::study
