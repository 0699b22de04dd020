// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/epoch_coverage.h"
#include "analyzer/facts/layout.h"

namespace flowgauge::facts {

/// One pass over the reads of data files: fills reads, reading, waiting (reads on a thread that trains), mappedBytes and extent
/// of each rank. Where epochs are known, sums their reads; where not, collects visits to find epochs by. Memory: the sets and,
/// if asked for, the visits; nothing per event.
class ReadPass {
public:
    /// epochs: of marks or a log; empty: collect visits.
    ReadPass(const Layout& layout, const FoundEpochs& epochs, std::vector<RankFacts>& ranks);
    void run(store::RunStore& store);

    struct EpochReads {
        std::int64_t calls = 0, bytes = 0;
    };
    [[nodiscard]] const std::vector<std::vector<EpochReads>>& readsOfEpochs() const { return m_epochReads; }  ///< [rank][epoch]
    [[nodiscard]] std::vector<std::vector<Visit>> takeVisits() { return std::move(m_visits); }                ///< [rank]

private:
    void takeTrack(const store::TrackRow& track, std::size_t rank, std::span<const store::StoredEvent> events);
    void takeRead(const store::StoredEvent& event, std::size_t rank);
    void endTrack();

    /// What is being collected of the track at hand.
    struct TrackState {
        store::Id id = 0;
        std::size_t rank = 0;
        bool trains = false;  ///< its reads hold up the step
        std::size_t epoch = 0;
        IntervalSet blocking;
        std::vector<Interval> reading;
        VisitBuilder visits{0};
    };

    const Layout& m_layout;
    const FoundEpochs& m_epochs;
    std::vector<RankFacts>& m_ranks;
    bool m_collectVisits;
    std::vector<std::vector<EpochReads>> m_epochReads;
    std::vector<std::vector<Visit>> m_visits;
    TrackState m_track;
};

}  // namespace flowgauge::facts
