// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/epoch_coverage.h"
#include "analyzer/facts/layout.h"
#include "analyzer/facts/read_places.h"

namespace flowgauge::facts {

/// One pass over the reads of data files: fills reads, reading, waiting (reads on a thread that trains), mappedFiles and extent
/// of each rank. Copies inside the kernel and asynchronous reads are reads too. Where epochs are known, sums their reads; where
/// not, collects visits to find epochs by. Memory: the sets and, if asked for, the visits; nothing per event.
class ReadPass {
public:
    /// epochs: of marks or a log; empty: collect visits.
    ReadPass(const Layout& layout, const FoundEpochs& epochs, std::vector<RankFacts>& ranks);
    void run(store::RunStore& store);

    /// After putParts: the sums of each epoch.
    void putReadsOfEpochs(std::vector<RankFacts>& ranks) const;
    [[nodiscard]] std::vector<std::vector<Visit>> takeVisits() { return std::move(m_visits); }  ///< [rank]

private:
    /// A call that took bytes from a file, whichever kind it is.
    struct Read {
        std::int64_t file, offset, bytesOrError, requested;
        bool blocks;  ///< its thread waited for it
    };
    [[nodiscard]] static std::optional<Read> readOf(const store::StoredEvent& event);
    void takeTrack(const store::TrackRow& track, std::size_t rank, std::span<const store::StoredEvent> events);
    void takeOther(const store::StoredEvent& event, std::size_t rank);
    void takeRead(const store::StoredEvent& event, const Read& read, std::size_t rank);
    [[nodiscard]] bool heldUpAStep(Interval when, bool blocks);
    void endTrack();

    /// What is being collected of the track at hand.
    struct TrackState {
        store::Id id = 0;
        std::size_t rank = 0;
        bool trains = false;  ///< its reads hold up the step
        ReadPlaces::Cursor place;
        std::size_t wait = 0;  ///< first stretch of the rank's waiting that is not over
        IntervalSet blocking;
        std::vector<Interval> reading, writing;
        VisitBuilder visits{0};
    };

    const Layout& m_layout;
    std::vector<RankFacts>& m_ranks;
    bool m_collectVisits;
    std::vector<ReadPlaces> m_places;                              ///< [rank]
    std::vector<std::map<store::Id, std::int64_t>> m_mappedFiles;  ///< [rank]
    std::vector<std::vector<Visit>> m_visits;
    TrackState m_track;
};

}  // namespace flowgauge::facts
