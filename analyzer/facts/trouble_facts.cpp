// SPDX-License-Identifier: MIT
#include "analyzer/facts/trouble_facts.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/host_names.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::facts {
namespace {

const std::vector<Counter> errors{
    Counter::NicRxDropped,        Counter::NicRxErrors,        Counter::IbTxWait,          Counter::IbSymbolErrors,
    Counter::IbLinkDowned,        Counter::IbRxErrors,         Counter::IbTxDiscards,      Counter::NfsReadRetrans,
    Counter::NfsReadTimeouts,     Counter::IbIntegrityErrors,  Counter::IbOverruns,        Counter::IbLinkRecoveries,
    Counter::IbRemoteErrors,      Counter::IbSequenceNaks,     Counter::IbAckTimeouts,     Counter::IbRnrRetries,
    Counter::IbRetransmits,       Counter::IbCnpHandled,       Counter::NicRxPauses,       Counter::NicTxPauses,
    Counter::NicRxPausedUs,       Counter::NicTxPausedUs,      Counter::NicPortRxDiscards, Counter::NicPortTxDiscards,
    Counter::NicOutOfBuffer,      Counter::NicCrcErrors,       Counter::NicSymbolErrors,   Counter::NicLinkDowned,
    Counter::NicPciStallsReading, Counter::NicPciStallsWriting};

}  // namespace

TroubleFacts troublesOf(store::RunStore& store)
{
    TroubleFacts facts;
    const auto hosts = store.hosts();
    for (const PlacedSeries& placed : readCounters(store, errors)) {
        facts.linksSampled = true;
        const double grown = placed.series.grown();
        if (grown > 0)
            facts.troubles.push_back(
                {nameOfHost(hosts, placed.place.host), store.nameText(placed.place.source), *placed.place.counter, grown});
    }
    facts.memoryBytes = Measured<std::int64_t>::missing("memory was not sampled");
    for (const PlacedSeries& placed : readCounters(store, {Counter::MemoryTotal})) {
        const std::int64_t bytes = std::llround(placed.series.last());
        facts.memoryBytes = std::min(facts.memoryBytes.valueOr(bytes), bytes);
    }
    return facts;
}

}  // namespace flowgauge::facts
