// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/layout.h"
#include "analyzer/facts/read_places.h"
#include "analyzer/facts/visit_collector.h"

namespace flowgauge::facts {

/// One pass over a group's reads of data files: fills reads, reading, waiting (reads on a thread that trains), mappedFiles and extent
/// of its rank. Copies inside the kernel and asynchronous reads are reads too. Where epochs are known, sums their reads; where
/// not, collects visits to find epochs by. Memory: the sets and, if asked for, the visits, both limited; nothing per event.
class ReadPass {
public:
    /// epochs: of marks or a log; nullptr: collect visits.
    ReadPass(store::RunStore& store, const Layout& layout, std::size_t group, const std::vector<MarkedEpoch>* epochs, RankFacts& rank);
    void run();

    /// After putParts: the sums of each epoch.
    void putReadsOfEpochs() const { m_places->finish(m_rank); }
    [[nodiscard]] VisitCollector& visits() { return m_visits; }

private:
    /// A call that took bytes from a file, whichever kind it is.
    struct Read {
        std::int64_t file, offset, bytesOrError, requested;
        bool blocks;  ///< its thread waited for it
    };
    [[nodiscard]] static std::optional<Read> readOf(const store::StoredEvent& event);
    void takeTrack(const store::TrackRow& track, std::span<const store::StoredEvent> events);
    void takeOther(const store::StoredEvent& event);
    void takeRead(const store::StoredEvent& event, const Read& read);
    [[nodiscard]] bool heldUpAStep(Interval when, bool blocks);
    void endTrack();

    /// What is being collected of the track at hand.
    struct TrackState {
        store::Id id = 0;
        bool trains = false;  ///< its reads hold up the step
        ReadPlaces::Cursor place;
        std::size_t wait = 0;  ///< first stretch of the rank's waiting that is not over
        IntervalSet blocking, reading, writing;
    };

    store::RunStore& m_store;
    const Layout& m_layout;
    std::size_t m_group;
    RankFacts& m_rank;
    PieceLimit m_limit;
    std::optional<ReadPlaces> m_places;  ///< none: collect visits
    VisitCollector m_visits;
    std::map<store::Id, std::int64_t> m_mappedFiles;
    TrackState m_track;
};

}  // namespace flowgauge::facts
