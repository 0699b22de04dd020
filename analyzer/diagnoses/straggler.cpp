// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/straggler.h"

#include "analyzer/diagnoses/replay.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace flowgauge::diagnoses {
namespace {

/// Of N equal ranks each causes an N-th of the waiting. One is a straggler when it stands half way between that and causing all of it,
/// less what chance does to half-ways: 0.7 of two ranks, 0.51 of eight.
double causesMost(std::size_t ranks) { return (1 + 1 / static_cast<double>(ranks)) / 2 - 0.05; }
/// And it must cause most in so many of the steps (0.6 of two ranks, 0.41 of eight): one long pause is an accident.
double inMostSteps(std::size_t ranks) { return causesMost(ranks) - 0.1; }

/// Who made the others wait, and in how many steps most.
struct Waiting {
    std::vector<Nanos> caused;               ///< by late rank
    std::vector<std::int64_t> worstInSteps;  ///< by late rank: steps in which it caused most
    std::int64_t steps = 0;                  ///< with any waiting
    Nanos doubted = 0;                       ///< waiting that is too short to tell who came last
};

/// Who came last to one collective, and how long each of the others had been waiting then. Below `doubt` nobody can tell.
struct Arrivals {
    std::size_t late = 0;
    std::vector<Interval> waits;  ///< by rank, by its own clock; empty for those who did not wait
    Nanos doubt = 0;              ///< for a wait for a rank of another host
};

/// Position of the step of the first rank in which a moment lies; the meetings themselves where no steps are known.
std::int64_t stepAt(const Subject& subject, Nanos t, std::int64_t meeting)
{
    if (!subject.bySteps || subject.ranks.empty()) return meeting;
    const auto& windows = subject.ranks.front().windows;
    const auto after = std::upper_bound(windows.begin(), windows.end(), t, [](Nanos at, Interval window) { return at < window.begin; });
    return after - windows.begin();
}

/// In training only: before the first and after the last step everybody waits for somebody, once.
bool inTraining(const Subject& subject, Nanos t)
{
    if (!subject.bySteps) return true;
    const auto covers = [t](const RankView& view) {
        return !view.windows.empty() && view.windows.front().begin <= t && t < view.windows.back().end;
    };
    return std::any_of(subject.ranks.begin(), subject.ranks.end(), covers);
}

Arrivals byClocks(const Subject& subject, const facts::Meeting& meeting)
{
    Arrivals arrivals{meeting.lastRank, {}, meeting.doubt};
    for (std::size_t rank = 0; rank < subject.ranks.size(); ++rank) {
        const facts::CollectiveCall* call = meeting.calls[rank];
        arrivals.waits.push_back(call == nullptr ? Interval{} : Interval{call->when.begin, meeting.lastArrivalFor(rank)});
    }
    return arrivals;
}

/// From how long each stays, which is told by its own clock alone: who comes last stays shortest, since all leave when it is done. They
/// leave no further apart than that shortest stay, which is the collective's transfer.
Arrivals byStays(const Subject& subject, const facts::Meeting& meeting)
{
    Arrivals arrivals{0, {}, facts::ClockOffset::unknown};
    for (std::size_t rank = 0; rank < subject.ranks.size(); ++rank) {
        const facts::CollectiveCall* call = meeting.calls[rank];
        if (call == nullptr || call->when.length() >= arrivals.doubt) continue;
        arrivals.late = rank;
        arrivals.doubt = call->when.length();
    }
    for (const facts::CollectiveCall* call : meeting.calls) {
        const Nanos waited = call == nullptr ? 0 : call->when.length() - arrivals.doubt;
        arrivals.waits.push_back(call == nullptr ? Interval{} : Interval{call->when.begin, call->when.begin + waited});
    }
    return arrivals;
}

bool onOtherHosts(const Subject& subject, std::size_t one, std::size_t other)
{
    return subject.ranks[one].rank->host != subject.ranks[other].rank->host;
}

/// Clocks that are known well enough tell it best; else the stays do, in collectives that nobody leaves before all have come.
Arrivals arrivalsOf(const Subject& subject, const facts::Meeting& meeting)
{
    Arrivals arrivals = byClocks(subject, meeting);
    const auto any = std::find_if(meeting.calls.begin(), meeting.calls.end(), [](const auto* call) { return call != nullptr; });
    if (meeting.hosts < 2 || !facts::joinsAll((*any)->kind)) return arrivals;
    const auto isDoubted = [&](std::size_t rank) {
        return onOtherHosts(subject, rank, arrivals.late) && arrivals.waits[rank].length() <= arrivals.doubt;
    };
    for (std::size_t rank = 0; rank < arrivals.waits.size(); ++rank)
        if (meeting.calls[rank] != nullptr && isDoubted(rank)) return byStays(subject, meeting);
    return arrivals;
}

/// Visits all waiting in training: visit(step, late rank, waiting rank, ns). Returns what was left out, since nobody can tell whom it is
/// for.
template <typename Visit>
Nanos forEachWait(const Subject& subject, const Visit& visit)
{
    const std::size_t ranks = subject.ranks.size();
    std::vector<Nanos> counted(ranks);  // reductions that are handed in early wait at the same time: that counts once
    std::int64_t number = 0;
    Nanos doubted = 0;
    for (const facts::Meeting& meeting : subject.meetings) {
        ++number;
        if (!inTraining(subject, meeting.lastArrival)) continue;
        const std::int64_t step = stepAt(subject, meeting.lastArrival, number);
        const Arrivals arrivals = arrivalsOf(subject, meeting);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const Interval before = arrivals.waits[rank];
            if (rank == arrivals.late || before.empty()) continue;
            if (onOtherHosts(subject, rank, arrivals.late) && before.length() <= arrivals.doubt) {
                doubted += before.length();
                continue;
            }
            const Interval fresh{std::min(std::max(before.begin, counted[rank]), before.end), before.end};
            counted[rank] = std::max(counted[rank], before.end);
            visit(step, arrivals.late, rank, subject.ranks[rank].parts.exposedCommunication.totalWithin(fresh));
        }
    }
    return doubted;
}

