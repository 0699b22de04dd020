// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/epochs.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace flowgauge::facts {

/// A stretch of one file that one process read without a jump.
struct Visit {
    Interval when;
    std::int64_t file = 0, process = 0;
    std::int64_t begin = 0, end = 0;  ///< offsets; a read of unknown offset goes on where the last one ended
    ReadCount reads;
};

/// Turns one track's reads, in order, into visits.
class VisitBuilder {
public:
    explicit VisitBuilder(std::int64_t process) : m_process(process) {}
    void open(std::int64_t file) { m_current.erase(file); }  ///< the next read begins anew
    void read(std::int64_t file, Interval when, std::int64_t offset, std::int64_t bytes);
    [[nodiscard]] std::vector<Visit> take() { return std::move(m_visits); }

private:
    std::int64_t m_process;
    std::unordered_map<std::int64_t, std::size_t> m_current;  ///< file -> its visit that may go on
    std::vector<Visit> m_visits;
};

/// One rank's epochs from its visits: a new one begins when something already read in this epoch is read again. Each epoch's
/// reads are those of its visits. Visits of one data set only. Empty when nothing is ever read again.
/// Accuracy: with a global reshuffle over N ranks the border is late by a few samples (N=2: at most 3, 8: 17).
struct CoverageEpoch {
    MarkedEpoch epoch;  ///< numbered from 1; ends where the next begins
    ReadCount reads;
};
[[nodiscard]] std::vector<CoverageEpoch> epochsOfVisits(std::vector<Visit> visits, Nanos end);

}  // namespace flowgauge::facts
