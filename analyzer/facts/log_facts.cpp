// SPDX-License-Identifier: MIT
#include "analyzer/facts/log_facts.h"

#include "analyzer/facts/median.h"

#include <algorithm>

namespace flowgauge::facts {

Measured<Nanos> LogFacts::firstEpoch() const
{
    if (epochs.empty()) return Measured<Nanos>::missing("the log tells no epochs");
    if (epochs.front().epochs > 1 || epochsFromEvaluations) return Measured<Nanos>::missing("the log tells epochs in blocks");
    return epochs.front().when.length();
}

Measured<Nanos> LogFacts::medianEpoch() const
{
    std::vector<Nanos> lengths;
    for (const LogEpoch& epoch : epochs)
        if (!epoch.open && epoch.when.length() > 0) lengths.push_back(epoch.lengthOfOne());
    return lengths.empty() ? Measured<Nanos>::missing("the log tells no whole epoch") : Measured<Nanos>(medianOf(std::move(lengths)));
}

Measured<double> LogFacts::rateByEpochs() const
{
    const Measured<Nanos> epoch = medianEpoch();
    if (!epoch.known()) return Measured<double>::missing(epoch.reason());
    if (!trainSamples.known()) return Measured<double>::missing(trainSamples.reason());
    return static_cast<double>(trainSamples.value()) * 1e9 / static_cast<double>(epoch.value());
}

Measured<double> LogFacts::medianRate() const
{
    std::vector<double> values;
    for (const LogRate& rate : rates)
        if (rate.of == RateOf::Job && rate.samplesPerSecond > 0) values.push_back(rate.samplesPerSecond);
    return values.empty() ? Measured<double>::missing("the log has no line with the whole job's rate")
                          : Measured<double>(medianOf(std::move(values)));
}

bool LogFacts::tellsStepsAlone() const
{
    return std::any_of(rates.begin(), rates.end(), [](const LogRate& rate) { return rate.samplesPerSecond <= 0 && rate.stepSeconds > 0; });
}

void LogFacts::takeBatch(std::int64_t samples)
{
    globalBatch = samples;
    for (LogRate& rate : rates) {
        if (rate.samplesPerSecond > 0 || rate.stepSeconds <= 0) continue;
        rate.samplesPerSecond = static_cast<double>(samples) / rate.stepSeconds;
        rate.of = RateOf::Job;
    }
}

Measured<double> LogFacts::finalAccuracy() const
{
    return evaluations.empty() ? Measured<double>::missing("the log has no evaluation of the whole job")
                               : Measured<double>(evaluations.back().accuracy);
}

}  // namespace flowgauge::facts