Waiting waitingIn(const Subject& subject)
{
    const std::size_t ranks = subject.ranks.size();
    Waiting waiting{std::vector<Nanos>(ranks), std::vector<std::int64_t>(ranks), 0, 0};
    std::map<std::int64_t, std::map<std::size_t, Nanos>> byStep;  // of a thousand ranks few come last in a step
    waiting.doubted = forEachWait(subject, [&](std::int64_t step, std::size_t late, std::size_t, Nanos wait) {
        waiting.caused[late] += wait;
        byStep[step][late] += wait;
    });
    for (const auto& [step, caused] : byStep) {
        const auto less = [](const auto& left, const auto& right) { return left.second < right.second; };
        const auto worst = std::max_element(caused.begin(), caused.end(), less);
        if (worst->second == 0) continue;
        ++waiting.steps;
        ++waiting.worstInSteps[worst->first];
    }
    return waiting;
}

/// How long each rank waited for that one.
std::vector<Nanos> waitsFor(const Subject& subject, std::size_t rank)
{
    std::vector<Nanos> waits(subject.ranks.size());
    static_cast<void>(forEachWait(subject, [&](std::int64_t, std::size_t late, std::size_t waiting, Nanos wait) {
        if (late == rank) waits[waiting] += wait;
    }));
    return waits;
}

/// Mean per window of a part, of the late rank and of the others.
struct Compared {
    Nanos late = 0, others = 0;
};
Compared compare(const Subject& subject, std::size_t late, const Subject::Amount& amount)
{
    Compared result;
    std::int64_t lateWindows = 0;
    std::int64_t otherWindows = 0;
    for (std::size_t rank = 0; rank < subject.ranks.size(); ++rank) {
        const RankView& view = subject.ranks[rank];
        for (const Interval window : view.windows) (rank == late ? result.late : result.others) += amount(view, window);
        (rank == late ? lateWindows : otherWindows) += static_cast<std::int64_t>(view.windows.size());
    }
    return {result.late / std::max<std::int64_t>(lateWindows, 1), result.others / std::max<std::int64_t>(otherWindows, 1)};
}

