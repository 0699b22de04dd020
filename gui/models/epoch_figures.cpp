// SPDX-License-Identifier: MIT
#include "gui/models/epoch_figures.h"

#include "analyzer/report/units.h"

#include <cmath>
#include <limits>

namespace flowgauge::models {

namespace {

using timeline::Chart;
using timeline::ChartShape;
using timeline::Measure;
using timeline::Tone;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <typename T>
double orNan(const Measured<T>& value)
{
    return value.known() ? static_cast<double>(value.value()) : nan;
}

Chart chartOf(const char* question, ChartShape shape, Measure measure, const Epochs& epochs)
{
    Chart chart;
    chart.question = question;
    chart.shape = shape;
    chart.measure = measure;
    for (const load::EpochFigures& epoch : epochs) chart.categories.push_back(std::to_string(epoch.row.number));
    return chart;
}

/// A series of one value an epoch; nothing where no epoch has one.
template <typename Value>
void addSeries(Chart& chart, timeline::ChartSeries series, const Epochs& epochs, Value value)
{
    bool any = false;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        series.values.push_back(value(i));
        any = any || (std::isfinite(series.values.back()) && series.values.back() != 0);
    }
    if (any) chart.series.push_back(std::move(series));
}

double meanOf(Nanos sum, const load::EpochFigures& epoch)
{
    return epoch.ranks > 0 ? static_cast<double>(sum) / static_cast<double>(epoch.ranks) : nan;
}

Measured<double> flowOf(const Flows& flows, std::size_t i, Measured<double> load::EpochFlow::*what)
{
    return i < flows.size() ? flows[i].*what : Measured<double>::missing("still being read");
}

double shareOf(Nanos part, Nanos whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : nan; }

}  // namespace

Chart epochTimes(const Epochs& epochs)
{
    Chart chart = chartOf("Where did each epoch's time go?", ChartShape::StackedBars, Measure::Duration, epochs);
    chart.note = "mean over ranks; a gap stands before its epoch";
    chart.empty =
        epochs.empty()
            ? "No epochs were found. Marks (flowgauge/mark.h), MLPerf log lines or the log of a known trainer would show them; else each "
              "sample has to be read once an epoch."
            : "What the ranks did in these epochs was not recorded.";
    const auto part = [&](Nanos facts::TimeParts::*what) {
        return [&, what](std::size_t i) { return meanOf(epochs[i].parts.*what, epochs[i]); };
    };
    addSeries(chart, {"compute", Tone::Compute}, epochs, part(&facts::TimeParts::compute));
    addSeries(chart, {"exposed communication", Tone::ExposedCommunication}, epochs, part(&facts::TimeParts::exposedCommunication));
    addSeries(chart, {"exposed copy", Tone::Copy}, epochs, part(&facts::TimeParts::exposedCopy));
    addSeries(chart, {"input stall", Tone::InputStall}, epochs, part(&facts::TimeParts::inputStall));
    addSeries(chart, {"other idle", Tone::Idle}, epochs, part(&facts::TimeParts::otherIdle));
    addSeries(chart, {"steps not written", Tone::Unwritten}, epochs, [&](std::size_t i) { return meanOf(epochs[i].unwritten, epochs[i]); });
    addSeries(chart, {"shuffle gap", Tone::Gap}, epochs, [&](std::size_t i) { return orNan(epochs[i].row.shuffleGap); });
    return chart;
}

Chart epochRates(const Epochs& epochs)
{
    Chart chart = chartOf("How fast was each epoch?", ChartShape::Bars, Measure::PerSecond, epochs);
    chart.empty = "No sample counts. The samples of an epoch's mark or a trainer's log would fill this.";
    addSeries(chart, {"samples/s", Tone::Compute}, epochs, [&](std::size_t i) { return orNan(epochs[i].row.samplesPerSecond); });
    return chart;
}

Chart epochBytes(const Epochs& epochs, const Flows& flows)
{
    Chart chart = chartOf("Which layer moved the bytes?", ChartShape::Bars, Measure::Bytes, epochs);
    chart.note = "asked and fetched: of the shown ranks; received and disks: whatever the machines moved meanwhile";
    chart.empty = "No reads, ports or disks were recorded.";
    addSeries(chart, {"asked by the program", Tone::Storage}, epochs, [&](std::size_t i) { return orNan(epochs[i].row.asked); });
    addSeries(chart, {"fetched from storage", Tone::Storage, {}, false, true}, epochs,
              [&](std::size_t i) { return orNan(epochs[i].row.fetched); });
    addSeries(chart, {"received by ports", Tone::HiddenCommunication}, epochs,
              [&](std::size_t i) { return orNan(flowOf(flows, i, &load::EpochFlow::received)); });
    addSeries(chart, {"read from disks", Tone::Idle}, epochs,
              [&](std::size_t i) { return orNan(flowOf(flows, i, &load::EpochFlow::disks)); });
    return chart;
}

