// SPDX-License-Identifier: MIT
#include "analyzer/diagnoses/replay.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace flowgauge::diagnoses {
namespace {

using facts::CollectiveCall;
using facts::IntervalSet;

/// What a collective moves over one rank's wire for each of its bytes (nccl-tests: busbw over algbw).
double wireFactor(Kind kind, std::size_t ranks)
{
    const double n = static_cast<double>(ranks);
    return kind == Kind::Allreduce ? 2 * (n - 1) / n : kind == Kind::Barrier ? 0 : 1;
}

}  // namespace

Replay::Replay(const Subject& subject)
{
    CallMeetings meetings;
    for (const RankView& view : subject.ranks) meetings.emplace_back(view.rank->collectives.size(), none);
    for (std::size_t i = 0; i < subject.meetings.size(); ++i) {
        const CollectiveCall* any = nullptr;
        Nanos stay = facts::ClockOffset::unknown;
        for (std::size_t rank = 0; rank < subject.ranks.size(); ++rank) {
            if (subject.meetings[i].calls[rank] == nullptr) continue;
            any = subject.meetings[i].calls[rank];
            meetings[rank][static_cast<std::size_t>(any - subject.ranks[rank].rank->collectives.data())] = static_cast<std::uint32_t>(i);
            stay = std::min(stay, any->when.length());
        }
        assert(any != nullptr && "somebody is at each meeting");
        m_stay.push_back(stay);
        m_bytes.push_back(static_cast<double>(any->bytes));
        m_joins.push_back(facts::joinsAll(any->kind));  // others are replayed as the rank's own time
    }
    m_longest.resize(m_bytes.size());
    m_steps = subject.ranks.empty() ? 0 : subject.ranks.front().windows.size();
    for (const RankView& view : subject.ranks) m_steps = std::min(m_steps, view.windows.size());
    for (std::size_t i = 0; i < subject.ranks.size(); ++i) takeRank(subject, i, meetings[i]);
    fitTransfers(subject);
}

void Replay::takeRank(const Subject& subject, std::size_t number, const CallMeetings::value_type& meetings)
{
    const RankView& view = subject.ranks[number];
    Rank& rank = m_ranks.emplace_back(Rank{&view, {}});
    const auto& calls = view.rank->collectives;
    const IntervalSet backward = view.rank->phase(facts::Phase::Backward);
    const std::vector<Feed> feeds = feedsOf(view);
    std::size_t next = 0;
    for (std::size_t step = 0; step < m_steps; ++step) {
        const Interval window = view.windows[step];
        RankStep& into =
            rank.steps.emplace_back(RankStep{window, backwardOf(view, backward, window), {}, feeds.empty() ? Feed{} : feeds[step]});
        m_recorded += static_cast<double>(window.length()) / static_cast<double>(subject.ranks.size());
        Nanos before = window.begin;
        while (next < calls.size() && calls[next].when.begin < window.begin) ++next;
        for (; next < calls.size() && calls[next].when.begin < window.end; ++next) {
            const std::uint32_t meeting = meetings[next];
            const bool alone = meeting == none;
            const Interval when = calls[next].when;
            const bool joins = !alone && m_joins[meeting];
            // Clocks that do not tell when the last one came: it stayed shortest, and all leave when it is done.
            const bool doubted = joins && subject.meetings[meeting].doubt > m_stay[meeting];
            const Nanos last = !joins    ? when.begin
                               : doubted ? when.end - m_stay[meeting]
                                         : subject.meetings[meeting].lastArrivalFor(number);
            const bool stands = view.parts.exposedCommunication.totalWithin({when.end - 1, when.end}) > 0;
            const bool sameWire = !into.calls.empty() && calls[next - 1].comm == calls[next].comm;
            const bool queued = !alone && sameWire && before > last && before < when.end;
            const Nanos transfer = when.end - std::clamp(queued ? before : last, when.begin, when.end);
            into.calls.push_back({alone ? m_bytes.size() : meeting, when.begin, std::min(when.end, window.end), transfer,
                                  when.begin >= before, queued, stands});
            if (!alone) m_longest[meeting] = std::max(m_longest[meeting], transfer);
            before = std::max(before, when.end);
        }
    }
}

Interval Replay::backwardOf(const RankView& view, const IntervalSet& marked, Interval window)
{
    const IntervalSet here = marked.within(window);
    if (!here.empty()) return here.extent();
    const IntervalSet compute = view.parts.compute.within(window);  // backward is twice forward's work
    if (compute.empty()) return {};
    const Interval all = compute.extent();
    return {all.begin + all.length() / 3, all.end};
}

/// A line through (bytes, transfer) of all collectives in which everybody waits for everybody. Where they are all of one size, all of a
/// transfer is put down to its bytes.
void Replay::fitTransfers(const Subject& subject)
{
    double n = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    double yy = 0;
    std::vector<double> rates;
    for (std::size_t i = 0; i < m_bytes.size(); ++i) {
        if (!m_joins[i] || m_bytes[i] <= 0 || m_longest[i] <= 0) continue;
        const facts::Meeting& meeting = subject.meetings[i];
        std::size_t ranks = 0;
        Kind kind = Kind::None;
        for (std::size_t rank = 0; rank < meeting.calls.size(); ++rank) {
            const CollectiveCall* call = meeting.calls[rank];
            if (call == nullptr) continue;
            kind = call->kind;
            ++ranks;
        }
        const double transfer = static_cast<double>(m_longest[i]);
        n += 1;
        x += m_bytes[i];
        y += transfer;
        xx += m_bytes[i] * m_bytes[i];
        xy += m_bytes[i] * transfer;
        yy += transfer * transfer;
        rates.push_back(m_bytes[i] * wireFactor(kind, ranks) / transfer * 1e9);
    }
    if (n < 1 || x <= 0) return;
    const double spread = n * xx - x * x;
    m_oneSize = spread <= 1e-6 * n * xx;
    m_nsPerByte = m_oneSize ? y / x : std::clamp((n * xy - x * y) / spread, 0.0, y / x);
    if (n > 2) {  // of a line through (x, y), or of their ratio: 1.96 standard errors
        const double latency = m_oneSize ? 0 : (y - m_nsPerByte * x) / n;
        const double squares = yy - 2 * m_nsPerByte * xy - 2 * latency * y + m_nsPerByte * m_nsPerByte * xx +
                               2 * m_nsPerByte * latency * x + n * latency * latency;
        m_nsPerByteError = 1.96 * std::sqrt(std::max(0.0, squares) / (n - 2) / (m_oneSize ? xx : spread / n));
    }
    std::sort(rates.begin(), rates.end());
    if (!rates.empty()) m_wireBytesPerSecond = rates[rates.size() * 9 / 10];
}

}  // namespace flowgauge::diagnoses
