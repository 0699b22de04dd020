// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/feeding.h"

namespace flowgauge::diagnoses {
namespace {

/// A loader that keeps up still takes a moment to hand a batch over.
constexpr double starved = 0.05;    ///< of all steps
constexpr double waitedFor = 0.02;  ///< of one
/// Whoever reads while the step computes reads so much longer than the step waits in reads.
constexpr double readsBehind = 1.5;

bool isStarved(const RankView& view)
{
    Nanos all = 0;
    Nanos stalled = 0;
    for (const Interval step : view.windows) {
        all += step.length();
        stalled += view.parts.inputStall.totalWithin(step);
    }
    const auto inReads = static_cast<double>(view.stallInReads.total());
    return static_cast<double>(stalled) >= starved * static_cast<double>(all) && all > 0 &&
           static_cast<double>(view.rank->reads.time) > readsBehind * inReads;
}

}  // namespace

std::vector<Feed> feedsOf(const RankView& view)
{
    if (!isStarved(view)) return {};
    std::vector<Feed> feeds;
    Nanos before = 0;    // time of the steps so far
    Nanos lastFed = -1;  // the same at the last feed; -1: none yet
    Nanos lastEnd = 0;
    for (const Interval step : view.windows) {
        const bool border = step.begin - lastEnd > step.length() / 2;  // between epochs a loader may begin anew
        if (border) lastFed = -1;
        Feed& feed = feeds.emplace_back();
        const facts::IntervalSet stall = view.parts.inputStall.within(step);
        if (static_cast<double>(stall.total()) >= waitedFor * static_cast<double>(step.length())) {
            feed.at = stall.extent().end;
            const Nanos fed = before + feed.at - step.begin;
            if (lastFed >= 0) feed.took = fed - lastFed;
            lastFed = fed;
        }
        before += step.length();
        lastEnd = step.end;
    }
    return feeds;
}

}  // namespace flowgauge::diagnoses
