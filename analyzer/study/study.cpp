// SPDX-License-Identifier: MIT
#include "analyzer/study/study.h"

#include "collector/record/error.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace flowgauge::study {
namespace {

double sizeOf(const Member& member, bool byGpus) { return static_cast<double>(byGpus ? member.ranks : member.nodes); }

/// a by b, where both are known and b is not 0.
template <typename A, typename B>
Measured<double> quotient(const Measured<A>& a, const Measured<B>& b)
{
    if (!a.known()) return Measured<double>::missing(a.reason());
    if (!b.known()) return Measured<double>::missing(b.reason());
    if (b.value() == 0) return Measured<double>::missing("the smallest run has none");
    return static_cast<double>(a.value()) / static_cast<double>(b.value());
}

bool isInEpochs(std::size_t use) { return use != static_cast<std::size_t>(Use::BetweenEpochs); }

/// Epochs beyond the smallest run's are one loss; the uses are compared for the same number of epochs. All add up to the difference.
void putLosses(const Member& smallest, Standing& standing)
{
    const double sameEpochs = standing.statistical.known() ? standing.statistical.value() : 1.0;
    for (std::size_t use = 0; use < useCount; ++use) {
        const double mine = standing.member.uses[use];
        const double scaled = isInEpochs(use) ? mine * sameEpochs : mine;
        standing.lost[use] = scaled - smallest.uses[use];
        standing.lostToEpochs += mine - scaled;
    }
}

Standing standingOf(Member member, const Member& smallest, bool byGpus)
{
    Standing standing;
    standing.size = sizeOf(member, byGpus) / sizeOf(smallest, byGpus);
    standing.scaling = quotient(member.throughput, smallest.throughput);
    standing.efficiency = standing.scaling.known() ? Measured<double>(standing.scaling.value() / standing.size) : standing.scaling;
    standing.speedUp = quotient(smallest.timeToTarget, member.timeToTarget);
    standing.statistical = quotient(smallest.epochsToTarget, member.epochsToTarget);
    standing.member = std::move(member);
    putLosses(smallest, standing);
    return standing;
}

using ValueOf = Measured<double> (*)(const Member&);

double doublings(const Member& from, const Member& to)
{
    return std::log2(static_cast<double>(to.nodes) / static_cast<double>(from.nodes));
}

/// From the first run on that has any: nothing cannot grow.
Growth growthOf(const char* what, std::span<const Standing> runs, ValueOf valueOf)
{
    while (!runs.empty() && valueOf(runs.front().member).valueOr(0) <= 0) runs = runs.subspan(1);
    Growth growth{what, {}, {}, Measured<double>::missing("needs runs on different numbers of nodes"), {}};
    growth.amount = growth.share;
    const auto add = [&](const Member& from, const Member& to, auto&& put) {
        const Measured<double> first = valueOf(from);
        const Measured<double> last = valueOf(to);
        const double steps = doublings(from, to);
        if (!first.known() || !last.known() || steps <= 0) return;
        put(first.value() > 0 ? std::pow(last.value() / first.value(), 1 / steps) - 1 : 0.0, (last.value() - first.value()) / steps);
    };
    for (std::size_t i = 1; i < runs.size(); ++i)
        add(runs[i - 1].member, runs[i].member, [&](double share, double amount) {
            growth.shares.push_back(share);
            growth.amounts.push_back(amount);
        });
    if (!runs.empty())
        add(runs.front().member, runs.back().member, [&](double share, double amount) {
            growth.share = share;
            growth.amount = amount;
        });
    return growth;
}

}  // namespace

double Standing::lostInAll() const
{
    double sum = lostToEpochs;
    for (const double part : lost) sum += part;
    return sum;
}

Study studyOf(std::vector<Member> members)
{
    if (members.empty()) throw Error("study", "no run was given");
    Study study;
    study.byGpus = std::all_of(members.begin(), members.end(), [](const Member& member) { return member.ranks > 0; });
    std::stable_sort(members.begin(), members.end(),
                     [&](const Member& left, const Member& right) { return sizeOf(left, study.byGpus) < sizeOf(right, study.byGpus); });
    const Member smallest = members.front();
    for (Member& member : members) study.runs.push_back(standingOf(std::move(member), smallest, study.byGpus));
    study.disk = growthOf("peak of the storage's disks", study.runs, [](const Member& member) { return member.peakDisk; });
    study.fetched = growthOf("peak fetched from storage", study.runs, [](const Member& member) { return member.peakFetched; });
    study.network = growthOf("sent by a node", study.runs, [](const Member& member) { return member.sentPerNode; });
    return study;
}

}  // namespace flowgauge::study
