// SPDX-License-Identifier: MIT
#include "analyzer/report/clock_text.h"

#include "analyzer/report/units.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace flowgauge::report {
namespace {

std::string standingOf(const findings::ClockRow& row)
{
    if (!row.ahead.known()) return row.host + " not measured (" + row.ahead.reason() + ")";
    const Nanos ahead = row.ahead.value();
    std::string text = row.host + " " + duration(std::abs(ahead)) + (ahead < 0 ? " behind" : " ahead") + " (± " + duration(row.error) + ")";
    if (row.timesSet > 0) text += ", set " + plural(row.timesSet, "time", "times") + " meanwhile";
    return text;
}

}  // namespace

std::string clockText(const std::vector<findings::ClockRow>& clocks)
{
    constexpr std::size_t shown = 4;
    if (clocks.size() < 2) return "";
    std::vector<findings::ClockRow> others(clocks.begin() + 1, clocks.end());
    const auto doubtOf = [](const findings::ClockRow& row) { return row.ahead.known() ? row.error : std::numeric_limits<Nanos>::max(); };
    std::stable_sort(others.begin(), others.end(), [&](const auto& left, const auto& right) { return doubtOf(left) > doubtOf(right); });
    std::string text = "Against " + clocks.front().host + ": ";
    for (std::size_t i = 0; i < std::min(shown, others.size()); ++i) text += (i == 0 ? "" : "; ") + standingOf(others[i]);
    if (others.size() > shown) text += "; " + count(static_cast<std::int64_t>(others.size() - shown)) + " more are known better";
    return text +
           ". Times between hosts are corrected by that; who came later is not told where less lies between than both are uncertain.";
}

}  // namespace flowgauge::report
