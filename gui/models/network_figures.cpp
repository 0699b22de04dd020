// SPDX-License-Identifier: MIT
#include "gui/models/network_figures.h"

#include "analyzer/facts/wire_demand.h"
#include "analyzer/report/units.h"

#include <algorithm>

namespace flowgauge::models {

namespace {

using timeline::Chart;
using timeline::ChartShape;
using timeline::Measure;
using timeline::Tone;

using HostPart = std::vector<double> load::HostFlow::*;

/// A part of the hosts that are shown, added up.
std::vector<double> sumOf(const load::NetworkFlow& flow, std::optional<std::size_t> host, HostPart part)
{
    std::vector<double> sum;
    for (std::size_t i = 0; i < flow.hosts.size(); ++i) {
        if (host && *host != i) continue;
        const std::vector<double>& values = flow.hosts[i].*part;
        sum.resize(std::max(sum.size(), values.size()));
        for (std::size_t slice = 0; slice < values.size(); ++slice) sum[slice] += values[slice];
    }
    return sum;
}

void add(Chart& chart, const char* name, Tone tone, std::vector<double> values, bool dashed = false)
{
    if (std::any_of(values.begin(), values.end(), [](double value) { return value > 0; }))
        chart.series.push_back({name, tone, std::move(values), dashed, false});
}

void addCeiling(Chart& chart, const load::NetworkFlow& flow, std::optional<std::size_t> host)
{
    double rate = 0;
    for (std::size_t i = 0; i < flow.hosts.size(); ++i) {
        if (host && *host != i) continue;
        if (flow.hosts[i].rate <= 0) return;
        rate += flow.hosts[i].rate;
    }
    if (rate > 0) chart.ceilings.push_back({rate, host ? "link" : "links"});
}

/// How many collectives of the shown hosts are known in which way.
facts::CollectiveCounts countsOf(const load::NetworkFlow& flow, std::optional<std::size_t> host)
{
    facts::CollectiveCounts counts;
    for (std::size_t i = 0; i < flow.hosts.size(); ++i) {
        if (host && *host != i) continue;
        counts.all += flow.hosts[i].collectives.all;
        counts.counted += flow.hosts[i].collectives.counted;
        counts.told += flow.hosts[i].collectives.told;
    }
    return counts;
}

std::string noteOf(const load::NetworkFlow& flow, const facts::CollectiveCounts& counts)
{
    const bool known = std::any_of(flow.hosts.begin(), flow.hosts.end(), [](const auto& host) { return host.attributed(); });
    if (!known)
        return "all ports; not attributed: no collective leaves its host, and no mount of NFS or of a parallel file system was sampled";
    if (counts.all == 0) return "no collective leaves its host; storage as its client counted it";
    const facts::WireSource source = facts::sourceOf(counts);
    const bool ringMayDiffer = source == facts::WireSource::FlatRing && flow.hostsRingLess > 0;
    const std::string less = ringMayDiffer ? " (a ring of the hosts alone would move " + report::share(flow.hostsRingLess) + " less)" : "";
    return "gradients " + std::string(facts::wordsOf(source)) + less + "; storage as its client counted it";
}

/// Of the dashed line: what is only assumed is called so.
const char* expectedName(const facts::CollectiveCounts& counts)
{
    const facts::WireSource source = facts::sourceOf(counts);
    return source == facts::WireSource::Counted || source == facts::WireSource::Told ? "expected gradients" : "expected of one flat ring";
}

timeline::Grid gridOf(const load::RankMatrix& matrix, const std::vector<double>& values)
{
    timeline::Grid grid;
    grid.columns = grid.rows = matrix.ranks.size();
    grid.values = values;
    for (const int rank : matrix.ranks) {
        grid.rowNames.push_back("rank " + std::to_string(rank));
        grid.columnNames.push_back(std::to_string(rank));
    }
    return grid;
}

}  // namespace

Chart networkChart(const load::NetworkFlow& flow, std::optional<std::size_t> host, Direction direction,
                   std::vector<timeline::ChartBand> bands)
{
    const bool received = direction == Direction::Received;
    Chart chart;
    chart.question = received ? "What came in over the network?" : "What went out over the network?";
    const facts::CollectiveCounts counts = countsOf(flow, host);
    chart.note = noteOf(flow, counts);
    chart.empty = "No port moved anything that was sampled (/sys/class/infiniband, /proc/net/dev).";
    chart.shape = ChartShape::Stacked;
    chart.measure = Measure::BytesPerSecond;
    chart.when = flow.when;
    chart.bands = std::move(bands);
    add(chart, "gradients", Tone::HiddenCommunication,
        sumOf(flow, host, received ? &load::HostFlow::gradients : &load::HostFlow::sentGradients));
    if (received) add(chart, "storage", Tone::Storage, sumOf(flow, host, &load::HostFlow::storage));
    add(chart, "other, unexplained", Tone::Idle, sumOf(flow, host, received ? &load::HostFlow::other : &load::HostFlow::sentOther));
    add(chart, expectedName(counts), Tone::ExposedCommunication, sumOf(flow, host, &load::HostFlow::expected), true);
    if (chart.hasValues()) addCeiling(chart, flow, host);
    return chart;
}

std::vector<Column> portColumns()
{
    return {{"host", "Name of the host.", false},
            {"port", "Network interface or InfiniBand port.", false},
            {"received", "Bytes in the shown time.", true},
            {"peak in", "Over the busiest tenth of a second of the whole run.", true},
            {"sent", "Bytes in the shown time.", true},
            {"peak out", "Over the busiest tenth of a second of the whole run.", true},
            {"link", "What the port can move each way.", true}};
}

std::vector<std::vector<Cell>> portRows(const load::NetworkFlow& flow)
{
    std::vector<std::vector<Cell>> rows;
    for (const load::PortFlow& port : flow.ports)
        rows.push_back({wordCell(QString::fromStdString(port.host)), wordCell(QString::fromStdString(port.port)),
                        cellOf(port.receivedBytes, Measure::Bytes), cellOf(port.receivedPeak, Measure::BytesPerSecond),
                        cellOf(port.sentBytes, Measure::Bytes), cellOf(port.sentPeak, Measure::BytesPerSecond),
                        cellOf(port.rate > 0 ? Measured<double>(port.rate) : Measured<double>::missing("the port does not tell its rate"),
                               Measure::BytesPerSecond)});
    return rows;
}

std::vector<Column> collectiveColumns()
{
    return {{"collective", "What all ranks of a communicator did together.", false},
            {"bytes", "Of one rank's call.", true},
            {"ranks", "How many took part.", true},
            {"calls", "How often in the shown time.", true},
            {"wait", "Until the last rank came: median over calls of the mean over ranks.", true},
            {"transfer", "From the last arrival to the end: median over calls.", true},
            {"algbw", "Bytes of the whole array by the transfer's time (nccl-tests).", true},
            {"busbw", "What a rank's link had to carry (nccl-tests).", true},
            {"waited in all", "Added up over ranks and calls.", true},
            {"transferred in all", "Added up over ranks and calls.", true}};
}

std::vector<std::vector<Cell>> collectiveRows(const std::vector<facts::CollectiveFigures>& collectives)
{
    std::vector<std::vector<Cell>> rows;
    rows.reserve(collectives.size());
    for (const facts::CollectiveFigures& one : collectives)
        rows.push_back({wordCell(QString::fromUtf8(rowOf(one.kind).sqlName.data(), static_cast<qsizetype>(rowOf(one.kind).sqlName.size()))),
                        cellOf(static_cast<double>(one.bytes), Measure::Bytes), cellOf(static_cast<double>(one.ranks), Measure::Count),
                        cellOf(static_cast<double>(one.calls), Measure::Count), cellOf(static_cast<double>(one.wait), Measure::Duration),
                        cellOf(static_cast<double>(one.transfer), Measure::Duration), cellOf(one.algbw, Measure::BytesPerSecond),
                        cellOf(one.busbw, Measure::BytesPerSecond), cellOf(static_cast<double>(one.waited), Measure::Duration),
                        cellOf(static_cast<double>(one.moved), Measure::Duration)});
    return rows;
}

timeline::Grid waitGrid(const load::RankMatrix& matrix)
{
    timeline::Grid grid = gridOf(matrix, matrix.waited);
    grid.question = "Who waits for whom?";
    grid.note = "row: the rank that waits in collectives; column: the one that comes last";
    grid.empty = "No collective that at least two recorded ranks share.";
    grid.tone = Tone::ExposedCommunication;
    grid.measure = Measure::Duration;
    return grid;
}

timeline::Grid sentGrid(const load::RankMatrix& matrix)
{
    timeline::Grid grid = gridOf(matrix, matrix.sent);
    grid.question = "Who sends to whom?";
    grid.note = "bytes of point-to-point calls; row: sender, column: receiver";
    grid.empty = "No point-to-point calls.";
    grid.tone = Tone::HiddenCommunication;
    return grid;
}

}  // namespace flowgauge::models
