// SPDX-License-Identifier: MIT
#include "gui/load/selection.h"

#include "gui/load/parallel_scan.h"
#include "gui/load/strips.h"

namespace flowgauge::load {

namespace {

std::string nameOfSum(store::RunStore& store, const timeline::NameSum& sum)
{
    if (sum.name == timeline::otherNames) return "others";
    return nameText(store, sum.kind, sum.name);
}

}  // namespace

SelectionAnswer selectionOf(store::RunStore& store, const std::vector<store::Id>& tracks, Interval selection, const Cancel& cancel)
{
    ParallelScan scan(store, {tracks, selection}, cancel, [selection](store::RunStore&) { return timeline::SelectionStats(selection); });
    const timeline::SelectionStats stats = scan.sum();
    SelectionAnswer answer{selection, {}, !*cancel};
    for (const timeline::NameSum& sum : stats.sums()) answer.sums.push_back({sum, nameOfSum(store, sum)});
    return answer;
}

}  // namespace flowgauge::load
