// SPDX-License-Identifier: MIT
#include "gui/load/study_data.h"

#include "analyzer/diagnoses/charts.h"
#include "analyzer/facts/run.h"
#include "analyzer/open/open_run.h"
#include "analyzer/report/study_document.h"
#include "analyzer/study/study.h"

#include <limits>
#include <map>

namespace flowgauge::load {

namespace {

constexpr std::size_t slices = 480;  // as `flowgauge study`: peaks depend on it

struct StudiedRun {
    store::RunStore store;
    RunPtr run;
    study::Member member;
};

StudiedRun read(const std::string& path, const Cancel& cancel)
{
    open::OpenedRun opened = open::openRun(path, [&](double) { return !cancel->load(); });
    auto run = std::make_shared<RunSnapshot>(snapshotOf(opened.store));
    run->path = path;
    run->database = opened.database;
    run->name = opened.name;
    auto analysis = std::make_shared<Analysis>();
    analysis->facts = facts::factsOf(opened.store, run->name);
    const diagnoses::Subject subject(analysis->facts);
    for (const diagnoses::RankView& view : subject.ranks) analysis->parts.push_back(view.parts);
    study::Member member = study::memberOf(subject, diagnoses::chartsOf(facts::overTime(opened.store, analysis->facts, slices)));
    run->analysis = std::move(analysis);
    return {std::move(opened.store), std::move(run), std::move(member)};
}

report::Chart efficiencyOf(const study::Study& study)
{
    report::Chart chart;
    chart.id = "efficiency";
    chart.question = "How much of the added machines is used?";
    chart.shape = report::Shape::Bars;
    chart.quantity = report::Quantity::Share;
    chart.empty = "Efficiency needs the throughput of at least two runs.";
    chart.rules.push_back({1.0, "perfect"});
    report::Series machine{"efficiency", report::Paint::Compute, {}, false};
    report::Series statistical{"statistical efficiency", report::Paint::Hidden, {}, false};
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    bool anyStatistical = false;
    for (const study::Standing& standing : study.runs) {
        chart.categories.push_back(standing.member.name);
        machine.values.push_back(standing.efficiency.valueOr(nothing));
        statistical.values.push_back(standing.statistical.valueOr(nothing));
        anyStatistical = anyStatistical || standing.statistical.known();
    }
    if (study.runs.size() > 1) chart.series.push_back(std::move(machine));
    if (study.runs.size() > 1 && anyStatistical) chart.series.push_back(std::move(statistical));
    return chart;
}

}  // namespace

struct StudyRuns::Known {
    std::map<std::string, StudiedRun> runs;
};

StudyRuns::StudyRuns() : m_known(std::make_unique<Known>()) {}
StudyRuns::~StudyRuns() = default;

SideAnswer StudyRuns::sides(const std::vector<std::string>& paths, const SideQuestion& question)
{
    std::vector<OpenSide> open;
    for (const std::string& path : paths)
        if (const auto found = m_known->runs.find(path); found != m_known->runs.end())
            open.push_back({&found->second.store, found->second.run});
    return sideBySide(open, question);
}

StudyAnswer StudyRuns::answer(const std::vector<std::string>& paths, const Cancel& cancel)
{
    StudyAnswer answer;
    std::vector<study::Member> members;
    for (const std::string& path : paths) {
        if (*cancel) return answer;
        try {
            auto found = m_known->runs.find(path);
            if (found == m_known->runs.end()) found = m_known->runs.emplace(path, read(path, cancel)).first;
            members.push_back(found->second.member);
        } catch (const std::exception& error) {
            answer.failures.emplace_back(error.what());
        }
    }
    answer.runs = members.size();
    if (members.empty()) return answer;
    const study::Study study = study::studyOf(std::move(members));
    answer.document = report::documentOf(study);
    answer.efficiency = efficiencyOf(study);
    return answer;
}

}  // namespace flowgauge::load
