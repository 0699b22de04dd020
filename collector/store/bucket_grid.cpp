// SPDX-License-Identifier: MIT
#include "collector/store/bucket_grid.h"

#include "collector/store/kind_columns.h"

namespace flowgauge::store {

namespace {

__extension__ using Wide = __int128;  // ns times columns may pass 2^63

}  // namespace

BucketGrid::BucketGrid(Interval window, int columns)
    : m_window(window), m_buckets(static_cast<std::size_t>(std::max(0, columns))), m_busy(m_buckets.size()), m_busyUntil(window.begin)
{
}

Nanos BucketGrid::edge(std::size_t column) const
{
    const auto offset = static_cast<Wide>(m_window.length()) * static_cast<Wide>(column) / static_cast<Wide>(m_buckets.size());
    return m_window.begin + static_cast<Nanos>(offset);
}

std::size_t BucketGrid::columnOf(Nanos time) const
{
    const auto product = static_cast<Wide>(time - m_window.begin) * static_cast<Wide>(m_buckets.size());
    auto column = static_cast<std::size_t>(product / m_window.length());
    // Where the width is no whole number of ns, the division above and the one of the edges round apart.
    while (column + 1 < m_buckets.size() && edge(column + 1) <= time) ++column;
    return column;
}

Bucket bucketOf(const EventColumns& batch, std::size_t i)
{
    const KindColumns columns = kindColumns[static_cast<std::size_t>(batch.kind(i))];
    const std::int64_t bytes = columns.bytes < 4 ? std::max<std::int64_t>(0, batch.argument(i, columns.bytes)) : 0;
    return {1,
            0,
            std::max<Nanos>(0, batch.duration(i)),
            batch.kind(i),
            columns.name < 4 ? batch.argument(i, columns.name) : 0,
            static_cast<std::uint64_t>(bytes)};
}

void BucketGrid::extend(Interval piece, const Bucket& leader)
{
    for (std::size_t column = columnOf(piece.begin); column < m_buckets.size() && edge(column) < piece.end; ++column) {
        const Interval inside{std::max(piece.begin, edge(column)), std::min(piece.end, edge(column + 1))};
        m_busy[column] += inside.length();
        lead(m_buckets[column], leader);
    }
}

void BucketGrid::add(const EventColumns& batch)
{
    if (m_buckets.empty() || m_window.empty()) return;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Nanos begin = batch.begin(i);
        const Bucket event = bucketOf(batch, i);
        if (m_window.contains(begin)) {
            Bucket& bucket = m_buckets[columnOf(begin)];
            bucket.events += 1;
            bucket.bytes += event.bytes;
            lead(bucket, event);
        }
        const Interval news{std::max({begin, m_window.begin, m_busyUntil}), std::min(batch.end(i), m_window.end)};
        if (news.empty()) continue;
        extend(news, event);
        m_busyUntil = news.end;
    }
}

void BucketGrid::add(Interval span, const Bucket& bucket, Nanos busyNs)
{
    const Interval shown{std::max(span.begin, m_window.begin), std::min(span.end, m_window.end)};
    if (m_buckets.empty() || shown.empty()) return;
    const std::size_t first = columnOf(shown.begin);
    m_buckets[first].events += bucket.events;
    m_buckets[first].bytes += bucket.bytes;
    if (bucket.leadingKind != Kind::None) lead(m_buckets[first], bucket);
    const double density = static_cast<double>(busyNs) / static_cast<double>(span.length());
    for (std::size_t column = first; column < m_buckets.size() && edge(column) < shown.end; ++column) {
        const Interval inside{std::max(shown.begin, edge(column)), std::min(shown.end, edge(column + 1))};
        m_busy[column] += static_cast<Nanos>(static_cast<double>(inside.length()) * density + 0.5);
    }
}

std::vector<Bucket> BucketGrid::buckets() const
{
    std::vector<Bucket> buckets = m_buckets;
    for (std::size_t column = 0; column < buckets.size(); ++column) {
        const Nanos width = edge(column + 1) - edge(column);
        if (width > 0) buckets[column].busy = std::min(1.0F, static_cast<float>(m_busy[column]) / static_cast<float>(width));
    }
    return buckets;
}

}  // namespace flowgauge::store
