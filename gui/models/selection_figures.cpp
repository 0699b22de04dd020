// SPDX-License-Identifier: MIT
#include "gui/models/selection_figures.h"

#include "analyzer/report/units.h"
#include "gui/load/epochs_data.h"
#include "gui/models/measure.h"

#include <algorithm>

namespace flowgauge::models {

namespace {

using timeline::Measure;

std::vector<Cell> rowOfSum(const load::NamedSum& named, Interval selection)
{
    const timeline::NameSum& sum = named.sum;
    std::string kind(rowOf(sum.kind).sqlName);
    std::replace(kind.begin(), kind.end(), '_', ' ');
    const auto length = static_cast<double>(std::max<Nanos>(1, selection.length()));
    const auto time = [](Nanos value) { return cellOf(static_cast<double>(value), Measure::Duration); };
    const auto moved = static_cast<double>(sum.bytes);
    const Cell none{QStringLiteral("–"), 0.0};
    return {wordCell(QString::fromStdString(named.name)),
            wordCell(QString::fromStdString(kind)),
            cellOf(static_cast<double>(sum.count), Measure::Count),
            time(sum.total),
            cellOf(static_cast<double>(sum.total) / length, Measure::Share),
            time(sum.count > 0 ? sum.whole / sum.count : 0),
            time(sum.durations.percentile(0.5)),
            time(sum.durations.percentile(0.99)),
            time(sum.longest),
            sum.bytes > 0 ? cellOf(moved, Measure::Bytes) : none,
            sum.bytes > 0 ? cellOf(moved * 1e9 / length, Measure::BytesPerSecond) : none};
}

bool isAsked(const std::vector<int>& ranks, int rank)
{
    return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

QString sharesText(const facts::TimeParts& parts, Nanos communication)
{
    QStringList words;
    const auto add = [&](const char* name, Nanos part) {
        if (part > 0)
            words += name + QString::fromStdString(" " + report::share(static_cast<double>(part) / static_cast<double>(parts.wall)));
    };
    add("compute", parts.compute);
    add("exposed communication", parts.exposedCommunication);
    add("exposed copies", parts.exposedCopy);
    add("input stall", parts.inputStall);
    add("other idle", parts.otherIdle);
    QString text = words.join(", ");
    if (communication > 0) {
        const double hidden = 1 - static_cast<double>(parts.exposedCommunication) / static_cast<double>(communication);
        text += QString::fromStdString("; " + report::share(std::clamp(hidden, 0.0, 1.0)) + " of communication lies under compute");
    }
    return text;
}

}  // namespace

std::vector<Column> selectionColumns()
{
    return {{"what", "Name of the event, file or kernel", false},
            {"kind", "Kind of event", false},
            {"count", "Events that overlap the selection", true},
            {"time", "Their time within the selection, added up over threads and ranks", true},
            {"share", "Of the selection's length", true},
            {"mean", "Mean duration, as the ones after it of whole events", true},
            {"p50", "Half of them are shorter", true},
            {"p99", "99 of 100 are shorter", true},
            {"longest", "The longest one", true},
            {"bytes", "What they moved", true},
            {"rate", "These bytes by the selection's length", true}};
}

std::vector<std::vector<Cell>> selectionRows(const load::SelectionAnswer& answer)
{
    std::vector<std::vector<Cell>> rows;
    for (const load::NamedSum& sum : answer.sums) rows.push_back(rowOfSum(sum, answer.selection));
    return rows;
}

QString sharesOf(const load::Analysis& analysis, Interval selection, const std::vector<int>& ranks)
{
    facts::TimeParts sum;
    Nanos communication = 0;
    for (std::size_t i = 0; i < analysis.parts.size(); ++i) {
        const facts::RankFacts& rank = analysis.facts.ranks[i];
        if (!isAsked(ranks, rank.rank) || !rank.computeKnown.known()) continue;
        sum += load::partsWithin(analysis, i, selection);
        communication += rank.communication.totalWithin(selection);
    }
    return sum.wall > 0 ? sharesText(sum, communication) : QString();
}

}  // namespace flowgauge::models
