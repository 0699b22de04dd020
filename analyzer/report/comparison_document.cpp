// SPDX-License-Identifier: MIT
#include "analyzer/report/study_document.h"
#include "analyzer/report/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flowgauge::report {
namespace {

using study::Change;
using study::Comparison;
using study::Measure;
using study::Outcome;

std::string valueText(const Measured<double>& value, Measure measure)
{
    if (!value.known()) return "–";
    switch (measure) {
        case Measure::Time:
            return duration(std::llround(value.value()));
        case Measure::Rate:
            return perSecond(value.value());
        case Measure::Bytes:
            return bytes(value.value());
        case Measure::Share:
            return share(value.value());
    }
    return "";
}

std::string_view outcomeText(Outcome outcome)
{
    constexpr std::array<std::string_view, 5> words{"better", "WORSE", "noise", "changed", "not comparable"};
    return words[static_cast<std::size_t>(outcome)];
}

/// "+12 % (± 0.4 %)"; shares change by points.
std::string changeText(const Change& change)
{
    if (change.outcome == Outcome::Unknown || !change.before.known() || !change.after.known()) return "–";
    if (change.measure != Measure::Share && change.before.value() == 0) return change.after.value() == 0 ? "0 %" : "new";
    const std::string text = report::change(change.change);
    return change.error >= 0.0005 ? text + " (± " + share(change.error) + ")" : text;
}

std::string leadOf(const Comparison& comparison)
{
    if (comparison.changes.empty()) return "Nothing can be compared: the runs have no number in common.";
    const Change& first = comparison.changes.front();
    if (first.outcome == Outcome::Noise)
        return "No difference beyond noise: " + first.what + " " + valueText(first.before, first.measure) + " and " +
               valueText(first.after, first.measure) + ".";
    const double slower = comparison.slower();
    std::string text = comparison.after + " is " + (slower > 0 ? share(slower) + " slower" : share(-slower) + " faster") + " than " +
                       comparison.before + " (" + first.what + " " + valueText(first.before, first.measure) + " → " +
                       valueText(first.after, first.measure) + ")";
    const Change* most = nullptr;
    for (const Change& change : comparison.changes) {
        const bool isPart =
            change.measure == Measure::Time && &change != &first && change.what != "whole run" && change.what != "gap between epochs";
        if (!isPart || (change.outcome != Outcome::Better && change.outcome != Outcome::Worse)) continue;
        const auto amount = [](const Change& one) { return std::abs(one.after.value() - one.before.value()); };
        if (most == nullptr || amount(change) > amount(*most)) most = &change;
    }
    if (most != nullptr)
        text += ", mostly by " + most->what + ": " + valueText(most->before, most->measure) + " → " + valueText(most->after, most->measure);
    return text + ".";
}

void addFindings(const char* title, const std::vector<findings::Finding>& findings, Section& section)
{
    if (findings.empty()) return;
    Terms terms;
    for (const findings::Finding& finding : findings) terms.items.emplace_back(finding.title, sentence(finding.verdict));
    section.blocks.push_back(Paragraph{title});
    section.blocks.push_back(std::move(terms));
}

}  // namespace

Document documentOf(const Comparison& comparison)
{
    Document document{comparison.before + " → " + comparison.after,
                      "comparison of two runs",
                      "",
                      comparison.simulated,
                      leadOf(comparison),
                      comparison.slower() <= 0,
                      {}};
    Table table{"", "", {{"what", comparison.before, comparison.after, "change", ""}}, {}, "", false};
    for (const Change& change : comparison.changes)
        table.rows.push_back({change.what, valueText(change.before, change.measure), valueText(change.after, change.measure),
                              changeText(change), std::string(outcomeText(change.outcome))});
    table.notes.push_back("± is the 95 % interval from the spread within both runs; changes below it, or below " +
                          share(study::leastChange) + ", are noise.");
    document.sections.push_back({"changes", "What changed", {std::move(table)}});
    Section found{"found", "Findings that came or went", {}};
    addFindings("Only in the second run:", comparison.came, found);
    addFindings("Only in the first run:", comparison.went, found);
    if (!found.blocks.empty()) document.sections.push_back(std::move(found));
    return document;
}

}  // namespace flowgauge::report
