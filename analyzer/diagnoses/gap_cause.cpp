// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/gap_cause.h"

#include "analyzer/facts/median.h"

#include <algorithm>
#include <array>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;

IntervalSet loggedEvaluations(const facts::LogFacts& log)
{
    std::vector<Interval> all;
    for (const facts::LogEvaluation& evaluation : log.evaluations) all.push_back(evaluation.when);
    return IntervalSet::of(std::move(all));
}

GapEvidence evidenceOf(const facts::RankFacts& rank, const IntervalSet& logged, Interval border)
{
    IntervalSet explained;
    const auto more = [&](const IntervalSet& by) {
        const IntervalSet here = by.within(border);
        const Nanos added = here.minus(explained).total();
        explained = explained.united(here);
        return added;
    };
    GapEvidence evidence;
    evidence.evaluation = more(rank.phase(facts::Phase::Evaluation).united(logged));
    evidence.checkpoint = more(rank.phase(facts::Phase::Checkpoint));
    evidence.shuffle = more(rank.phase(facts::Phase::Shuffle));
    evidence.writes = more(rank.writing);
    evidence.loader = more(rank.waiting);
    return evidence;
}

struct CauseRow {
    Nanos GapEvidence::*amount;
    const char *title, *what, *advice;
};
constexpr std::array<CauseRow, 3> causes{{
    {&GapEvidence::shuffle, "Shuffle gap", "the job shuffles (it is marked)",
     "Shuffle for the next epoch while this one still trains, and shuffle indices, not files."},
    {&GapEvidence::writes, "Writing between epochs", "files are written: checkpoints, most likely",
     "Copy the state to memory and write it in the background, or write less often."},
    {&GapEvidence::loader, "Loader starts anew", "the ranks wait for data",
     "Keep the loader's workers alive between epochs (persistent workers), and let them read ahead while the last steps train."},
}};

Nanos leftOf(const GapEvidence& gap) { return std::max<Nanos>(1, gap.length - gap.named()); }

/// The cause of at least half of the gap; nullptr where there is none.
const CauseRow* causeOfMost(const GapEvidence& gap)
{
    const auto most =
        std::max_element(causes.begin(), causes.end(), [&](const CauseRow& a, const CauseRow& b) { return gap.*a.amount < gap.*b.amount; });
    return 2 * (gap.*most->amount) < leftOf(gap) ? nullptr : &*most;
}

}  // namespace

std::string causeOf(const GapEvidence& gap)
{
    const CauseRow* most = causeOfMost(gap);
    return most == nullptr ? "its cause is unknown, nothing that was recorded fills it" : most->what;
}

GapEvidence& GapEvidence::operator+=(const GapEvidence& other)
{
    for (const auto amount : {&GapEvidence::length, &GapEvidence::evaluation, &GapEvidence::checkpoint, &GapEvidence::shuffle,
                              &GapEvidence::writes, &GapEvidence::loader})
        this->*amount += other.*amount;
    return *this;
}

GapEvidence evidenceOf(const Subject& subject, Interval border, Nanos length)
{
    const IntervalSet logged = loggedEvaluations(subject.run.log);
    std::vector<GapEvidence> perRank;
    for (const RankView& view : subject.ranks) perRank.push_back(evidenceOf(*view.rank, logged, border));
    GapEvidence median;
    median.length = length;
    for (const auto amount :
         {&GapEvidence::evaluation, &GapEvidence::checkpoint, &GapEvidence::shuffle, &GapEvidence::writes, &GapEvidence::loader}) {
        std::vector<Nanos> values;
        values.reserve(perRank.size());
        for (const GapEvidence& one : perRank) values.push_back(one.*amount);
        median.*amount = facts::medianOf(std::move(values));
    }
    return median;
}

void describeCause(const GapEvidence& gap, findings::Finding& finding)
{
    const CauseRow* most = causeOfMost(gap);
    if (most == nullptr) {
        finding.title = "Gap between epochs";
        finding.details.emplace_back("Nothing that was recorded fills most of it: its cause is unknown.");
        finding.toBeSure = "Mark what the job does between epochs (phases shuffle, checkpoint, evaluation).";
        finding.advice = "Whatever the job does between epochs, let it be done while the last steps of one still train.";
        return;
    }
    finding.title = most->title;
    const double share = std::min(1.0, static_cast<double>(gap.*most->amount) / static_cast<double>(leftOf(gap)));
    finding.details.emplace_back("In ", findings::Share{share}, " of it ", most->what, ".");
    finding.advice = most->advice;
}

}  // namespace flowgauge::diagnoses
