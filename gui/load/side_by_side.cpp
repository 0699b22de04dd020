// SPDX-License-Identifier: MIT
#include "gui/load/side_by_side.h"

#include "gui/load/rows.h"
#include "gui/load/strips.h"

#include <algorithm>
#include <set>

namespace flowgauge::load {

namespace {

using timeline::Row;
using timeline::RowKind;

Interval epochOf(const RunSnapshot& run, std::int64_t number)
{
    if (!run.analysis) return {};
    for (const facts::Epoch& epoch : run.analysis->facts.epochs)
        if (epoch.number == number) return epoch.when;
    return {};
}

/// What explains an epoch's length: where the time of a rank went, and what was moved meanwhile.
bool explains(const Row& row, int rank)
{
    if (row.kind == RowKind::Counter) return row.unit == timeline::Unit::BytesPerSecond;
    const bool isLane = row.kind == RowKind::Parts || row.kind == RowKind::Communication || row.label == "file reads";
    return isLane && row.rank == rank;
}

SideRun sideOf(const OpenSide& side, const SideQuestion& question)
{
    SideRun answer{side.run->name, epochOf(*side.run, question.epoch), {}, {}};
    const std::vector<int> ranks = side.run->ranks();
    if (answer.epoch.empty() || ranks.empty()) return answer;
    const std::vector<Row> all = rowsOf(*side.run);
    const auto first = std::find_if(all.begin(), all.end(), [&](const Row& row) { return row.rank == ranks.front(); });
    for (const Row& row : all)
        if (explains(row, ranks.front()) && (row.kind != RowKind::Counter || row.parent == first->parent)) answer.rows.push_back(row);
    const Nanos zero = answer.epoch.begin;
    const timeline::TimeScale scale{{zero + question.window.begin, zero + question.window.end}, question.widthPx};
    const timeline::StripFrame frame = timeline::frameFor(scale, side.run->extent);
    for (const Row& row : answer.rows) answer.strips.push_back(stripOf(*side.store, *side.run, row, frame));
    return answer;
}

}  // namespace

SideAnswer sideBySide(const std::vector<OpenSide>& runs, SideQuestion question)
{
    std::set<std::int64_t> epochs;
    for (const OpenSide& side : runs)
        if (side.run->analysis)
            for (const facts::Epoch& epoch : side.run->analysis->facts.epochs) epochs.insert(epoch.number);
    if (!epochs.contains(question.epoch) && !epochs.empty()) question.epoch = *epochs.begin();
    if (question.window.empty())
        for (const OpenSide& side : runs)
            question.window.end = std::max(question.window.end, question.window.begin + epochOf(*side.run, question.epoch).length());
    SideAnswer answer{question, {epochs.begin(), epochs.end()}, {}};
    for (const OpenSide& side : runs) answer.runs.push_back(sideOf(side, question));
    return answer;
}

}  // namespace flowgauge::load
