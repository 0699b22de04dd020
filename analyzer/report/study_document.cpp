// SPDX-License-Identifier: MIT
#include "analyzer/report/study_document.h"

#include "analyzer/report/published.h"
#include "analyzer/report/run_charts.h"
#include "analyzer/report/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flowgauge::report {
namespace {

using study::Member;
using study::Standing;
using study::Study;
using study::Use;

std::string sizeText(const Member& member)
{
    std::string text = plural(member.nodes, "node", "nodes");
    if (member.ranks > 0) text.append(" (").append(plural(member.ranks, "rank", "ranks")).append(")");
    return text;
}

Table speedTable(const Study& study)
{
    Table table{
        "speed",
        "",
        {{"run", "size", "samples/s", "throughput", "efficiency", "time to accuracy", "speed-up", "epochs needed", "statistical eff."}},
        {},
        "",
        false};
    for (const Standing& standing : study.runs) {
        const Member& member = standing.member;
        table.rows.push_back({member.name, sizeText(member), cell(member.throughput, perSecond), cell(standing.scaling, ratio),
                              cell(standing.efficiency, share), cell(member.timeToTarget, duration), cell(standing.speedUp, ratio),
                              cell(member.epochsToTarget, count), cell(standing.statistical, share)});
    }
    if (study.runs.size() > 1)
        table.notes.push_back("Speed-up is throughput x statistical efficiency: faster machines, and more epochs for a larger batch.");
    for (const Standing& standing : study.runs) {
        const Member& member = standing.member;
        if (!member.coldFirst) continue;
        std::string note = fmt::format(
            "The first epoch of {} is slower than the later ones, evenly: {} samples/s against {}. Storage limits it with a cold cache",
            member.name, perSecond(member.firstThroughput.value()), perSecond(member.throughput.value()));
        if (member.firstDemand.known()) note += ", at about " + bytesPerSecond(member.firstDemand.value());
        table.notes.push_back(note + ".");
    }
    for (const Standing& standing : study.runs)
        if (!standing.member.timeToTarget.known()) {
            table.notes.push_back("Time to accuracy of " + standing.member.name + " not measured (" +
                                  standing.member.timeToTarget.reason() + ").");
            break;
        }
    return table;
}

Table flowTable(const Study& study)
{
    Table table{"flow", "", {{"run", "demand", "peak fetched", "peak disks", "storage quiet from", "sent by a node", "received by a node"}},
                {},     "", false};
    for (const Standing& standing : study.runs) {
        const Member& member = standing.member;
        table.rows.push_back({member.name, cell(member.demand, bytesPerSecond), cell(member.peakFetched, bytesPerSecond),
                              cell(member.peakDisk, bytesPerSecond),
                              member.quietFrom.known() ? std::string("epoch ").append(count(member.quietFrom.value())) : std::string("–"),
                              cell(member.sentPerNode, bytesPerSecond), cell(member.receivedPerNode, bytesPerSecond)});
    }
    table.notes.push_back(
        "Demand is what the programs ask for in the median epoch. Storage is quiet in the first epoch that fetches less than " +
        share(study::quietBelow) + " of the first one. Sent and received are means over the epochs.");
    return table;
}

std::string list(const std::vector<double>& values, const auto& format)
{
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + format(value);
    return text.empty() ? "–" : text;
}

std::string signedRate(double value) { return std::string(value > 0 ? "+" : "").append(bytesPerSecond(value)); }

Table growthTable(const Study& study)
{
    Table table{"growth", "Growth when nodes double", {{"what", "step by step", "overall", "amount, step by step", "overall"}}, {}, "",
                false};
    for (const study::Growth* growth : {&study.disk, &study.fetched, &study.network}) {
        if (!growth->share.known()) continue;
        table.rows.push_back({growth->what, list(growth->shares, change), cell(growth->share, change), list(growth->amounts, signedRate),
                              cell(growth->amount, signedRate)});
    }
    return table;
}

struct Loss {
    std::string name;
    Paint paint;
    std::vector<double> perRun;  ///< GPU-seconds
};

Paint paintOfUse(Use use)
{
    constexpr std::array<Paint, study::useCount> paints{Paint::Compute, Paint::Communication, Paint::Copy,   Paint::Input,
                                                        Paint::Idle,    Paint::Border,        Paint::Neutral};
    return paints[static_cast<std::size_t>(use)];
}

/// Largest first; what no run loses is left out.
std::vector<Loss> lossesOf(const Study& study)
{
    std::vector<Loss> losses;
    Loss epochs{"more epochs", Paint::Hidden, {}};
    for (const Standing& standing : study.runs) epochs.perRun.push_back(standing.lostToEpochs);
    losses.push_back(std::move(epochs));
    for (std::size_t use = 0; use < study::useCount; ++use) {
        Loss loss{std::string(study::useNames[use]), paintOfUse(static_cast<Use>(use)), {}};
        for (const Standing& standing : study.runs) loss.perRun.push_back(standing.lost[use]);
        losses.push_back(std::move(loss));
    }
    const auto largest = [](const Loss& loss) {
        double most = 0;
        for (const double value : loss.perRun) most = std::max(most, std::abs(value));
        return most;
    };
    std::erase_if(losses, [&](const Loss& loss) { return largest(loss) < 0.5; });
    std::stable_sort(losses.begin(), losses.end(), [&](const Loss& left, const Loss& right) { return largest(left) > largest(right); });
    return losses;
}

double gpuSecondsOf(const Member& member)
{
    double sum = 0;
    for (const double use : member.uses) sum += use;
    return sum;
}

Table lossTable(const Study& study, const std::vector<Loss>& losses)
{
    Table table{"losses", "GPU-seconds more than the smallest run, by cause", {{"run", "spent", "more"}}, {}, "", false};
    for (const Loss& loss : losses) table.rows.front().push_back(loss.name);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const Standing& standing = study.runs[i];
        table.rows.push_back({standing.member.name, gpuSeconds(gpuSecondsOf(standing.member)), gpuSeconds(standing.lostInAll())});
        for (const Loss& loss : losses) table.rows.back().push_back(gpuSeconds(loss.perRun[i]));
    }
    table.notes.push_back(study.byGpus
                              ? "One rank counts as one GPU. The causes add up to the difference; negative: less than in the smallest run."
                              : "How many GPUs these runs had is not known; a node counts as one.");
    return table;
}

