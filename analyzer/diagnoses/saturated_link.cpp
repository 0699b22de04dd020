// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/saturated_link.h"

#include <algorithm>
#include <map>

namespace flowgauge::diagnoses {

std::optional<findings::Finding> saturatedLink(const Subject& subject)
{
    findings::Finding finding;
    std::map<std::string, facts::IntervalSet> full;  // by host
    for (const facts::PortFacts& port : subject.run.network.ports) {
        if (!port.port.trains || port.full.empty()) continue;
        facts::IntervalSet& host = full[port.port.host];
        host = host.united(port.full);
        finding.details.emplace_back(port.port.name, " on ", port.port.host, " was full for ", findings::Duration{port.full.total()},
                                     "; at its peak it moved ", findings::BytesPerSecond{std::max(port.peakReceived, port.peakSent)},
                                     " of ", findings::BytesPerSecond{port.port.rate.value()}, ".");
    }
    if (full.empty()) return std::nullopt;
    finding.amount = subject.totalOf([&](const RankView& view, Interval window) {
        const auto host = full.find(view.rank->host);
        if (host == full.end()) return Nanos{0};
        const facts::IntervalSet waits = view.parts.exposedCommunication.united(view.stallInReads);
        return waits.intersected(host->second).totalWithin(window);
    });
    finding.title = "Full link";
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.where = subject.whereSteps();
    for (const RankView& view : subject.ranks) {
        const auto host = full.find(view.rank->host);
        if (host == full.end()) continue;
        finding.ranks.push_back(view.rank->rank);
        if (finding.evidence.empty())
            finding.evidence.push_back(
                {view.rank->rank, host->second.longest(1).front(), "a port of its host moves what its link carries"});
    }
    const double half = finding.share() / 2;
    finding.gain = findings::possible({half, half}, finding.share());
    finding.verdict =
        findings::Sentence("Ports moved ", findings::Share{facts::PortFacts::fullFrom}, " or more of what their links carry; for ",
                           findings::Share{finding.share()}, " of the time ranks waited for the network or for storage meanwhile.");
    finding.advice = "Spread it over more ports, reduce in 16 bits, or keep storage and gradients on links of their own.";
    return finding;
}

}  // namespace flowgauge::diagnoses
