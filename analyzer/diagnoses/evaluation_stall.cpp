// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/evaluation_stall.h"

#include "analyzer/diagnoses/named_stall.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

/// Half as often is what costs least: accuracy is then known two epochs apart. What is gained is half.
constexpr double leftWhenHalfAsOften = 0.5;

/// Of a run of which only its log is known.
std::optional<findings::Finding> fromLog(const facts::LogFacts& log)
{
    if (!log.training.known()) return std::nullopt;
    findings::Finding finding;
    for (const facts::LogEvaluation& evaluation : log.evaluations) finding.amount += evaluation.when.length();
    finding.outOf = log.training.value().length();
    if (finding.amount <= 0 || finding.outOf <= 0) return std::nullopt;
    finding.outOfWhat = "the run";
    const double gain = (1 - leftWhenHalfAsOften) * finding.share();
    finding.gain = findings::possible({gain, gain / 2}, finding.share());
    finding.details.emplace_back(findings::Count{static_cast<std::int64_t>(log.evaluations.size())},
                                 " evaluations, as the job's log tells them.");
    return finding;
}

}  // namespace

std::optional<findings::Finding> evaluationStall(const Subject& subject)
{
    auto finding = namedStall(subject, facts::Phase::Evaluation, leftWhenHalfAsOften);
    if (!finding && subject.ranks.empty()) finding = fromLog(subject.run.log);
    if (!finding) return std::nullopt;
    finding->title = "Evaluation";
    finding->verdict = findings::Sentence("Training stands for ", findings::Share{finding->share()},
                                          " of the run while the job evaluates; half as often would save about ", finding->gain, ".");
    finding->advice = "Evaluate less often, on more ranks, or on other machines while training goes on.";
    return finding;
}

}  // namespace flowgauge::diagnoses