std::vector<std::string> categoriesOf(const Study& study)
{
    std::vector<std::string> categories;
    for (const Standing& standing : study.runs) categories.push_back(plural(standing.member.nodes, "node", "nodes"));
    return categories;
}

Chart throughputChart(const Study& study)
{
    Chart chart{"throughput",
                "How does throughput grow with nodes?",
                Shape::Bars,
                Quantity::PerSecond,
                {},
                categoriesOf(study),
                {},
                {},
                {},
                "",
                "No sample counts."};
    Series measured{"samples/s", Paint::Compute, {}, false};
    Series ideal{"perfect scaling", Paint::Idle, {}, true};
    for (const Standing& standing : study.runs) {
        measured.values.push_back(standing.member.throughput.valueOr(0));
        ideal.values.push_back(study.runs.front().member.throughput.valueOr(0) * standing.size);
    }
    chart.series = {std::move(measured), std::move(ideal)};
    return chart;
}

Chart accuracyChart(const Study& study)
{
    Chart chart{"accuracy",  "How does time to accuracy shrink, and what do more epochs cost?",
                Shape::Bars, Quantity::Duration,
                {},          categoriesOf(study),
                {},          {},
                {},          "",
                ""};
    Series time{"time to accuracy", Paint::Compute, {}, false};
    Series sameEpochs{"with the epochs of the smallest run", Paint::Hidden, {}, true};
    for (const Standing& standing : study.runs) {
        const auto length = static_cast<double>(standing.member.timeToTarget.valueOr(0));
        time.values.push_back(length);
        sameEpochs.values.push_back(length * standing.statistical.valueOr(1));
    }
    chart.series = {std::move(time), std::move(sameEpochs)};
    return chart;
}

Chart lossChart(const Study& study, const std::vector<Loss>& losses)
{
    Chart chart{
        "lost", "Where did the additional GPU time go?", Shape::Stacked, Quantity::GpuSeconds, {}, categoriesOf(study), {}, {}, {}, "", ""};
    for (const Loss& loss : losses) {
        Series series{loss.name, loss.paint, loss.perRun, false};
        for (double& value : series.values) value = std::max(0.0, value);
        if (*std::max_element(series.values.begin(), series.values.end()) > 0) chart.series.push_back(std::move(series));
    }
    return chart;
}

