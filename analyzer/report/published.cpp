// SPDX-License-Identifier: MIT
#include "analyzer/report/published.h"

#include "analyzer/report/units.h"

#include <cmath>
#include <functional>

namespace flowgauge::report {
namespace {

using study::Published;
using study::Standing;
using study::Study;

Table figureTable(const Study& study, const Published& published)
{
    Table table{"published-figures",
                "",
                {{"run", "nodes", "speed-up", "published", "throughput", "published", "epochs needed", "published"}},
                {},
                "",
                false};
    for (const Standing& standing : study.runs) {
        const Published::Run* theirs = published.runOn(standing.member.nodes);
        if (theirs == nullptr) continue;
        table.rows.push_back({standing.member.name, count(standing.member.nodes), cell(standing.speedUp, ratio), ratio(theirs->speedUp),
                              cell(standing.scaling, ratio), ratio(published.scalingOf(*theirs)),
                              cell(standing.member.epochsToTarget, count), count(theirs->epochs)});
    }
    table.notes.push_back("Published by " + published.source + ". Its throughput is speed-up x epochs.");
    return table;
}

Table trendTable(const Study& study, const Published& published)
{
    Table table{"published-growth", "Growth when nodes double", {{"what", "here", "published"}}, {}, "", false};
    if (published.diskShare) table.rows.push_back({study.disk.what, cell(study.disk.share, change), change(*published.diskShare)});
    if (published.networkAmount)
        table.rows.push_back({study.network.what, cell(study.network.amount, bytesPerSecond), bytesPerSecond(*published.networkAmount)});
    return table;
}

using Trend = std::function<double(double first, double doublings)>;

/// Ours as bars; dashed beside them where the published trend would have led from the first run that has any.
Chart trendChart(Chart chart, const Study& study, Measured<double> study::Member::*value, Paint paint, const Trend& trend)
{
    Series ours{"here", paint, {}, false};
    Series theirs{"published trend", Paint::Neutral, {}, true};
    const study::Member* first = nullptr;
    for (const Standing& standing : study.runs) {
        const double amount = (standing.member.*value).valueOr(0);
        if (first == nullptr && amount > 0) first = &standing.member;
        chart.categories.push_back(plural(standing.member.nodes, "node", "nodes"));
        ours.values.push_back(amount);
        theirs.values.push_back(first == nullptr ? 0
                                                 : trend((first->*value).value(), std::log2(static_cast<double>(standing.member.nodes) /
                                                                                            static_cast<double>(first->nodes))));
    }
    if (first != nullptr) chart.series = {std::move(ours), std::move(theirs)};
    return chart;
}

Chart barsOf(std::string id, std::string question, std::string empty)
{
    return {std::move(id), std::move(question), Shape::Bars, Quantity::BytesPerSecond, {}, {}, {}, {}, {}, "", std::move(empty)};
}

}  // namespace

Section publishedSection(const Study& study, const Published& published)
{
    Section section{"published", "Beside what was published", {}};
    if (const Table figures = figureTable(study, published); figures.rows.size() > 1) section.blocks.emplace_back(figures);
    if (const Table trends = trendTable(study, published); trends.rows.size() > 1) section.blocks.emplace_back(trends);
    if (published.diskShare)
        section.blocks.emplace_back(
            trendChart(barsOf("disk-growth", "How does the disks' peak grow with nodes?", "No counters of the storage's disks."), study,
                       &study::Member::peakDisk, Paint::Input,
                       [&](double first, double doublings) { return first * std::pow(1 + *published.diskShare, doublings); }));
    if (published.networkAmount)
        section.blocks.emplace_back(
            trendChart(barsOf("network-growth", "How does what a node sends grow with nodes?", "No counters of the hosts' ports."), study,
                       &study::Member::sentPerNode, Paint::Communication,
                       [&](double first, double doublings) { return first + *published.networkAmount * doublings; }));
    return section;
}

}  // namespace flowgauge::report
