// SPDX-License-Identifier: MIT
#include "analyzer/report/collective_rows.h"

#include "analyzer/report/units.h"

#include <algorithm>

namespace flowgauge::report {

std::vector<std::vector<std::string>> collectiveRows(const std::vector<findings::CollectiveRow>& collectives, std::size_t most)
{
    if (collectives.empty()) return {};
    const bool told = std::any_of(collectives.begin(), collectives.end(), [](const auto& row) { return !row.manner.empty(); });
    std::vector<std::vector<std::string>> rows{
        {"collective", "of each rank", "ranks", "calls", "in all", "waiting", "wait", "transfer", "algbw", "busbw"}};
    if (told) rows.back().insert(rows.back().end(), {"algorithm", "rank sends", "of the link"});
    const std::size_t shown = collectives.size() > most ? most - 1 : collectives.size();
    for (std::size_t i = 0; i < shown; ++i) {
        const findings::CollectiveRow& row = collectives[i];
        rows.push_back({row.name, asBytes(row.bytes), count(row.ranks), count(row.calls), duration(row.waited + row.moved),
                        share(row.waitShare()), duration(row.wait), duration(row.transfer), cell(row.algbw, bytesPerSecond),
                        cell(row.busbw, bytesPerSecond)});
        if (told) rows.back().insert(rows.back().end(), {row.manner.empty() ? "–" : row.manner, cell(row.wireOfRank, bytes), cell(row.linkUse, share)});
    }
    if (shown < collectives.size())
        rows.push_back({"…", plural(static_cast<std::int64_t>(collectives.size() - shown), "more size", "more sizes")});
    return rows;
}

std::string bandwidthNote(const std::vector<findings::CollectiveRow>& collectives)
{
    const auto unknown = std::find_if(collectives.begin(), collectives.end(),
                                      [](const findings::CollectiveRow& row) { return row.bytes > 0 && !row.busbw.known(); });
    return unknown == collectives.end() ? "" : "busbw not measured (" + unknown->busbw.reason() + ")";
}

}  // namespace flowgauge::report
