// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/event_columns.h"
#include "collector/store/run_store.h"

#include <algorithm>
#include <vector>

namespace flowgauge::store {

/// A window cut into columns of equal width, and what falls into each. Feed it in order of begin: an event counts in the
/// column of its begin; busy is the union of all events, so that nested ones are not counted twice; the longest event
/// that begins in a column or makes it busy leads it.
class BucketGrid {
public:
    BucketGrid(Interval window, int columns);

    void add(const EventColumns& batch);

    /// A bucket of a tile that covers `span` and was busy for busyNs of it; spread evenly. Not to be mixed with events.
    void add(Interval span, const Bucket& bucket, Nanos busyNs);

    [[nodiscard]] std::vector<Bucket> buckets() const;

private:
    [[nodiscard]] Nanos edge(std::size_t column) const { return m_edges[column]; }
    [[nodiscard]] std::size_t columnOf(Nanos time);  ///< of a time inside the window
    void extend(Interval piece, const Bucket& leader);

    Interval m_window;
    std::vector<Bucket> m_buckets;
    std::vector<Nanos> m_edges;  ///< one more than columns
    std::size_t m_at = 0;        ///< the column that was asked for last
    std::vector<Nanos> m_busy;
    Nanos m_busyUntil;
};

/// The longer one leads.
inline void lead(Bucket& bucket, const Bucket& event)
{
    if (event.longest < bucket.longest || (event.longest == bucket.longest && bucket.leadingKind != Kind::None)) return;
    bucket.longest = event.longest;
    bucket.leadingKind = event.leadingKind;
    bucket.leadingName = event.leadingName;
}

/// One event as a bucket that holds nothing else.
[[nodiscard]] Bucket bucketOf(const EventColumns& batch, std::size_t i);

}  // namespace flowgauge::store
