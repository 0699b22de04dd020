// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/run_facts.h"

#include <map>
#include <string>
#include <string_view>

namespace flowgauge::facts {

/// What the ranks of one host must move to and from other hosts for the collectives that they share, bytes over time. Headers of the
/// network are not in it. Each collective moves evenly from its last arrival to the host's last end of it.
struct WireDemand {
    CounterSeries received, sent;
    CollectiveCounts collectives;
};

/// By host, in run time of that host's clock. Where a recording leaves steps out, the collectives of a written one stand for those up to
/// the next one, and move evenly until that begins. Empty where all ranks are on one host. What NCCL's proxies counted stands before a
/// formula, that of the algorithm it told before one flat ring's, which leaves every host once, whatever the number of its ranks.
[[nodiscard]] std::map<std::string, WireDemand> wireDemandOf(const RunFacts& run);

enum class WireSource : std::uint8_t { Counted, Told, Partly, FlatRing };
[[nodiscard]] WireSource sourceOf(const CollectiveCounts& counts);
/// How the bytes of collectives are known: what report and window say behind them.
[[nodiscard]] std::string_view wordsOf(WireSource source);

/// What an allreduce of all ranks moves less between the hosts, as a share, where rings within the hosts leave a ring of the hosts alone
/// between them, than in one flat ring of the ranks: (H-1)/H instead of (n-1)/n of it, each way. 0 where that is no other ring.
[[nodiscard]] double hostsRingLess(const RunFacts& run);

}  // namespace flowgauge::facts
