// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/measured.h"
#include "collector/record/time.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// Whose samples a rate counts: the whole job's, or those of the one rank that printed it.
enum class RateOf : std::uint8_t { Job, Rank };

/// An epoch, or several that the log does not tell apart, as the log tells it.
struct LogEpoch {
    std::int64_t number = 0;  ///< of the first, counted from 1 whatever the log counts from
    std::int64_t epochs = 1;  ///< how many; more than 1: only a block of them is known
    Interval when;            ///< run time; training alone where the log tells training from evaluation
    bool open = false;        ///< its end was not seen
    [[nodiscard]] Nanos lengthOfOne() const { return when.length() / (epochs > 0 ? epochs : 1); }
};

/// An evaluation of the whole job: what the log calls accuracy, as a share.
struct LogEvaluation {
    std::int64_t epoch = 0;  ///< after this epoch, counted from 1; 0: before training
    Nanos at = -1;           ///< run time; -1: not known
    double accuracy = 0;     ///< 0..1, top-1
    Interval when;           ///< from its begin to its end; empty: not told
};

/// One line that tells how fast training goes.
struct LogRate {
    std::int64_t epoch = 0;  ///< counted from 1; 0: not told
    std::int64_t step = -1;  ///< within the epoch, as printed; -1: not told
    Nanos at = -1;           ///< run time; -1: not known
    RateOf of = RateOf::Job;
    double samplesPerSecond = 0;                     ///< 0: the line has only a step time
    double stepSeconds = 0, waitForDataSeconds = 0;  ///< of the step; 0: not told
};

/// What an unmodified job's own output says of it: see analyzer/facts/log/readers.cpp for the formats that are understood.
struct LogFacts {
    std::vector<std::string> formats;  ///< names of the readers that understood a line, most trusted first; empty: there is no such log
    std::string benchmark, organisation, platform;     ///< "" where the log does not say
    Measured<std::string> status;                      ///< "success", "aborted"
    Measured<Interval> training;                       ///< run_start to run_stop: its length is the official time to train
    Measured<double> target;                           ///< accuracy to reach, 0..1
    Measured<Nanos> timeToTarget;                      ///< from run_start to the first evaluation that reached the target
    Measured<std::int64_t> epochsToTarget;             ///< trained until then: the epoch of that evaluation, counted from 1
    Measured<std::int64_t> epochsLogged;               ///< how many epochs the log names
    Measured<std::int64_t> globalBatch;                ///< samples a step of the whole job; missing where the log gives one rank's
    std::int64_t loggedBatch = 0;                      ///< the number as it stands in the log; 0: none
    Measured<std::int64_t> trainSamples, evalSamples;  ///< in an epoch, in an evaluation
    Measured<std::int64_t> nodes, ranks;               ///< by who printed what every node, every rank prints
    bool epochsFromEvaluations = false;      ///< the lines of epochs were all written at once, or there are none: times between evaluations
    std::vector<LogEpoch> epochs;            ///< in order of number
    std::vector<LogEvaluation> evaluations;  ///< in order of the log; of the most trusted reader
    std::vector<LogRate> rates;              ///< in order of the log; of the most trusted reader
    Measured<double> totalRate;              ///< samples/s of the whole job as the program summed it up itself
    std::vector<std::string> remarks;        ///< what was assumed

    [[nodiscard]] bool empty() const { return formats.empty(); }
    [[nodiscard]] Measured<Nanos> firstEpoch() const;     ///< its length, where the log tells epochs one by one
    [[nodiscard]] Measured<Nanos> medianEpoch() const;    ///< length of one epoch
    [[nodiscard]] Measured<double> rateByEpochs() const;  ///< trainSamples over the median epoch, samples/s
    [[nodiscard]] Measured<double> medianRate() const;    ///< over all rate lines that speak for the job
    /// Some lines tell how long a step took, and not how many samples it had.
    [[nodiscard]] bool tellsStepsAlone() const;
    /// So many samples make a step of the whole job: gives lines that tell steps alone their rate.
    void takeBatch(std::int64_t samples);
    [[nodiscard]] Measured<double> finalAccuracy() const;  ///< of the last evaluation
};

}  // namespace flowgauge::facts
