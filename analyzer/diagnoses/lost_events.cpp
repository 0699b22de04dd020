// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/lost_events.h"

namespace flowgauge::diagnoses {
namespace {

/// Below one in a hundred, sums and shares are right to the digits that are shown.
constexpr double mattersFrom = 0.01;

}  // namespace

std::optional<findings::Finding> lostEvents(const Subject& subject)
{
    const facts::OwnCost& cost = subject.run.cost;
    if (cost.lost <= 0) return std::nullopt;
    const double share = static_cast<double>(cost.lost) / static_cast<double>(cost.lost + cost.events);
    findings::Finding finding;
    finding.title = "Lost events";
    finding.amount = cost.lost;
    finding.outOf = cost.lost + cost.events;
    finding.outOfWhat = "all events";
    finding.ranks = subject.run.rankNumbers();
    finding.heads = share >= mattersFrom;
    using findings::Count;
    finding.verdict = findings::Sentence(Count{cost.lost}, " of ", Count{cost.lost + cost.events}, " events were lost (",
                                         findings::Share{share}, "): sums below are too small by as much.");
    for (const facts::LedgerRow& row : subject.run.ledger)
        if (row.state == "dropped" && row.amount > 0)
            finding.details.emplace_back(row.what, ": ", Count{row.amount}, row.reason.empty() ? "" : " (" + row.reason + ")");
    finding.advice = "Raise --max-size or FLOWGAUGE_RING, give the spool a larger disk (--spool), or record fewer kinds (--kinds).";
    return finding;
}

}  // namespace flowgauge::diagnoses
