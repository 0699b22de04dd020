// SPDX-License-Identifier: MIT
#include "gui/models/storage_figures.h"

#include "analyzer/report/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flowgauge::models {

namespace {

using timeline::Chart;
using timeline::ChartBand;
using timeline::ChartShape;
using timeline::Measure;
using timeline::Tone;

void addPhases(const facts::RankFacts& rank, facts::Phase phase, Tone tone, std::vector<ChartBand>& bands)
{
    const facts::IntervalSet& set = rank.phase(phase);
    for (const Interval when : set.intervals()) bands.push_back({when, tone, facts::nameOf(phase)});
}

void addIfMeasured(Chart& chart, timeline::ChartSeries series)
{
    if (!series.values.empty()) chart.series.push_back(std::move(series));
}

/// Categories from the first to the last that holds a call: none missing between.
template <typename Label>
void putHistogram(Chart& chart, const char* name, const std::vector<double>& calls, Label label)
{
    std::size_t first = calls.size();
    std::size_t last = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i] <= 0) continue;
        first = std::min(first, i);
        last = i;
    }
    if (first > last) return;
    timeline::ChartSeries series{name, Tone::Storage, {}, false, false};
    for (std::size_t i = first; i <= last; ++i) {
        series.values.push_back(calls[i]);
        chart.categories.push_back(label(i));
    }
    chart.series.push_back(std::move(series));
}

void putDurations(Chart& chart, const store::Histogram& byLog2)
{
    putHistogram(chart, "calls", {byLog2.begin(), byLog2.end()},
                 [](std::size_t i) { return report::duration(i == 0 ? 0 : std::int64_t{1} << (i - 1)); });
}

std::string power(double bytes)
{
    static constexpr std::array<const char*, 5> units{" B", " KiB", " MiB", " GiB", " TiB"};
    std::size_t unit = 0;
    for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
    return report::count(std::llround(bytes)) + units[unit];
}

}  // namespace

std::vector<ChartBand> bandsOf(const facts::RunFacts& facts)
{
    std::vector<ChartBand> bands;
    for (std::size_t i = 0; i < facts.epochs.size(); ++i) {
        const facts::Epoch& epoch = facts.epochs[i];
        bands.push_back({epoch.when, Tone::None, "epoch " + std::to_string(epoch.number)});
        if (i == 0 || !epoch.gapBefore.known()) continue;
        const Nanos border = facts.epochs[i - 1].when.end;
        const Interval between{border, std::max(epoch.when.begin, border)};
        if (!between.empty()) bands.push_back({between, Tone::Gap, "gap"});
    }
    if (!facts.ranks.empty()) {
        addPhases(facts.ranks.front(), facts::Phase::Evaluation, Tone::Evaluation, bands);
        addPhases(facts.ranks.front(), facts::Phase::Checkpoint, Tone::Checkpoint, bands);
    }
    std::stable_sort(bands.begin(), bands.end(), [](const auto& left, const auto& right) { return left.when.begin < right.when.begin; });
    return bands;
}

Chart layersChart(const load::StorageFlow& flow, std::vector<ChartBand> bands)
{
    Chart chart;
    chart.question = "When did storage stop serving?";
    chart.note = "bytes a second of all hosts; asked above fetched: the page cache served the difference";
    chart.empty = "No file calls, NFS mounts or disks were recorded. Reads are recorded by default; mounts and disks by the sampler.";
    chart.measure = Measure::BytesPerSecond;
    chart.when = flow.layers.when;
    chart.bands = std::move(bands);
    addIfMeasured(chart, {"asked by the program", Tone::Storage, flow.layers.asked});
    addIfMeasured(chart, {"fetched from storage", Tone::Storage, flow.layers.fetched, false, true});
    addIfMeasured(chart, {"read from disks", Tone::Idle, flow.layers.disks, true, false});
    return chart;
}

