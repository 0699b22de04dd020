// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/log_epochs.h"

#include <algorithm>

namespace flowgauge::facts {
namespace {

using Begins = std::vector<std::pair<std::int64_t, Nanos>>;

/// Begins whose time is known, in order of time.
Begins timedBegins(const LogAccount& account)
{
    Begins begins = account.epochBegins;
    std::sort(begins.begin(), begins.end(), [](const auto& left, const auto& right) { return left.second < right.second; });
    return begins;
}

Nanos endOfRun(const LogAccount& account, Interval recorded, Nanos atLeast)
{
    return std::max(atLeast, account.runStop.value_or(recorded.empty() ? atLeast : recorded.end));
}

/// Some programs write all lines when the run is over: then their times say nothing.
bool writtenAtOnce(const LogAccount& account, const Begins& begins, Interval recorded)
{
    if (begins.size() < 2) return false;
    const bool whole = account.runStart && account.runStop;
    const Nanos run = whole ? *account.runStop - *account.runStart : recorded.length();
    return (begins.back().second - begins.front().second) * 20 < run;
}

/// From one evaluation to the next: with the evaluation, and as many epochs as lie between.
std::vector<LogEpoch> betweenEvaluations(const LogAccount& account)
{
    std::vector<LogEpoch> blocks;
    for (std::size_t i = 1; i < account.evaluations.size(); ++i) {
        const LogEvaluation& before = account.evaluations[i - 1];
        const LogEvaluation& after = account.evaluations[i];
        if (after.epoch > before.epoch && after.at > before.at)
            blocks.push_back({before.epoch + 1, after.epoch - before.epoch, {before.at, after.at}, false});
    }
    return blocks;
}

/// An epoch that has only a begin lasts until the next one, or until an evaluation or the run's end comes.
std::vector<LogEpoch> fromBegins(const LogAccount& account, const Begins& begins, Interval recorded)
{
    std::vector<LogEpoch> epochs;
    std::size_t evaluation = 0;
    const auto& evaluations = account.evaluationBegins;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const auto [number, begin] = begins[i];
        Nanos end = i + 1 < begins.size() ? begins[i + 1].second : endOfRun(account, recorded, begin);
        while (evaluation < evaluations.size() && evaluations[evaluation] <= begin) ++evaluation;
        if (evaluation < evaluations.size()) end = std::min(end, evaluations[evaluation]);
        epochs.push_back({number, 1, {begin, end}, i + 1 == begins.size() && !account.runStop});
    }
    return epochs;
}

/// Single epochs where there are any, else blocks: later rounds print both.
std::vector<LogEpoch> fromBounds(const LogAccount& account, Interval recorded)
{
    std::vector<LogEpoch> epochs;
    for (const auto& [number, epoch] : account.epochs.empty() ? account.blocks : account.epochs) epochs.push_back(epoch);
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (!epochs[i].open) continue;
        const Nanos begin = epochs[i].when.begin;
        epochs[i].when.end = std::max(begin, i + 1 < epochs.size() ? epochs[i + 1].when.begin : endOfRun(account, recorded, begin));
    }
    return epochs;
}

}  // namespace

EpochsOfAccount epochsOf(const LogAccount& account, Interval recorded)
{
    EpochsOfAccount result;
    if (!account.epochs.empty() || !account.blocks.empty()) {
        result.epochs = fromBounds(account, recorded);
        std::int64_t count = 0;
        for (const LogEpoch& epoch : result.epochs) count += epoch.epochs;
        result.logged = count;
        return result;
    }
    const bool timed =
        std::all_of(account.epochBegins.begin(), account.epochBegins.end(), [](const auto& begin) { return begin.second >= 0; });
    const Begins begins = timedBegins(account);
    const bool evaluationsTell = account.evaluations.size() >= 2;
    result.logged = begins.size() >= 2 || (begins.size() == 1 && !evaluationsTell)
                        ? Measured<std::int64_t>(static_cast<std::int64_t>(begins.size()))
                        : Measured<std::int64_t>::missing("the log has no line for each epoch");
    result.fromEvaluations = evaluationsTell && (begins.size() < 2 || writtenAtOnce(account, begins, recorded));
    if (result.fromEvaluations)
        result.epochs = betweenEvaluations(account);
    else if (timed && !writtenAtOnce(account, begins, recorded))
        result.epochs = fromBegins(account, begins, recorded);
    return result;
}

}  // namespace flowgauge::facts
