// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/storage_outage.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace flowgauge::diagnoses {
namespace {

constexpr std::size_t toldOutages = 4;

using OutagesByHost = std::map<std::string, facts::IntervalSet>;

OutagesByHost outagesByHost(const std::vector<facts::Outage>& outages)
{
    OutagesByHost hosts;
    for (const facts::Outage& outage : outages) {
        facts::IntervalSet& host = hosts[outage.host];
        host = host.united(facts::IntervalSet::of({outage.when}));
    }
    return hosts;
}

void describeOutage(const facts::Outage& outage, findings::Finding& finding)
{
    finding.details.emplace_back(outage.server, " did not answer ", outage.host, " at ", findings::When{outage.when},
                                 ": no reply came, and requests that were answered then had waited ", findings::Duration{outage.waited},
                                 " together; the client connected anew ", findings::Count{std::llround(outage.connects)},
                                 " times and sent again or gave up waiting ", findings::Count{std::llround(outage.retransmits)}, " times.");
}

}  // namespace

/// What computing hides of an outage is no loss.
std::optional<findings::Finding> storageOutage(const Subject& subject)
{
    const std::vector<facts::Outage>& outages = subject.run.storage.outages;
    if (outages.empty()) return std::nullopt;
    const OutagesByHost hosts = outagesByHost(outages);
    findings::Finding finding;
    finding.title = "Storage outage";
    finding.amount = subject.totalOf([&](const RankView& view, Interval window) {
        const auto host = hosts.find(view.rank->host);
        return host == hosts.end() ? Nanos{0} : host->second.minus(view.parts.compute).totalWithin(window);
    });
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    for (const RankView& view : subject.ranks) {
        const auto host = hosts.find(view.rank->host);
        if (host == hosts.end()) continue;
        finding.ranks.push_back(view.rank->rank);
        if (finding.evidence.empty())
            finding.evidence.push_back({view.rank->rank, host->second.longest(1).front(), "requests wait and no reply comes"});
    }
    finding.gain = findings::possible({finding.share(), 0}, finding.share());
    const Interval first = outages.front().when;
    const bool again = std::any_of(outages.begin(), outages.end(), [&](const facts::Outage& one) { return one.when.begin >= first.end; });
    finding.verdict =
        findings::Sentence("Storage did not answer for ", findings::Duration{first.length()}, " (", findings::When{first}, ")",
                           again ? " and again later" : "", "; without that ", finding.gain, " of ", finding.outOfWhat, " would be saved.");
    for (std::size_t i = 0; i < std::min(outages.size(), toldOutages); ++i) describeOutage(outages[i], finding);
    finding.advice = "Look at the server and the network between at that time: a restart, a failover, a full queue, a pulled cable.";
    return finding;
}

}  // namespace flowgauge::diagnoses
