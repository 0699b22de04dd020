// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/log_account.h"

#include <algorithm>

namespace flowgauge::facts {

namespace {

/// The last end of that number counts: every rank may print it.
void endIn(std::map<std::int64_t, LogEpoch>& epochs, std::int64_t number, Nanos at)
{
    const auto found = epochs.find(number);
    if (found == epochs.end()) return;
    found->second.when.end = std::max(found->second.when.end, at);
    found->second.open = false;
}

}  // namespace

void LogAccount::epochBegan(std::int64_t number, Nanos at)
{
    m_lastEpoch = number;
    epochs.try_emplace(number, LogEpoch{number, 1, {at, at}, true});
}

void LogAccount::epochEnded(std::int64_t number, Nanos at) { endIn(epochs, number, at); }

void LogAccount::blockBegan(std::int64_t number, Nanos at, std::int64_t epochsInIt)
{
    blocks.try_emplace(number, LogEpoch{number, epochsInIt, {at, at}, true});
}

void LogAccount::blockEnded(std::int64_t number, Nanos at) { endIn(blocks, number, at); }

void LogAccount::epochTook(std::int64_t number, Interval when)
{
    m_lastEpoch = number;
    epochs.insert_or_assign(number, LogEpoch{number, 1, when, false});
}

void LogAccount::seenInEpoch(std::int64_t number, Nanos at)
{
    const bool isNew = std::none_of(epochBegins.begin(), epochBegins.end(), [number](const auto& begin) { return begin.first == number; });
    m_lastEpoch = number;
    if (isNew) epochBegins.emplace_back(number, at);
}

void LogAccount::evaluationBegan(Nanos at)
{
    evaluationBegins.push_back(at);
    m_evaluationBegan = at;
    m_evaluationEnded.reset();
}

void LogAccount::evaluationEnded(Nanos at)
{
    m_evaluationEnded = at;
    if (evaluations.empty() || !m_evaluationBegan || evaluations.back().when.begin != *m_evaluationBegan) return;
    evaluations.back().when.end = std::max(evaluations.back().when.end, at);
}

void LogAccount::evaluated(std::int64_t epoch, Nanos at, double accuracy)
{
    const bool known =
        std::any_of(evaluations.begin(), evaluations.end(), [epoch](const LogEvaluation& one) { return one.epoch == epoch; });
    if (known) return;
    const Interval when = m_evaluationBegan ? Interval{*m_evaluationBegan, m_evaluationEnded.value_or(at)} : Interval{};
    evaluations.push_back({epoch, at, accuracy, when});
}

void LogAccount::remark(std::string text)
{
    if (std::find(remarks.begin(), remarks.end(), text) == remarks.end()) remarks.push_back(std::move(text));
}

}  // namespace flowgauge::facts