Chart cacheChart(const load::StorageFlow& flow, std::vector<ChartBand> bands, const facts::RunFacts* facts)
{
    Chart chart;
    chart.question = "Does the data fit into memory?";
    chart.note = "page cache of all hosts that train";
    chart.empty = "The page cache was not sampled (/proc/meminfo).";
    chart.measure = Measure::Bytes;
    chart.when = flow.layers.when;
    chart.bands = std::move(bands);
    addIfMeasured(chart, {"page cache", Tone::Storage, flow.pageCache});
    if (flow.memory > 0) chart.ceilings.push_back({flow.memory, "memory"});
    std::int64_t asked = 0;
    if (facts != nullptr)
        for (const facts::Epoch& epoch : facts->epochs) asked = std::max(asked, epoch.asked.valueOr(0));
    if (asked > 0) chart.ceilings.push_back({static_cast<double>(asked), "asked in an epoch"});
    return chart;
}

Chart sizesChart(const facts::RunFacts& facts, const std::vector<int>& ranks)
{
    Chart chart;
    chart.question = "How large are the reads?";
    chart.note = "calls by bytes asked for, up to twice the label";
    chart.empty = "No read calls of data files were recorded.";
    chart.shape = ChartShape::Bars;
    chart.measure = Measure::Count;
    std::vector<double> calls(facts::ReadSums::sizeClasses);
    for (const facts::RankFacts& rank : facts.ranks) {
        if (!ranks.empty() && std::find(ranks.begin(), ranks.end(), rank.rank) == ranks.end()) continue;
        for (std::size_t i = 0; i < calls.size(); ++i) calls[i] += static_cast<double>(rank.reads.bySize[i].calls);
    }
    putHistogram(chart, "calls", calls, [](std::size_t i) { return power(std::ldexp(1.0, static_cast<int>(i))); });
    return chart;
}

Chart latencyChart(const store::Histogram& byLog2)
{
    Chart chart;
    chart.question = "How long do reads take?";
    chart.note = "calls by duration, up to twice the label; two humps: memory, and storage";
    chart.empty = "No read calls of data files were recorded.";
    chart.shape = ChartShape::Bars;
    chart.measure = Measure::Count;
    putDurations(chart, byLog2);
    return chart;
}

Chart durationsChart(const store::Histogram& byLog2, const std::string& name)
{
    Chart chart;
    chart.question = "How long does each take?";
    chart.note = name;
    chart.empty = "Click a row of the table.";
    chart.shape = ChartShape::Bars;
    chart.measure = Measure::Count;
    putDurations(chart, byLog2);
    return chart;
}

std::vector<Column> fileColumns()
{
    return {{"file", "Its path is in the tip.", false},
            {"bytes", "Read by the shown ranks.", true},
            {"calls", "Read calls.", true},
            {"times read", "Bytes by the furthest byte that was read: how often the file was read over.", true},
            {"mean call", "Time in its calls by their number.", true},
            {"longest call", "The longest of its calls.", true},
            {"time in calls", "Added up over threads.", true}};
}

std::vector<std::vector<Cell>> fileRows(const std::vector<load::FileFigures>& files, std::size_t most)
{
    std::vector<const load::FileFigures*> order;
    order.reserve(files.size());
    for (const load::FileFigures& file : files) order.push_back(&file);
    std::stable_sort(order.begin(), order.end(), [](const auto* left, const auto* right) { return left->bytes > right->bytes; });
    order.resize(std::min(order.size(), most));
    std::vector<std::vector<Cell>> rows;
    for (const load::FileFigures* file : order) {
        const QString path = QString::fromStdString(file->path);
        const Measured<double> times = file->furthest > 0
                                           ? Measured<double>(static_cast<double>(file->bytes) / static_cast<double>(file->furthest))
                                           : Measured<double>::missing("the calls do not say where they read");
        rows.push_back(
            {{path.section('/', -1), path, path},
             cellOf(static_cast<double>(file->bytes), Measure::Bytes),
             cellOf(static_cast<double>(file->calls), Measure::Count),
             cellOf(times, Measure::Ratio),
             cellOf(static_cast<double>(file->time) / static_cast<double>(std::max<std::int64_t>(file->calls, 1)), Measure::Duration),
             cellOf(static_cast<double>(file->longest), Measure::Duration),
             cellOf(static_cast<double>(file->time), Measure::Duration)});
    }
    return rows;
}

}  // namespace flowgauge::models
