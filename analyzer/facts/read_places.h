// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/mark_facts.h"

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace flowgauge::facts {

/// What a rank's reads were for. A read belongs, by where it begins:
/// - to a marked evaluation or checkpoint, whatever epoch is going on;
/// - else to the epoch whose end comes next: a loader that reads ahead between two epochs reads for the second;
/// - before the first epoch to that one only if it reads the same file again (a loader that reads ahead), else to start-up
///   (indexes, settings);
/// - after the last epoch to none.
/// The sums of all places are all reads.
class ReadPlaces {
public:
    ReadPlaces(const std::vector<MarkedEpoch>& epochs, const RankFacts& rank);

    /// Where a track stands; its reads come in order of begin.
    struct Cursor {
        std::size_t epoch = 0, phase = 0;
    };
    void take(Cursor& cursor, std::int64_t file, Nanos begin, const ReadCount& read);
    /// Fills reads, evaluation and fetchesFrom of the rank's epochs, and readsElsewhere.
    void finish(RankFacts& rank) const;

private:
    struct Phase {
        Interval when;
        const char* name;
        std::size_t after;  ///< position + 1 of the last epoch that begins before it; 0: none
    };
    struct Early {
        ReadCount read;
        Nanos first = 0;
    };
    void takePhase(const Phase& phase, const ReadCount& read);
    void addPhases(const IntervalSet& set, const char* name);

    const std::vector<MarkedEpoch>& m_epochs;
    std::vector<Phase> m_phases;  ///< in order of begin
    std::vector<ReadCount> m_reads, m_evaluation;
    std::map<std::string, ReadCount> m_elsewhere;
    std::unordered_map<std::int64_t, Early> m_early;  ///< before the first epoch, by file
    std::unordered_set<std::int64_t> m_filesOfFirst;  ///< read in the first epoch
    std::int64_t m_lastFile = -1;                     ///< spares most look-ups
};

}  // namespace flowgauge::facts
