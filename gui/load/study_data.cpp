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

study::Member memberOf(const std::string& path, const Cancel& cancel)
{
    open::OpenedRun run = open::openRun(path, [&](double) { return !cancel->load(); });
    const facts::RunFacts facts = facts::factsOf(run.store, run.name);
    const diagnoses::Subject subject(facts);
    return study::memberOf(subject, diagnoses::chartsOf(facts::overTime(run.store, facts, slices)));
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
    std::map<std::string, study::Member> members;
};

StudyRuns::StudyRuns() : m_known(std::make_unique<Known>()) {}
StudyRuns::~StudyRuns() = default;

void StudyRuns::forget(const std::string& path) { m_known->members.erase(path); }

StudyAnswer StudyRuns::answer(const std::vector<std::string>& paths, const Cancel& cancel)
{
    StudyAnswer answer;
    std::vector<study::Member> members;
    for (const std::string& path : paths) {
        if (*cancel) return answer;
        try {
            auto found = m_known->members.find(path);
            if (found == m_known->members.end()) found = m_known->members.emplace(path, memberOf(path, cancel)).first;
            members.push_back(found->second);
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
