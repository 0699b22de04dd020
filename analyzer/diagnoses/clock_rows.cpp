// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/clock_rows.h"

#include <algorithm>

namespace flowgauge::diagnoses {

std::vector<findings::ClockRow> clocksOf(const facts::RunFacts& run)
{
    std::vector<findings::ClockRow> rows;
    if (!run.clocks.several()) return rows;
    const Nanos middle = run.extent.begin + run.extent.length() / 2;
    for (std::size_t host = 0; host < run.clocks.hosts().size(); ++host) {
        findings::ClockRow& row = rows.emplace_back();
        row.host = run.clocks.hosts()[host];
        const facts::ClockOffset offset = run.clocks.at(host, middle);
        row.ahead = offset.known() ? Measured<Nanos>(-offset.value)
                                   : Measured<Nanos>::missing("no exchange and no collective ties it to the other hosts");
        for (const Nanos at : {run.extent.begin, middle, run.extent.end}) row.error = std::max(row.error, run.clocks.at(host, at).error);
        row.timesSet = static_cast<std::int64_t>(std::max<std::size_t>(run.clocks.stretches(host), 1)) - 1;
    }
    return rows;
}

}  // namespace flowgauge::diagnoses
