// SPDX-License-Identifier: MIT
#include "analyzer/report/queue_pair_rows.h"

#include "analyzer/report/units.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::report {
namespace {

std::string number(const findings::QueuePairRow& row, double counted)
{
    return row.isBytes ? bytes(counted) : count(std::llround(counted));
}

/// "9 by rank 0, 3 by rank 1": those that counted anything, most first.
std::string byRank(const findings::QueuePairRow& row)
{
    constexpr std::size_t shown = 4;
    std::vector<findings::QueuePairRow::OfRank> ranks;
    for (const findings::QueuePairRow::OfRank& one : row.ranks)
        if (one.counted > 0) ranks.push_back(one);
    std::stable_sort(ranks.begin(), ranks.end(), [](const auto& one, const auto& other) { return one.counted > other.counted; });
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, ranks.size()); ++i)
        text += (i == 0 ? "" : ", ") + number(row, ranks[i].counted) + " by rank " + std::to_string(ranks[i].rank);
    if (shown < ranks.size()) text += ", " + plural(static_cast<std::int64_t>(ranks.size() - shown), "more rank", "more ranks");
    return text;
}

}  // namespace

std::vector<std::vector<std::string>> queuePairRows(const std::vector<findings::QueuePairRow>& counts, std::size_t most)
{
    if (counts.empty()) return {};
    std::vector<std::vector<std::string>> rows{{"host", "port", "queue pairs counted", "the port", "this job", "others bound", "whose"}};
    for (std::size_t i = 0; i < std::min(most, counts.size()); ++i) {
        const findings::QueuePairRow& row = counts[i];
        const auto told = [&row](double counted) { return number(row, counted); };
        rows.push_back({row.host, row.port, row.what, cell(row.portInAll, told), told(row.job), told(row.others), byRank(row)});
    }
    if (most < counts.size())
        rows.push_back({"…", plural(static_cast<std::int64_t>(counts.size() - most), "more counter", "more counters")});
    return rows;
}

}  // namespace flowgauge::report