Chart epochCaches(const Epochs& epochs, const Flows& flows)
{
    Chart chart = chartOf("How much came from the caches?", ChartShape::Lines, Measure::Share, epochs);
    chart.note = "client: asked but not fetched; storage: fetched but not read from its disks";
    chart.empty = "Neither asked and fetched bytes nor the storage's disks were recorded.";
    timeline::ChartSeries client{"page cache of the clients", Tone::Storage, {}, false, false};
    timeline::ChartSeries storage{"cache of the storage", Tone::Storage, {}, true, true};
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        client.values.push_back(orNan(epochs[i].row.fromCache));
        storage.values.push_back(orNan(flowOf(flows, i, &load::EpochFlow::fromStorageCache)));
    }
    for (timeline::ChartSeries* series : {&client, &storage}) {
        Chart alone;
        alone.series.push_back(*series);
        if (alone.hasValues()) chart.series.push_back(std::move(*series));
    }
    return chart;
}

std::vector<Column> epochColumns()
{
    return {{"epoch", "As the job numbers it.", true},
            {"time", "From the first rank's begin to the last one's end.", true},
            {"samples/s", "Samples by time.", true},
            {"compute", "Share of the shown ranks' time.", true},
            {"exposed comm.", "Communication that no compute hides, share of time.", true},
            {"exposed copy", "Copies that neither compute nor communication hides, share of time.", true},
            {"input stall", "Waiting for data, share of time.", true},
            {"other idle", "The rest, share of time.", true},
            {"asked", "Bytes of read calls of data files.", true},
            {"fetched", "Bytes that came from storage.", true},
            {"received", "Bytes that all hosts' ports received meanwhile.", true},
            {"disks", "Bytes read from disks meanwhile.", true},
            {"from cache", "Asked, but not fetched.", true},
            {"storage cache", "Fetched, but not read from the storage's disks.", true},
            {"shuffle gap", "Between the last collective of the epoch before and the first of this one.", true},
            {"found by", "How the epoch was recognised.", false}};
}

std::vector<std::vector<Cell>> epochRows(const Epochs& epochs, const Flows& flows)
{
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        const facts::TimeParts& parts = epochs[i].parts;
        const findings::EpochRow& row = epochs[i].row;
        std::vector<Cell> cells{cellOf(static_cast<double>(row.number), Measure::Count),
                                cellOf(static_cast<double>(row.time), Measure::Duration), cellOf(row.samplesPerSecond, Measure::PerSecond)};
        for (const Nanos part : {parts.compute, parts.exposedCommunication, parts.exposedCopy, parts.inputStall, parts.otherIdle})
            cells.push_back(cellOf(shareOf(part, parts.wall), Measure::Share));
        cells.push_back(cellOf(row.asked, Measure::Bytes));
        cells.push_back(cellOf(row.fetched, Measure::Bytes));
        cells.push_back(cellOf(flowOf(flows, i, &load::EpochFlow::received), Measure::Bytes));
        cells.push_back(cellOf(flowOf(flows, i, &load::EpochFlow::disks), Measure::Bytes));
        cells.push_back(cellOf(row.fromCache, Measure::Share));
        cells.push_back(cellOf(flowOf(flows, i, &load::EpochFlow::fromStorageCache), Measure::Share));
        cells.push_back(cellOf(row.shuffleGap, Measure::Duration));
        cells.push_back(wordCell(QString::fromStdString(row.foundBy)));
        rows.push_back(std::move(cells));
    }
    return rows;
}

QString coldSentence(const Epochs& epochs)
{
    const auto cold = load::coldAgainstWarm(epochs);
    if (!cold) return {};
    const auto bytes = [](const Measured<std::int64_t>& value) {
        return value.known() ? report::bytes(static_cast<double>(value.value())) : std::string("an unknown amount");
    };
    const Nanos difference = std::abs(cold->first - cold->later);
    std::string text = "Cold against warm: the first epoch took " + report::duration(cold->first) + " and fetched " +
                       bytes(cold->firstFetched) + "; the later ones took " + report::duration(cold->later) + " and fetched " +
                       bytes(cold->laterFetched) + " (medians). ";
    text += difference * 50 < cold->later ? "That is the same within 2 %."
            : cold->first > cold->later   ? "The cold one cost " + report::duration(difference) + " more."
                                        : "The cold one was " + report::duration(difference) + " faster: storage was not what limited it.";
    return QString::fromStdString(text);
}

}  // namespace flowgauge::models
