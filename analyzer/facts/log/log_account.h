// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/log_facts.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flowgauge::facts {

/// A piece of output, when it was printed, and what Unix time is the run's zero.
struct LogPiece {
    std::string_view text;
    Nanos at = -1;  ///< run time; -1: not known
    Nanos zeroUnixNs = 0;
};

/// What one reader understood of a log. Readers count epochs from 1 here, whatever their format counts from.
struct LogAccount {
    std::string format;                        ///< "MLPerf v0.7"; "": nothing was understood
    std::map<std::string, std::string> texts;  ///< benchmark, organisation, platform, status
    std::map<std::string, double> numbers;     ///< batch, global_batch, train_samples, eval_samples, target, ranks
    std::optional<Nanos> runStart, runStop;
    std::int64_t cacheClears = 0, inits = 0, seeds = 0;
    std::map<std::int64_t, LogEpoch> epochs;                  ///< that have a begin and an end of their own, by number
    std::map<std::int64_t, LogEpoch> blocks;                  ///< of several epochs, by the number that begin and end share
    std::vector<std::pair<std::int64_t, Nanos>> epochBegins;  ///< that have only a begin
    std::vector<Nanos> evaluationBegins;
    std::vector<LogEvaluation> evaluations;
    std::vector<LogRate> rates;
    std::optional<double> totalRate;
    std::vector<std::string> remarks;

    void epochBegan(std::int64_t number, Nanos at);
    void blockBegan(std::int64_t number, Nanos at, std::int64_t epochsInIt);
    void blockEnded(std::int64_t number, Nanos at);
    void epochEnded(std::int64_t number, Nanos at);
    void epochTook(std::int64_t number, Interval when);
    /// Something was printed in this epoch. The first time begins it, unless its begin is known.
    void seenInEpoch(std::int64_t number, Nanos at);
    void evaluationBegan(Nanos at);
    void evaluationEnded(Nanos at);
    void evaluated(std::int64_t epoch, Nanos at, double accuracy);  ///< the first of an epoch counts: every rank may print it
    void remark(std::string text);                                  ///< once
    [[nodiscard]] std::int64_t lastEpoch() const { return m_lastEpoch; }

private:
    std::int64_t m_lastEpoch = 0;
    std::optional<Nanos> m_evaluationBegan, m_evaluationEnded;
};

}  // namespace flowgauge::facts
