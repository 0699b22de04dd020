// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/log_sentences.h"

namespace flowgauge::diagnoses {
namespace {

using findings::Count;
using findings::Duration;
using findings::PerSecond;
using findings::Sentence;
using findings::Share;

void addTraining(const facts::LogFacts& log, std::vector<Sentence>& said)
{
    if (!log.training.known()) return;
    const std::string status = log.status.known() ? " (" + log.status.value() + ")" : "";
    said.emplace_back("Training took ", Duration{log.training.value().length()}, status, log.globalBatch.known() ? ", batch " : "",
                      log.globalBatch.known() ? std::to_string(log.globalBatch.value()) : "", ".");
}

void addEpochs(const facts::LogFacts& log, std::vector<Sentence>& said)
{
    const Measured<Nanos> epoch = log.medianEpoch();
    if (!epoch.known()) return;
    const std::int64_t count = log.epochsLogged.valueOr(static_cast<std::int64_t>(log.epochs.size()));
    const Measured<double> rate = log.rateByEpochs();
    if (rate.known())
        said.emplace_back(Count{count}, " epochs of ", Duration{epoch.value()}, ": ", PerSecond{rate.value()}, " samples a second.");
    else
        said.emplace_back(Count{count}, " epochs of ", Duration{epoch.value()}, ".");
}

void addRates(const facts::LogFacts& log, std::vector<Sentence>& said)
{
    const Measured<double> median = log.medianRate();
    if (log.totalRate.known())
        said.emplace_back("It sums its rate up as ", PerSecond{log.totalRate.value()}, " samples a second.");
    else if (median.known())
        said.emplace_back("It prints ", PerSecond{median.value()}, " samples a second (median of ",
                          Count{static_cast<std::int64_t>(log.rates.size())}, " lines).");
}

void addAccuracy(const facts::LogFacts& log, std::vector<Sentence>& said)
{
    if (log.evaluations.empty()) return;
    const facts::LogEvaluation& last = log.evaluations.back();
    if (log.timeToTarget.known())
        said.emplace_back("It reached the target of ", Share{log.target.value()}, " after ", Count{log.epochsToTarget.value()},
                          " epochs and ", Duration{log.timeToTarget.value()}, ".");
    else
        said.emplace_back("Accuracy after epoch ", std::to_string(last.epoch), " is ", Share{last.accuracy}, ".");
}

}  // namespace

std::vector<Sentence> sentencesOf(const facts::LogFacts& log)
{
    std::vector<Sentence> said;
    if (log.empty()) return said;
    addTraining(log, said);
    addEpochs(log, said);
    addRates(log, said);
    addAccuracy(log, said);
    for (const std::string& remark : log.remarks) said.emplace_back("Assumed: ", remark, ".");
    return said;
}

}  // namespace flowgauge::diagnoses