/// What grew on the late rank before it arrived: the part with the largest surplus.
void describeCause(const Subject& subject, std::size_t late, findings::Finding& finding)
{
    const Compared compute = compare(subject, late, [](const RankView& v, Interval w) { return v.parts.compute.totalWithin(w); });
    const Compared input = compare(subject, late, [](const RankView& v, Interval w) { return v.parts.inputStall.totalWithin(w); });
    const bool byInput = input.late - input.others > compute.late - compute.others;
    const Compared& cause = byInput ? input : compute;
    if (cause.late <= cause.others) {
        finding.toBeSure = "Neither its compute nor its input is longer: what it does before it arrives is not marked.";
        return;
    }
    finding.details.emplace_back(byInput ? "It waits for data " : "It computes ", findings::Duration{cause.late},
                                 subject.bySteps ? " a step" : "", ", the others ", findings::Duration{cause.others}, ".");
    finding.advice = byInput ? "Look at that rank's input: its files, its loader's workers, its share of the storage."
                             : "Look at that rank's processor: pinning, other work on its cores, clock, or a larger share of the work.";
}

/// What the steps would be shorter by if the rank were like the others: what stands behind it may hold them up next.
std::optional<double> gainOfEvened(const Subject& subject, std::size_t late)
{
    if (!subject.bySteps || !subject.replay().possible()) return std::nullopt;
    Change change;
    change.evened = late;
    const double now = subject.replay().timeOf({});
    return now > 0 ? std::optional(std::max(0.0, 1 - subject.replay().timeOf(change) / now)) : std::nullopt;
}

findings::Finding findingOf(const Subject& subject, const Waiting& waiting, std::size_t late)
{
    const RankView& view = subject.ranks[late];
    const auto others = static_cast<Nanos>(subject.ranks.size()) - 1;
    findings::Finding finding;
    finding.title = "Straggler";
    finding.amount = waiting.caused[late] / others;
    finding.outOf = subject.windowTotal() / static_cast<Nanos>(subject.ranks.size());
    finding.outOfWhat = subject.windowName();
    finding.ranks = {view.rank->rank};
    finding.where = subject.whereSteps();
    const std::vector<Nanos> waits = waitsFor(subject, late);
    std::vector<std::vector<double>> gains;
    for (std::size_t rank = 0; rank < waits.size(); ++rank)
        if (rank != late) gains.push_back({static_cast<double>(waits[rank]) / static_cast<double>(std::max<Nanos>(finding.outOf, 1))});
    const auto least = std::min_element(gains.begin(), gains.end());  // the second slowest still has to come
    finding.gain = {std::min(least->front(), gainOfEvened(subject, late).value_or(1)), findings::estimateOf(gains).error};
    finding.verdict =
        findings::Sentence("Rank ", std::to_string(view.rank->rank), " on ", view.rank->host, " comes last: the other ranks wait ",
                           findings::Share{finding.share()}, subject.bySteps ? " of the step" : " of the run",
                           " for it; without it the step would be about ", finding.gain, " shorter.");
    finding.details.emplace_back("It causes the most waiting in ", findings::Count{waiting.worstInSteps[late]}, " of ",
                                 findings::Count{waiting.steps}, subject.bySteps ? " steps." : " collectives.");
    if (waiting.doubted > 0)
        finding.details.emplace_back("Left out is ", findings::Duration{waiting.doubted},
                                     " of waiting between hosts that is too short to tell who came last.");
    describeCause(subject, late, finding);
    const std::size_t waitingRank = late == 0 ? 1 : 0;
    for (const Interval stretch : subject.ranks[waitingRank].exposedAwaited.longest(3))
        finding.evidence.push_back({subject.ranks[waitingRank].rank->rank, stretch, "waits inside a collective for the last rank"});
    return finding;
}

}  // namespace

std::optional<findings::Finding> straggler(const Subject& subject)
{
    if (subject.ranks.size() < 2 || subject.meetings.empty()) return std::nullopt;
    const Waiting waiting = waitingIn(subject);
    const auto most = std::max_element(waiting.caused.begin(), waiting.caused.end());
    const auto late = static_cast<std::size_t>(most - waiting.caused.begin());
    const Nanos all = std::accumulate(waiting.caused.begin(), waiting.caused.end(), Nanos{0});
    if (all == 0 || static_cast<double>(*most) < causesMost(subject.ranks.size()) * static_cast<double>(all)) return std::nullopt;
    if (static_cast<double>(waiting.worstInSteps[late]) < inMostSteps(subject.ranks.size()) * static_cast<double>(waiting.steps))
        return std::nullopt;
    return findingOf(subject, waiting, late);
}

}  // namespace flowgauge::diagnoses
