// SPDX-License-Identifier: MIT
#include "analyzer/report/run_charts.h"

#include "analyzer/facts/questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace flowgauge::report {
namespace {

std::vector<Band> bandsOf(const Report& report, const RunCharts& charts)
{
    std::vector<Band> bands;
    for (const findings::EpochPlace& epoch : charts.epochs) bands.push_back({"", fmt::format("epoch {}", epoch.number), epoch.when, false});
    for (std::size_t i = 0; i < report.findings.size(); ++i)
        for (std::size_t place = 0; place < report.findings[i].evidence.size(); ++place)
            bands.push_back({evidenceId(i, place), report.findings[i].title, report.findings[i].evidence[place].when, true});
    return bands;
}

}  // namespace

Paint paintOf(findings::Part part)
{
    constexpr std::array<Paint, findings::partCount> paints{Paint::Compute, Paint::Communication, Paint::Copy, Paint::Input, Paint::Idle};
    return paints[static_cast<std::size_t>(part)];
}

std::string evidenceId(std::size_t finding, std::size_t place) { return fmt::format("evidence-{}-{}", finding + 1, place + 1); }

std::vector<Series> linesOfLayers(const findings::OverTime& time)
{
    return {{"asked by the program", Paint::Neutral, time.asked, false},
            {"fetched from storage", Paint::Storage, time.fetched, false},
            {"read from disks", Paint::Input, time.disks, false}};
}

std::vector<Series> linesOfPorts(const findings::OverTime& time)
{
    return {{"received", Paint::Compute, time.received, false}, {"sent", Paint::Communication, time.sent, false}};
}

std::vector<Chart> chartsOf(const Report& report, const RunCharts& charts)
{
    namespace questions = facts::questions;
    const findings::OverTime& time = charts.overTime;
    const std::vector<Band> bands = bandsOf(report, charts);
    Chart layers{"layers",
                 "Which layer served the bytes, and when did storage stop?",
                 Shape::Lines,
                 Quantity::BytesPerSecond,
                 time.when,
                 {},
                 linesOfLayers(time),
                 bands,
                 {},
                 questions::layers,
                 "No reads and no storage counters in this run; data files that are read, NFS mounts and disks fill it."};
    Chart network{"network",
                  "What did the hosts' ports receive and send?",
                  Shape::Lines,
                  Quantity::BytesPerSecond,
                  time.when,
                  {},
                  linesOfPorts(time),
                  bands,
                  {},
                  questions::ports,
                  "No counters of network interfaces or InfiniBand ports in this run."};
    Chart steps{"steps",
                "Where did the time of a step go, as the run went on?",
                Shape::Stacked,
                Quantity::Duration,
                time.when,
                {},
                {},
                bands,
                {},
                questions::steps,
                "No steps are known; marks (flowgauge.h, import flowgauge) fill it."};
    for (std::size_t part = 0; part < findings::partCount && !time.steps.empty(); ++part) {
        Series series{std::string(findings::partNames[part]), paintOf(static_cast<findings::Part>(part)), {}, false};
        for (const findings::StepParts& slice : time.steps) series.values.push_back(slice[part]);
        if (std::any_of(series.values.begin(), series.values.end(), [](double value) { return value > 0; }))
            steps.series.push_back(std::move(series));
    }
    return {std::move(layers), std::move(network), std::move(steps)};
}

}  // namespace flowgauge::report
