// SPDX-License-Identifier: MIT
#include "analyzer/report/finding_rows.h"

#include "analyzer/report/units.h"

namespace flowgauge::report {

std::vector<facts::FindingRow> findingRowsOf(const Report& report)
{
    std::vector<facts::FindingRow> rows;
    for (const findings::Finding& finding : report.findings)
        rows.push_back({finding.diagnosis, finding.title, finding.amount, finding.share(), finding.gain.value, finding.gain.error,
                        sentence(finding.verdict), finding.advice});
    return rows;
}

}  // namespace flowgauge::report
