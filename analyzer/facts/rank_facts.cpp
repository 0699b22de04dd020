// SPDX-License-Identifier: MIT
#include "analyzer/facts/rank_facts.h"

#include <cassert>

namespace flowgauge::facts {

const IntervalSet& RankFacts::phase(Phase phase) const
{
    static const IntervalSet never;
    const auto found = phases.find(nameOf(phase));
    return found == phases.end() ? never : found->second;
}

std::int64_t RankFacts::mappedBytes() const
{
    std::int64_t sum = 0;
    for (const auto& [file, bytes] : mappedFiles) sum += bytes;
    return sum;
}

TimeParts& TimeParts::operator+=(const TimeParts& other)
{
    wall += other.wall;
    compute += other.compute;
    exposedCommunication += other.exposedCommunication;
    exposedCopy += other.exposedCopy;
    inputStall += other.inputStall;
    otherIdle += other.otherIdle;
    return *this;
}

Measured<double> overlapOf(const IntervalSet& communication, const IntervalSet& compute)
{
    const Nanos all = communication.total();
    if (all == 0) return Measured<double>::missing("no communication");
    return static_cast<double>(communication.intersected(compute).total()) / static_cast<double>(all);
}

PartSets::PartSets(const RankFacts& rank) : compute(rank.compute), exposedCommunication(rank.communication.minus(rank.compute))
{
    IntervalSet taken = compute.united(exposedCommunication);
    exposedCopy = rank.copy.minus(taken);
    taken = taken.united(exposedCopy);
    inputStall = rank.waiting.minus(taken);
}

TimeParts PartSets::within(Interval window) const
{
    TimeParts parts{.wall = window.length(),
                    .compute = compute.totalWithin(window),
                    .exposedCommunication = exposedCommunication.totalWithin(window),
                    .exposedCopy = exposedCopy.totalWithin(window),
                    .inputStall = inputStall.totalWithin(window)};
    parts.otherIdle = parts.wall - parts.compute - parts.exposedCommunication - parts.exposedCopy - parts.inputStall;
    assert(parts.otherIdle >= 0 && "the parts are disjoint and inside the window");
    return parts;
}

}  // namespace flowgauge::facts
