// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "analyzer/facts/mark_facts.h"
#include "analyzer/facts/run_facts.h"

namespace flowgauge::facts {

/// What all parts of a run must know of one another before they look at reads.
struct Agreement {
    bool epochsMarked = false;   ///< a rank marked an epoch
    bool threadsMarked = false;  ///< a thread marked anything: then no other thread trains
    Interval recorded;           ///< from the first to the last event of a rank; empty without any
    Agreement& operator+=(const Agreement& other);
};

/// What is found out of each rank by itself.
struct RunPart {
    std::vector<RankFacts> ranks;  ///< of the share, in order of rank
    LogFacts log;                  ///< of the whole run
    EpochSource source = EpochSource::None;
    std::vector<std::string> unclearKernels;  ///< see GpuReader
};

/// Reads the ranks of a layout, in four passes over their tracks alone: marks, communication and GPU at once, reads when all parts agree.
class PartReader {
public:
    PartReader(store::RunStore& store, Layout layout);  ///< the store has to outlive it
    [[nodiscard]] const Agreement& known() const { return m_known; }
    /// agreed: what all parts know together. head: the store that has what the whole run has once (its log), this part's or another.
    [[nodiscard]] RunPart finish(const Agreement& agreed, store::RunStore& head);

private:
    store::RunStore& m_store;
    Layout m_layout;
    RunPart m_part;
    std::vector<std::vector<MarkedEpoch>> m_marked;  ///< of each rank
    Agreement m_known;
};

/// The whole run from all of its parts. Reads what is few of its head: counters of hosts, the ledger.
[[nodiscard]] RunFacts joinParts(store::RunStore& head, const std::string& name, std::vector<RunPart> parts);

}  // namespace flowgauge::facts
