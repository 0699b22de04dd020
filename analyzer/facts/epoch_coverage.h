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
    std::int64_t begin = 0;  ///< offset
    ReadCount reads;
};

/// Which places are looked at: one in 2^halvings, always the same ones.
struct PlaceSample {
    unsigned halvings = 0;
    [[nodiscard]] bool holds(std::int64_t file, std::int64_t offset) const;
};

/// Turns one track's reads, in order, into visits. Reads of places that the sample leaves out count for the visit before.
class VisitBuilder {
public:
    explicit VisitBuilder(std::int64_t process, PlaceSample sample = {}) : m_process(process), m_sample(sample) {}
    void open(std::int64_t file) { m_current.erase(file); }  ///< the next read begins anew
    /// A read of unknown offset (-1) goes on where the last one ended.
    void read(std::int64_t file, Interval when, std::int64_t offset, std::int64_t bytes);
    void thin(PlaceSample sample);  ///< a part of the one before
    [[nodiscard]] std::size_t size() const { return m_visits.size(); }
    [[nodiscard]] std::vector<Visit> take() { return std::move(m_visits); }

private:
    struct Current {
        std::size_t visit = 0;  ///< that its reads count for
        std::int64_t end = 0;   ///< offset at which it may go on
    };
    std::int64_t m_process;
    PlaceSample m_sample;
    std::unordered_map<std::int64_t, Current> m_current;  ///< by file
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
