// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/run_facts.h"
#include "analyzer/findings/finding.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace flowgauge::diagnoses {

/// What several diagnoses ask of one rank, made once.
struct RankView {
    const facts::RankFacts* rank;
    facts::PartSets parts;
    std::vector<Interval> windows;      ///< its steps; without steps its whole extent
    facts::IntervalSet awaited;         ///< inside a collective, before the last rank had arrived
    facts::IntervalSet exposedAwaited;  ///< of that, what compute does not hide
    facts::IntervalSet stallInReads;    ///< input stall while a process of the rank is inside a read call
};

class Replay;

/// The run as the diagnoses look at it. Refers to the facts: they must outlive it.
struct Subject {
    explicit Subject(const facts::RunFacts& facts);

    const facts::RunFacts& run;
    std::vector<RankView> ranks;
    std::vector<facts::Meeting> meetings;
    bool bySteps = false;  ///< windows are steps

    [[nodiscard]] std::string windowName() const { return bySteps ? "step time" : "the run"; }
    [[nodiscard]] Nanos windowTotal() const;   ///< of all ranks
    [[nodiscard]] double stepsOfRun() const;   ///< how much of the run the windows make up, 0..1
    [[nodiscard]] Nanos medianWindow() const;  ///< over all ranks and steps; 0 without any
    [[nodiscard]] std::string whereSteps() const { return bySteps ? "all steps" : "the whole run"; }

    /// amount(view, window) as a share of each window, rank by rank; empty windows are left out.
    using Amount = std::function<Nanos(const RankView&, Interval)>;
    [[nodiscard]] std::vector<std::vector<double>> sharesOf(const Amount& amount) const;
    [[nodiscard]] Nanos totalOf(const Amount& amount) const;
    /// Without that amount the windows would be so much shorter: its share of them all, and how far that differs over steps and ranks.
    [[nodiscard]] findings::Estimate gainOf(const Amount& amount) const;

    /// The steps' dependencies, made when first asked for.
    [[nodiscard]] const Replay& replay() const;

private:
    mutable std::shared_ptr<const Replay> m_replay;
};

}  // namespace flowgauge::diagnoses
