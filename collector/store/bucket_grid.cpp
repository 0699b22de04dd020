// SPDX-License-Identifier: MIT
#include "collector/store/bucket_grid.h"

#include "collector/store/kind_columns.h"

#include <cmath>

namespace flowgauge::store {

namespace {

__extension__ using Wide = __int128;  // ns times columns may pass 2^63

}  // namespace

BucketGrid::BucketGrid(Interval window, int columns)
    : m_window(window), m_buckets(static_cast<std::size_t>(std::max(0, columns))), m_busy(m_buckets.size()), m_busyUntil(window.begin)
{
    for (std::size_t column = 0; column <= m_buckets.size() && columns > 0; ++column) {
        const auto offset = static_cast<Wide>(window.length()) * static_cast<Wide>(column) / static_cast<Wide>(columns);
        m_edges.push_back(window.begin + static_cast<Nanos>(offset));
    }
}

/// What is fed comes in order, so the column asked for is mostly the last one or the next.
std::size_t BucketGrid::columnOf(Nanos time)
{
    constexpr int mostSteps = 8;
    int steps = 0;
    while (time >= edge(m_at) && m_at + 1 < m_buckets.size() && time >= edge(m_at + 1) && steps++ < mostSteps) ++m_at;
    if (time >= edge(m_at) && (time < edge(m_at + 1) || m_at + 1 == m_buckets.size())) return m_at;
    const auto after = std::upper_bound(m_edges.begin(), m_edges.end(), time);
    const auto column = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - m_edges.begin() - 1));
    return m_at = std::min(column, m_buckets.size() - 1);
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
        m_busy[column] += std::llround(static_cast<double>(inside.length()) * density);
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
