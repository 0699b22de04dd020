// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/link_errors.h"

#include <algorithm>
#include <array>

namespace flowgauge::diagnoses {
namespace {

struct Row {
    Counter counter;
    const char* what;
    double from;  ///< fewer are ordinary: a socket that is closed drops a few packets, a symbol error a day is in specification
};
/// Thresholds: 10 and 100 as rdma-core's error_thresholds for ibqueryerrors have them, 1 where NVSentinel calls any increment fatal; of
/// those that neither knows, ours.
constexpr std::array errorRows{
    Row{Counter::IbLinkDowned, " times the link was down", 1},
    Row{Counter::IbSymbolErrors, " symbol errors", 100},
    Row{Counter::IbRxErrors, " damaged packets", 1},
    Row{Counter::IbTxDiscards, " packets thrown away before sending", 1},
    Row{Counter::NicRxErrors, " damaged packets", 10},
    Row{Counter::NicRxDropped, " dropped packets", 1000},
    Row{Counter::IbIntegrityErrors, " bursts of damaged bits", 1},
    Row{Counter::IbOverruns, " overruns of its buffers", 1},
    Row{Counter::IbLinkRecoveries, " recoveries of the link", 10},
    Row{Counter::IbRemoteErrors, " packets that a switch had marked bad", 100},
    Row{Counter::IbSequenceNaks, " times the far side lost packets", 10},
    Row{Counter::IbAckTimeouts, " acknowledgements that did not come in time", 10},
    Row{Counter::IbRnrRetries, " requests that the far side was not ready for", 1},
    Row{Counter::IbRetransmits, " packets sent again", 1000},
    Row{Counter::NicLinkDowned, " times the link was down", 1},
    Row{Counter::NicSymbolErrors, " symbol errors", 100},
    Row{Counter::NicCrcErrors, " packets with a wrong check sum", 10},
    Row{Counter::NicPortTxDiscards, " packets thrown away before sending", 1},
    Row{Counter::NicPortRxDiscards, " packets dropped by the port, its buffers full", 1000},
    Row{Counter::NicOutOfBuffer, " packets that found no buffer of the driver", 1000},
    Row{Counter::NfsReadRetrans, " NFS reads sent again", 10},
    Row{Counter::NfsReadTimeouts, " NFS reads timed out", 1},
};

/// What counters of queue pairs tell of it; nullptr where they tell nothing.
const facts::QueuePairCount* inQueuePairs(const facts::NetworkFacts& network, const facts::Trouble& trouble)
{
    const std::optional<Counter> part = facts::partOf(trouble.counter);
    for (const facts::QueuePairPort& port : network.queuePairs)
        if (part && port.host == trouble.host && port.port == trouble.place) return port.find(*part);
    return nullptr;
}

findings::Sentence told(const facts::NetworkFacts& network, const facts::Trouble& trouble, const char* what)
{
    const auto countOf = [](double grown) { return findings::Count{static_cast<std::int64_t>(grown)}; };
    const facts::QueuePairCount* const part = inQueuePairs(network, trouble);
    if (part == nullptr) return findings::Sentence(countOf(trouble.grown), what, " at ", trouble.place, " on ", trouble.host, ".");
    return findings::Sentence(countOf(trouble.grown), what, " at ", trouble.place, " on ", trouble.host, ": ", countOf(part->ofJob()),
                              " of them in queue pairs of this job's processes, ", countOf(part->others),
                              " in others that have a counter.");
}

/// Of the bytes sent. IBM's agents for Linux warn from 3 % of segments, eG asks for less than 5 %; inside a data centre none is ordinary.
constexpr double resentFrom = 0.03;
/// What is sent at least: of few packets one more or less means nothing.
constexpr double sentFrom = 1e6;

/// What connections sent again, to hosts of the run and elsewhere.
void addConnections(const facts::NetworkFacts& network, findings::Finding& finding)
{
    for (const facts::PeerConnections& peer : network.connections) {
        if (peer.kind == facts::PeerKind::SameHost || !peer.resent.known() || peer.run.sent < sentFrom) continue;
        if (peer.resent.value() < resentFrom * peer.run.sent) continue;
        finding.details.emplace_back("TCP from ", peer.host, " to ", peer.peer, " sent ", findings::Bytes{peer.resent.value()},
                                     " again of ", findings::Bytes{peer.run.sent}, ".");
    }
}

}  // namespace

std::optional<findings::Finding> linkErrors(const Subject& subject)
{
    findings::Finding finding;
    for (const facts::Trouble& trouble : subject.run.trouble.troubles) {
        const auto row = std::find_if(errorRows.begin(), errorRows.end(), [&](const Row& one) { return one.counter == trouble.counter; });
        if (row == errorRows.end() || trouble.grown < row->from) continue;
        finding.details.push_back(told(subject.run.network, trouble, row->what));
    }
    addConnections(subject.run.network, finding);
    if (finding.details.empty()) return std::nullopt;
    // What repeats cost cannot be told from a count; at most what waits for the network, and an exposed byte may be one of those.
    finding.amount = subject.totalOf([](const RankView& view, Interval window) {
        return view.parts.exposedCommunication.totalWithin(window) + view.stallInReads.totalWithin(window);
    });
    finding.title = "Link errors";
    finding.outOf = subject.windowTotal();
    finding.outOfWhat = subject.windowName();
    finding.ranks = subject.run.rankNumbers();
    finding.where = subject.whereSteps();
    const double half = finding.share() / 2;
    finding.gain = findings::possible({half, half}, finding.share());
    finding.verdict = findings::Sentence("Network ports lost or repeated traffic during the run; at most ",
                                         findings::Share{finding.share()}, " of the time waits for the network.");
    finding.advice = "Look at the port's cable, transceiver and switch port, and at the driver's own counters (ethtool -S, perfquery).";
    return finding;
}

}  // namespace flowgauge::diagnoses
