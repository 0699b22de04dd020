// SPDX-License-Identifier: MIT
#include "analyzer/facts/read_sums.h"

#include <algorithm>
#include <bit>

namespace flowgauge::facts {

void ReadSums::add(Nanos duration, std::int64_t bytesOrError, std::uint64_t requested)
{
    const std::int64_t got = std::max<std::int64_t>(bytesOrError, 0);
    ++calls;
    failed += bytesOrError < 0;
    bytes += got;
    time += duration;
    longest = std::max(longest, duration);
    if (duration > cachedReadAtMost(got)) {
        ++waited;
        waitedNs += duration;
    }
    const auto bits = static_cast<std::size_t>(std::bit_width(requested));
    SizeClass& size = bySize[std::min(bits == 0 ? 0 : bits - 1, sizeClasses - 1)];
    ++size.calls;
    size.bytes += got;
    size.time += duration;
}

void ReadSums::add(const ReadSums& other)
{
    calls += other.calls;
    failed += other.failed;
    bytes += other.bytes;
    time += other.time;
    waitedNs += other.waitedNs;
    waited += other.waited;
    longest = std::max(longest, other.longest);
    for (std::size_t i = 0; i < sizeClasses; ++i) {
        bySize[i].calls += other.bySize[i].calls;
        bySize[i].bytes += other.bySize[i].bytes;
        bySize[i].time += other.bySize[i].time;
    }
}

std::int64_t ReadSums::medianRequest() const
{
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < sizeClasses; ++i) {
        seen += bySize[i].calls;
        if (seen > 0 && 2 * seen >= calls) return std::int64_t{1} << i;
    }
    return 0;
}

}  // namespace flowgauge::facts
