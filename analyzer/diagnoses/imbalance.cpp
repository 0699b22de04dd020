// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/imbalance.h"

#include "analyzer/diagnoses/replay.h"
#include "analyzer/diagnoses/straggler.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::diagnoses {
namespace {

/// Useful time of the mean rank over that of the longest, in a step (POP: load balance). Above it, ranks differ as they always do.
constexpr double balancedFrom = 0.9;

struct Balance {
    double mean = 0, longest = 0;
    Interval worst;  ///< the step with the largest difference
    std::size_t worstRank = 0;
};

Balance balanceOf(const Subject& subject)
{
    Balance balance;
    std::size_t steps = subject.ranks.front().windows.size();
    for (const RankView& view : subject.ranks) steps = std::min(steps, view.windows.size());
    double largest = 0;
    for (std::size_t step = 0; step < steps; ++step) {
        double sum = 0;
        double most = 0;
        std::size_t who = 0;
        for (std::size_t i = 0; i < subject.ranks.size(); ++i) {
            const double own = static_cast<double>(subject.ranks[i].parts.compute.totalWithin(subject.ranks[i].windows[step]));
            sum += own;
            if (own > most) who = i;
            most = std::max(most, own);
        }
        const double mean = sum / static_cast<double>(subject.ranks.size());
        balance.mean += mean;
        balance.longest += most;
        if (most - mean <= largest) continue;
        largest = most - mean;
        balance.worst = subject.ranks[who].windows[step];
        balance.worstRank = who;
    }
    return balance;
}

}  // namespace

std::optional<findings::Finding> imbalance(const Subject& subject)
{
    if (subject.ranks.size() < 2 || !subject.bySteps || subject.meetings.empty() || straggler(subject)) return std::nullopt;
    const Balance balance = balanceOf(subject);
    const Replay& replay = subject.replay();
    const double now = replay.possible() ? replay.timeOf({}) : 0;
    if (balance.longest <= 0 || balance.mean > balancedFrom * balance.longest || now <= 0) return std::nullopt;
    Change even;
    even.balanced = true;
    findings::Finding finding;
    finding.title = "Imbalance";
    finding.amount = subject.totalOf([](const RankView& view, Interval step) { return view.exposedAwaited.totalWithin(step); });
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    finding.gain =
        findings::possible({std::max(0.0, 1 - replay.timeOf(even) / now), std::abs(now / replay.recorded() - 1)}, finding.share());
    finding.verdict =
        findings::Sentence("Ranks take turns at being slow: waiting for the slowest of each step takes ", findings::Share{finding.share()},
                           " of it; evenly loaded, the step would be about ", finding.gain, " shorter.");
    finding.details.emplace_back("A rank computes ", findings::Share{balance.mean / balance.longest},
                                 " of what the longest of its step does (load balance).");
    finding.evidence.push_back({subject.ranks[balance.worstRank].rank->rank, balance.worst, "the step in which one rank computed longest"});
    finding.advice = "Give each rank the same work (batches of equal cost, equal shares of the data), and its own processors.";
    return finding;
}

}  // namespace flowgauge::diagnoses
