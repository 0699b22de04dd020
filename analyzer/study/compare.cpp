// SPDX-License-Identifier: MIT
#include "analyzer/study/compare.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::study {
namespace {

/// A mean and how well it is known.
struct Mean {
    double value = 0, standardError = 0;
    bool known = false;
};

/// Neighbouring steps resemble each other, so the error is taken from the means of 20 stretches, not of single values.
Mean meanOf(const std::vector<double>& values)
{
    if (values.empty()) return {};
    const std::size_t stretches = std::min<std::size_t>(20, values.size());
    std::vector<double> means(stretches);
    double sum = 0;
    for (std::size_t i = 0; i < stretches; ++i) {
        const std::size_t begin = i * values.size() / stretches;
        const std::size_t end = (i + 1) * values.size() / stretches;
        for (std::size_t k = begin; k < end; ++k) means[i] += values[k] / static_cast<double>(end - begin);
        sum += means[i];
    }
    const double count = static_cast<double>(stretches);
    double squares = 0;
    for (const double mean : means) squares += (mean - sum / count) * (mean - sum / count);
    return {sum / count, stretches > 1 ? std::sqrt(squares / (count - 1) / count) : 0, true};
}

struct Wish {
    std::string what;
    Measure measure;
    int better;  ///< +1: more is better; -1: less is; 0: it says nothing by itself
};

Change changeOf(const Wish& wish, const Mean& before, const Mean& after)
{
    Change change{wish.what, wish.measure,    Measured<double>::missing("not measured"), Measured<double>::missing("not measured"), 0,
                  0,         Outcome::Unknown};
    if (before.known) change.before = before.value;
    if (after.known) change.after = after.value;
    if (!before.known || !after.known) return change;
    const bool relative = wish.measure != Measure::Share;
    if (relative && before.value == 0) {
        change.outcome = after.value == 0 ? Outcome::Noise : Outcome::Different;
        return change;
    }
    const double scale = relative ? before.value : 1;
    constexpr double ninetyFivePercent = 1.96;
    change.change = (after.value - before.value) / scale;
    change.error = ninetyFivePercent * std::hypot(before.standardError, after.standardError) / scale;
    const bool isNoise = std::abs(change.change) <= std::max(leastChange, change.error);
    const bool better = change.change * wish.better > 0;
    change.outcome = isNoise ? Outcome::Noise : wish.better == 0 ? Outcome::Different : better ? Outcome::Better : Outcome::Worse;
    return change;
}

/// Lengths of the steps: step by step, the mean over ranks.
std::vector<double> stepLengths(const diagnoses::Subject& subject)
{
    std::vector<double> lengths;
    std::vector<double> ranks;
    for (const diagnoses::RankView& view : subject.ranks)
        for (std::size_t i = 0; i < view.windows.size(); ++i) {
            if (lengths.size() <= i) {
                lengths.push_back(0);
                ranks.push_back(0);
            }
            lengths[i] += static_cast<double>(view.windows[i].length());
            ranks[i] += 1;
        }
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] /= ranks[i];
    return lengths;
}

/// One part of each step, ns, as above.
std::vector<double> partLengths(const diagnoses::Subject& subject, Nanos facts::TimeParts::*part)
{
    std::vector<double> lengths;
    std::vector<double> ranks;
    for (const diagnoses::RankView& view : subject.ranks)
        for (std::size_t i = 0; i < view.windows.size(); ++i) {
            if (lengths.size() <= i) {
                lengths.push_back(0);
                ranks.push_back(0);
            }
            lengths[i] += static_cast<double>(view.parts.within(view.windows[i]).*part);
            ranks[i] += 1;
        }
    for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] /= ranks[i];
    return lengths;
}

Mean epochMean(const findings::RunSummary& summary, Measured<double> (*value)(const findings::EpochRow&))
{
    std::vector<double> values;
    for (const findings::EpochRow& row : summary.epochs)
        if (const Measured<double> one = value(row); one.known()) values.push_back(one.value());
    return meanOf(values);
}

Measured<double> fetchedOf(const findings::EpochRow& row)
{
    return row.fetched.known() ? Measured<double>(static_cast<double>(row.fetched.value())) : Measured<double>::missing("");
}

Mean known(double value) { return {value, 0, true}; }

