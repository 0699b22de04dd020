// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/diagnosis.h"
#include "analyzer/diagnoses/summary.h"

#include <algorithm>
#include <string>

namespace flowgauge::diagnoses {

inline constexpr Nanos ms = 1'000'000;

/// A rank whose compute and communication are known, written by hand.
inline facts::RankFacts rankOf(int number)
{
    facts::RankFacts rank;
    rank.rank = number;
    rank.host = "node-a";
    rank.computeKnown = true;
    rank.communicationKnown = true;
    return rank;
}

inline facts::RunFacts runOf(std::vector<facts::RankFacts> ranks)
{
    facts::RunFacts run;
    run.name = "run1";
    for (facts::RankFacts& rank : ranks) {
        if (rank.extent.empty()) rank.extent = {0, rank.steps.empty() ? 0 : rank.steps.back().when.end};
        run.extent.end = std::max(run.extent.end, rank.extent.end);
    }
    run.ranks = std::move(ranks);
    run.worldSize = static_cast<std::int64_t>(run.ranks.size());
    run.cost.jobCpuNs = 1'000'000'000;
    return run;
}

/// A call of an allreduce: adds it to the communication as well.
inline void allreduce(facts::RankFacts& rank, std::uint64_t sequence, Interval when)
{
    rank.collectives.push_back({1, sequence, when, 100, Kind::Allreduce});
    rank.communication = rank.communication.united(facts::IntervalSet::of({when}));
}

/// What one diagnosis says of a run; findings not worth telling are in it too.
inline std::optional<findings::Finding> answerOf(std::string_view name, const facts::RunFacts& run)
{
    const Subject subject(run);
    for (const Diagnosis& diagnosis : diagnoses())
        if (diagnosis.name == name) return diagnosis.answer(subject);
    return std::nullopt;
}

/// The names of all findings, worst first.
inline std::vector<std::string> namesOf(const facts::RunFacts& run)
{
    std::vector<std::string> names;
    const Subject subject(run);
    for (const findings::Finding& finding : diagnose(subject)) names.push_back(finding.diagnosis);
    return names;
}

}  // namespace flowgauge::diagnoses
