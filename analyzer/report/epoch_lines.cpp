// SPDX-License-Identifier: MIT
#include "analyzer/report/epoch_lines.h"

#include "analyzer/report/found_by.h"
#include "analyzer/report/units.h"

#include <algorithm>

namespace flowgauge::report {
namespace {

/// The epochs as rows; a column for evaluations only where something was read in one.
std::vector<std::vector<std::string>> epochRows(const std::vector<findings::EpochRow>& epochs)
{
    const bool evaluates = std::any_of(epochs.begin(), epochs.end(), [](const findings::EpochRow& row) { return row.evaluation > 0; });
    std::vector<std::vector<std::string>> rows{{"epoch", "time", "samples/s", "asked"}};
    if (evaluates) rows.back().emplace_back("evaluation");
    rows.back().insert(rows.back().end(), {"fetched", "from cache", "shuffle gap", "found by"});
    constexpr std::size_t shown = 12;
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (epochs.size() > shown && i == shown - 2) {
            rows.push_back({"…", count(static_cast<std::int64_t>(epochs.size() - shown + 1)) + " more"});
            i = epochs.size() - 1;
        }
        const findings::EpochRow& row = epochs[i];
        rows.push_back({std::to_string(row.number), duration(row.time), cell(row.samplesPerSecond, perSecond), cell(row.asked, asBytes)});
        if (evaluates) rows.back().push_back(asBytes(row.evaluation));
        rows.back().insert(rows.back().end(),
                           {cell(row.fetched, asBytes), cell(row.fromCache, share), cell(row.shuffleGap, duration), foundBy(row)});
    }
    return rows;
}

/// What page faults tell of files that are read without calls.
std::string touched(const std::vector<findings::EpochRow>& epochs)
{
    std::string text;
    constexpr int shown = 4;
    int known = 0;
    for (const findings::EpochRow& row : epochs) {
        if (!row.touched.known() || ++known > shown) continue;
        const findings::ByteRange range = row.touched.value();
        text += (text.empty() ? "" : "; ") + ("epoch " + std::to_string(row.number)) + ": " + asBytes(range.least) + " to " +
                asBytes(range.most);
    }
    if (text.empty()) return text;
    return "touched by page faults: " + text + (known > shown ? " and so on" : "") +
           " (each fault brings one page of 4 KiB, or 16 around it; other memory's faults are among them)";
}

std::string fileNames(const std::vector<std::string>& paths)
{
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, paths.size()); ++i)
        text += (i == 0 ? "" : ", ") + paths[i].substr(paths[i].rfind('/') == std::string::npos ? 0 : paths[i].rfind('/') + 1);
    return text + (paths.size() > shown ? " and " + count(static_cast<std::int64_t>(paths.size() - shown)) + " more" : "");
}

void epochNotes(const findings::RunSummary& summary, Page& page)
{
    const auto note = [&page](const std::string& text) { page.hanging("       ", text); };
    for (const findings::EpochRow& row : summary.epochs) {
        if (row.asked.known() && row.fetched.known()) continue;
        if (!row.asked.known()) note("asked not measured (" + row.asked.reason() + ")");
        if (!row.fetched.known()) note("fetched not measured (" + row.fetched.reason() + ")");
        break;
    }
    if (const std::string text = touched(summary.epochs); !text.empty()) note(text);
    if (!summary.mapped.paths.empty()) note("mapped: " + fileNames(summary.mapped.paths) + ", " + asBytes(summary.mapped.bytes));
    std::string elsewhere;
    for (const findings::ReadsElsewhere& reads : summary.readsElsewhere)
        elsewhere +=
            (elsewhere.empty() ? "" : ", ") + reads.place + " " + asBytes(reads.bytes) + " in " + plural(reads.calls, "call", "calls");
    if (!summary.epochs.empty() && !elsewhere.empty()) note("read besides: " + elsewhere);
}

}  // namespace

void epochs(const findings::RunSummary& summary, Page& page)
{
    if (!summary.epochs.empty()) {
        page.gap();
        for (const std::string& line : table(epochRows(summary.epochs), 0)) page.line(line);
    }
    epochNotes(summary, page);
}

}  // namespace flowgauge::report