void addOverTime(const Study& study, Section& section)
{
    for (const Standing& standing : study.runs) {
        const findings::OverTime& time = standing.member.overTime;
        if (time.asked.empty() && time.fetched.empty() && time.received.empty()) continue;
        const std::string who = plural(standing.member.nodes, "node", "nodes");
        section.blocks.push_back(Chart{fmt::format("storage-{}", standing.member.nodes),
                                       "Storage throughput, " + who,
                                       Shape::Lines,
                                       Quantity::BytesPerSecond,
                                       time.when,
                                       {},
                                       linesOfLayers(time),
                                       {},
                                       {},
                                       "",
                                       "No storage counters."});
        section.blocks.push_back(Chart{fmt::format("network-{}", standing.member.nodes),
                                       "Received and sent, " + who,
                                       Shape::Lines,
                                       Quantity::BytesPerSecond,
                                       time.when,
                                       {},
                                       linesOfPorts(time),
                                       {},
                                       {},
                                       "",
                                       "No counters of the hosts' ports."});
    }
}

std::string leadOf(const Study& study)
{
    const Standing& largest = study.runs.back();
    if (study.runs.size() < 2) return "One run alone does not scale: give runs of different sizes.";
    std::string text = fmt::format("{:.3g} times the {}: ", largest.size, study.byGpus ? "ranks" : "nodes");
    if (largest.scaling.known())
        text += fmt::format("{} the throughput ({} efficient)", ratio(largest.scaling.value()), share(largest.efficiency.value()));
    if (largest.speedUp.known())
        text += fmt::format("{}{} as fast to {}", largest.scaling.known() ? ", " : "", ratio(largest.speedUp.value()),
                            largest.member.target.known() ? share(largest.member.target.value()) + " accuracy" : "the target");
    if (!largest.scaling.known() && !largest.speedUp.known()) return "Neither throughput nor time to accuracy is known of all runs.";
    const std::vector<Loss> losses = lossesOf(study);
    if (!losses.empty() && losses.front().perRun.back() > 0)
        text += fmt::format("; of {} more than the smallest run spends, {} go to {}", gpuSeconds(largest.lostInAll()),
                            gpuSeconds(losses.front().perRun.back()), losses.front().name);
    return text + ".";
}

std::string simulationOf(const Study& study)
{
    std::string text;
    for (const Standing& standing : study.runs)
        if (!standing.member.simulated.empty()) text += (text.empty() ? "" : ", ") + standing.member.name;
    return text.empty() ? "" : text + ": written by flowgauge-simulate, nothing of it was measured";
}

}  // namespace

Document documentOf(const Study& study)
{
    const std::vector<Loss> losses = lossesOf(study);
    Document document{"Scaling study",
                      plural(static_cast<std::int64_t>(study.runs.size()), "run", "runs"),
                      "",
                      simulationOf(study),
                      leadOf(study),
                      true,
                      {}};
    document.sections.push_back({"scaling", "Speed", {speedTable(study), throughputChart(study)}});
    const bool anyTarget =
        std::any_of(study.runs.begin(), study.runs.end(), [](const Standing& standing) { return standing.member.timeToTarget.known(); });
    if (anyTarget) document.sections.back().blocks.push_back(accuracyChart(study));
    if (study.published) document.sections.push_back(publishedSection(study, *study.published));
    if (!losses.empty() && study.runs.size() > 1)
        document.sections.push_back({"loss", "Lost GPU time", {lossTable(study, losses), lossChart(study, losses)}});
    const bool anyFlow = std::any_of(study.runs.begin(), study.runs.end(), [](const Standing& standing) {
        return standing.member.demand.known() || standing.member.peakFetched.known() || standing.member.sentPerNode.known();
    });
    if (!anyFlow) return document;
    document.sections.push_back({"flows", "Storage and network", {flowTable(study)}});
    const Table growth = growthTable(study);
    if (growth.rows.size() > 1) document.sections.back().blocks.push_back(growth);
    Section over{"over-time", "Over time", {}};
    addOverTime(study, over);
    if (!over.blocks.empty()) document.sections.push_back(std::move(over));
    return document;
}

}  // namespace flowgauge::report
