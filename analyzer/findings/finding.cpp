// SPDX-License-Identifier: MIT
#include "analyzer/findings/finding.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::findings {
namespace {

double meanOf(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += value;
    return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

/// 0 for fewer than two values: one step has no spread to show.
double standardErrorOf(const std::vector<double>& values)
{
    if (values.size() < 2) return 0.0;
    const double mean = meanOf(values);
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const double count = static_cast<double>(values.size());
    return std::sqrt(squares / (count - 1) / count);
}

}  // namespace

Estimate possible(Estimate gain, double share)
{
    return {std::clamp(gain.value, 0.0, std::max(0.0, share)), std::clamp(gain.error, 0.0, 1.0)};
}

std::vector<Finding> ranked(std::vector<Finding> findings)
{
    for (Finding& finding : findings) finding.gain = possible(finding.gain, finding.share());
    std::erase_if(findings, [](const Finding& finding) { return !finding.heads && finding.gain.value < worthTelling; });
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& left, const Finding& right) {
        if (left.heads != right.heads) return left.heads;
        const bool leftIsWorth = left.gain.value >= worthFixing;
        if (leftIsWorth != (right.gain.value >= worthFixing)) return leftIsWorth;
        const double leftGain = left.gain.value * left.partOfRun;
        const double rightGain = right.gain.value * right.partOfRun;
        if (leftGain != rightGain) return leftGain > rightGain;
        return left.share() > right.share();
    });
    return findings;
}

Estimate estimateOf(const std::vector<std::vector<double>>& sharesPerRank)
{
    std::vector<double> all;
    std::vector<double> means;
    for (const auto& shares : sharesPerRank) {
        if (shares.empty()) continue;
        all.insert(all.end(), shares.begin(), shares.end());
        means.push_back(meanOf(shares));
    }
    if (all.empty()) return {};
    const auto [lowest, highest] = std::minmax_element(means.begin(), means.end());
    constexpr double ninetyFivePercent = 1.96;
    return {meanOf(all), std::max(ninetyFivePercent * standardErrorOf(all), (*highest - *lowest) / 2)};
}

}  // namespace flowgauge::findings