void addParts(const Side& before, const Side& after, Comparison& comparison)
{
    struct Row {
        const char* what;
        Nanos facts::TimeParts::*part;
    };
    constexpr Row rows[] = {{"compute of a step", &facts::TimeParts::compute},
                            {"exposed communication", &facts::TimeParts::exposedCommunication},
                            {"exposed copies", &facts::TimeParts::exposedCopy},
                            {"input stall", &facts::TimeParts::inputStall},
                            {"other idle", &facts::TimeParts::otherIdle}};
    for (const Row& row : rows) {
        const Mean first = meanOf(partLengths(before.subject, row.part));
        const Mean second = meanOf(partLengths(after.subject, row.part));
        if (first.value == 0 && second.value == 0) continue;
        Change change = changeOf({row.what, Measure::Time, -1}, first, second);
        // A part that is small beside the step says nothing by growing: its change counts as what it makes of the step.
        const double step = static_cast<double>(std::max<Nanos>(before.subject.medianWindow(), 1));
        if (std::abs(second.value - first.value) < leastChange * step) change.outcome = Outcome::Noise;
        if (change.outcome == Outcome::Different) change.outcome = second.value > first.value ? Outcome::Worse : Outcome::Better;
        comparison.changes.push_back(change);
    }
}

bool tells(const std::vector<findings::Finding>& findings, const std::string& diagnosis)
{
    return std::any_of(findings.begin(), findings.end(), [&](const findings::Finding& finding) { return finding.diagnosis == diagnosis; });
}

std::vector<findings::Finding> onlyIn(const std::vector<findings::Finding>& mine, const std::vector<findings::Finding>& others)
{
    std::vector<findings::Finding> result;
    for (const findings::Finding& finding : mine)
        if ((finding.heads || finding.gain.value >= findings::worthFixing) && !tells(others, finding.diagnosis)) result.push_back(finding);
    return result;
}

}  // namespace

double Comparison::slower() const
{
    if (changes.empty() || changes.front().outcome == Outcome::Noise || changes.front().outcome == Outcome::Unknown) return 0;
    const Change& first = changes.front();
    return first.measure == Measure::Rate ? 1 / (1 + first.change) - 1 : first.change;
}

Comparison compare(const Side& before, const Side& after)
{
    Comparison comparison{before.summary.name,
                          after.summary.name,
                          before.summary.simulated.empty() ? after.summary.simulated : before.summary.simulated,
                          {},
                          {},
                          {}};
    auto& changes = comparison.changes;
    if (before.subject.bySteps && after.subject.bySteps)
        changes.push_back(
            changeOf({"step time", Measure::Time, -1}, meanOf(stepLengths(before.subject)), meanOf(stepLengths(after.subject))));
    const auto rate = [](const findings::EpochRow& row) { return row.samplesPerSecond; };
    changes.push_back(changeOf({"samples per second", Measure::Rate, +1}, epochMean(before.summary, rate), epochMean(after.summary, rate)));
    if (changes.front().outcome == Outcome::Unknown) changes.clear();
    changes.push_back(changeOf({"whole run", Measure::Time, -1}, known(static_cast<double>(before.summary.wall)),
                               known(static_cast<double>(after.summary.wall))));
    if (before.subject.bySteps && after.subject.bySteps) addParts(before, after, comparison);
    const auto cached = [](const findings::EpochRow& row) { return row.fromCache; };
    const auto gap = [](const findings::EpochRow& row) {
        return row.shuffleGap.known() ? Measured<double>(static_cast<double>(row.shuffleGap.value())) : Measured<double>::missing("");
    };
    changes.push_back(changeOf({"gap between epochs", Measure::Time, -1}, epochMean(before.summary, gap), epochMean(after.summary, gap)));
    changes.push_back(
        changeOf({"fetched in an epoch", Measure::Bytes, 0}, epochMean(before.summary, fetchedOf), epochMean(after.summary, fetchedOf)));
    changes.push_back(
        changeOf({"from the page cache", Measure::Share, +1}, epochMean(before.summary, cached), epochMean(after.summary, cached)));
    std::erase_if(changes, [](const Change& change) { return !change.before.known() && !change.after.known(); });
    comparison.came = onlyIn(after.findings, before.findings);
    comparison.went = onlyIn(before.findings, after.findings);
    return comparison;
}

}  // namespace flowgauge::study
