// SPDX-License-Identifier: MIT
#include "analyzer/facts/run_facts.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace flowgauge::facts {
namespace {

/// A rank's call with where it came from, in the order of the join.
struct Call {
    const CollectiveCall* call;
    std::size_t rank;
    [[nodiscard]] auto key() const { return std::tuple(call->comm, call->sequence, call->kind); }
};

std::vector<Call> callsInOrder(const std::vector<RankFacts>& ranks)
{
    std::vector<Call> calls;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (const CollectiveCall& call : ranks[rank].collectives) calls.push_back({&call, rank});
    std::sort(calls.begin(), calls.end(), [](const Call& left, const Call& right) { return left.key() < right.key(); });
    return calls;
}

Meeting meetingOf(const Call* first, const Call* end, std::size_t ranks, const Clocks& clocks)
{
    Meeting meeting;
    meeting.calls.resize(ranks);
    if (clocks.several()) meeting.offsets.resize(ranks);
    bool any = false;
    std::set<std::size_t> hosts;
    for (const Call* at = first; at != end; ++at) {
        hosts.insert(clocks.hostOf(at->rank));
        const ClockOffset offset = clocks.at(clocks.hostOf(at->rank), at->call->when.begin);
        if (clocks.several()) meeting.offsets[at->rank] = offset.value;
        meeting.doubt = std::max(meeting.doubt, 2 * offset.error);
        meeting.calls[at->rank] = at->call;
        const Nanos arrival = at->call->when.begin + offset.value;
        if (any && arrival <= meeting.lastArrival) continue;
        any = true;
        meeting.lastArrival = arrival;
        meeting.lastRank = at->rank;
    }
    meeting.hosts = static_cast<std::int64_t>(hosts.size());
    return meeting;
}

}  // namespace

std::string_view nameOf(EpochSource source)
{
    constexpr std::string_view names[] = {"not found", "marks", "log", "file coverage", "log, in blocks", "rhythm of traffic"};
    return names[static_cast<std::size_t>(source)];
}

std::int64_t RunFacts::everyStep() const
{
    for (const LedgerRow& row : ledger)
        if (row.what == "steps" && row.state == "degraded" && row.amount > 1) return row.amount;
    return 1;
}

std::vector<int> RunFacts::rankNumbers() const
{
    std::vector<int> numbers;
    for (const RankFacts& rank : ranks) numbers.push_back(rank.rank);
    return numbers;
}

bool RunFacts::haveSteps() const
{
    return std::any_of(ranks.begin(), ranks.end(), [](const RankFacts& rank) { return !rank.steps.empty(); });
}

std::vector<Meeting> meetingsOf(const std::vector<RankFacts>& ranks, const Clocks& clocks)
{
    const std::vector<Call> calls = callsInOrder(ranks);
    std::vector<Meeting> meetings;
    for (std::size_t first = 0; first < calls.size();) {
        std::size_t end = first + 1;
        while (end < calls.size() && calls[end].key() == calls[first].key()) ++end;
        if (end - first >= 2) meetings.push_back(meetingOf(&calls[first], calls.data() + end, ranks.size(), clocks));
        first = end;
    }
    std::sort(meetings.begin(), meetings.end(),
              [](const Meeting& left, const Meeting& right) { return left.lastArrival < right.lastArrival; });
    return meetings;
}

}  // namespace flowgauge::facts
