// SPDX-License-Identifier: MIT
#include "analyzer/study/published.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::study {
namespace {

/// Links are named by round speeds, and measured at what they reach.
constexpr double sameSpeed = 0.1;

bool isSame(double one, double other) { return std::abs(one - other) <= sameSpeed * other; }

}  // namespace

const Published::Run* Published::runOn(std::int64_t nodes) const
{
    const auto found = std::find_if(runs.begin(), runs.end(), [nodes](const Run& run) { return run.nodes == nodes; });
    return found == runs.end() ? nullptr : &*found;
}

double Published::scalingOf(const Run& run) const
{
    const Run& smallest = runs.front();
    return run.speedUp / smallest.speedUp * static_cast<double>(run.epochs) / static_cast<double>(smallest.epochs);
}

std::optional<double> Published::gainOf(std::int64_t nodes, double fromBytesPerSecond, double toBytesPerSecond) const
{
    for (const LinkGain& link : links)
        if (link.nodes == nodes && isSame(fromBytesPerSecond, link.from) && isSame(toBytesPerSecond, link.to)) return link.throughput;
    return std::nullopt;
}

}  // namespace flowgauge::study
