// SPDX-License-Identifier: MIT
// The steps once more, with something changed: what each rank then does when.
#include "analyzer/diagnoses/replay.h"

#include <algorithm>

namespace flowgauge::diagnoses {
namespace {

using facts::IntervalSet;

/// Share of backward after which the first `share` of the gradient bytes is ready.
double readyAfter(double share, Readiness readiness)
{
    if (readiness == Readiness::Even) return share;
    struct Knot {
        double bytes, backward;
    };
    // ResNet-50: layer4 and fc hold 67 % of the bytes and take 20 % of backward's work; with layer3 94 % and 56 %.
    constexpr Knot knots[] = {{0, 0}, {0.67, 0.20}, {0.94, 0.56}, {1, 1}};
    for (std::size_t i = 1; i < std::size(knots); ++i)
        if (share <= knots[i].bytes) {
            const double part = (share - knots[i - 1].bytes) / (knots[i].bytes - knots[i - 1].bytes);
            return knots[i - 1].backward + part * (knots[i].backward - knots[i - 1].backward);
        }
    return 1;
}

/// Sums of a set's time inside one step, up to any moment of it. Found once: a step asks for some dozens of moments.
class TimeInStep {
public:
    TimeInStep(const IntervalSet& set, Interval step) : m_set(set.within(step)) {}
    [[nodiscard]] double until(Nanos t) const
    {
        Nanos sum = 0;
        for (const Interval interval : m_set.intervals()) {
            if (interval.begin >= t) break;
            sum += std::min(interval.end, t) - interval.begin;
        }
        return static_cast<double>(sum);
    }

private:
    IntervalSet m_set;
};

}  // namespace

/// One rank in one step: moments of its own time (recorded time without waiting), and how far the replay is.
struct Replay::Track {
    struct Call {
        std::size_t meeting;
        double begin, join, transfer;
        bool afterOthers, queued;
    };
    std::vector<Call> calls;
    double length = 0;
    double fedAt = -1, load = 0;  ///< the moment at which the loader lets it go on (-1: it is not held up), and the loader's time

    double time = 0, at = 0;   ///< replayed time, and the moment of own time that it stands for
    double free = 0;           ///< when the rank's call before ended
    std::size_t joined = 0;    ///< calls whose end was waited for
    std::vector<double> ends;  ///< of the calls so far
    double fed = 0;            ///< when the loader last let it go on
    bool isFed = false;

    /// The rank takes so long for its own work.
    void stretchTo(double newLength)
    {
        const double scale = length > 0 ? newLength / length : 1;
        length = newLength;
        if (fedAt > 0) fedAt *= scale;
        for (Call& call : calls) {
            call.begin *= scale;
            call.join *= scale;
        }
    }

    /// Replayed time at which the rank comes to that moment of its own.
    double reach(double moment)
    {
        if (!isFed && fedAt >= 0 && fedAt <= moment) {
            isFed = true;
            const double ready = fed + load;
            fed = time = load > 0 ? std::max(goOn(fedAt), ready) : goOn(fedAt);
        }
        return goOn(moment);
    }

private:
    double goOn(double moment)
    {
        for (; joined < ends.size() && calls[joined].join <= moment; ++joined) {
            time += std::max(0.0, calls[joined].join - at);
            at = std::max(at, calls[joined].join);
            time = std::max(time, ends[joined]);
        }
        time += std::max(0.0, moment - at);
        at = std::max(at, moment);
        return time;
    }
};

double Replay::transferOf(const Call& call, const Change& change) const
{
    const double recorded = static_cast<double>(std::max<Nanos>(call.transfer, 0));
    if (call.meeting >= m_bytes.size()) return recorded;
    const double byteTime = std::max(0.0, m_nsPerByte + change.byteTimeOff * m_nsPerByteError);
    const double bytes = std::min(recorded, m_bytes[call.meeting] * byteTime);
    return recorded - bytes + bytes / change.linkTimes;
}

void Replay::layOut(const Rank& rank, const RankStep& step, const Change& change, Track& track) const
{
    const facts::PartSets& parts = rank.view->parts;
    const IntervalSet& shrinking = change.onlyStallInReads ? rank.view->stallInReads : parts.inputStall;
    const bool byLoader = step.feed.took > 0 && change.inputStallKept > 0;  // then the stall is as long as the loader makes it
    const TimeInStep exposed(parts.exposedCommunication, step.window), stall(byLoader ? parts.inputStall : shrinking, step.window),
        copies(parts.exposedCopy, step.window);
    const double stallOff = byLoader ? 1 : 1 - change.inputStallKept;
    const auto own = [&](Nanos t) {
        return static_cast<double>(t - step.window.begin) - exposed.until(t) - stallOff * stall.until(t) -
               (1 - change.copyKept) * copies.until(t);
    };
    if (step.feed.waited()) track.fedAt = own(step.feed.at);
    if (byLoader)
        track.load =
            static_cast<double>(step.feed.took) - (1 - change.inputStallKept) * static_cast<double>(shrinking.totalWithin(step.window));
    track.length = own(step.window.end);
    double reduced = 0;
    double all = 0;
    for (const Call& call : step.calls) all += call.meeting < m_bytes.size() && m_joins[call.meeting] ? m_bytes[call.meeting] : 0;
    const double backwardBegin = step.backward.empty() ? 0 : own(step.backward.begin);
    const double backwardEnd = step.backward.empty() ? 0 : own(step.backward.end);
    for (const Call& call : step.calls) {
        Track::Call into{call.meeting, own(call.begin), own(call.end), transferOf(call, change), call.afterOthers, call.queued};
        const bool gradients = call.meeting < m_bytes.size() && m_joins[call.meeting] && m_bytes[call.meeting] > 0;
        if (gradients) reduced += m_bytes[call.meeting];
        if (change.overlap && gradients && !step.backward.empty())
            into.begin = std::min(into.begin, backwardBegin + (backwardEnd - backwardBegin) * readyAfter(reduced / all, change.readiness));
        if (!call.awaited) {  // it ended while the rank computed: it is needed where the rank next stands still, or at the step's end
            const auto& stands = parts.exposedCommunication.intervals();
            const auto next = std::partition_point(stands.begin(), stands.end(), [&](Interval one) { return one.begin < call.end; });
            into.join = next != stands.end() && next->begin < step.window.end ? own(next->begin) : track.length;
        }
        track.calls.push_back(into);
    }
    double latest = 0;
    for (Track::Call& call : track.calls) latest = call.join = std::max(latest, call.join);
}

std::vector<Replay::Track> Replay::tracksOf(std::size_t step, const Change& change) const
{
    std::vector<Track> tracks(m_ranks.size());
    double mean = 0;
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        layOut(m_ranks[i], m_ranks[i].steps[step], change, tracks[i]);
        mean += tracks[i].length / static_cast<double>(m_ranks.size());
    }
    if (change.balanced)
        for (Track& track : tracks) track.stretchTo(mean);
    if (change.evened && tracks.size() > 1) {
        const auto ranks = static_cast<double>(tracks.size());
        Track& track = tracks[*change.evened];
        track.stretchTo((mean * ranks - track.length) / (ranks - 1));
    }
    return tracks;
}

/// All ranks through one step, each as far as it can come alone, until nobody moves.
class Replay::StepRun {
public:
    StepRun(const Replay& replay, std::vector<Track>& tracks)
        : m_replay(replay), m_tracks(tracks), m_next(tracks.size()), m_came(tracks.size())
    {
        for (const Track& track : tracks)
            for (const Track::Call& call : track.calls)
                if (joins(call)) m_meetings.push_back(call.meeting);
        std::sort(m_meetings.begin(), m_meetings.end());
        const std::vector<std::size_t> calls = m_meetings;
        m_meetings.erase(std::unique(m_meetings.begin(), m_meetings.end()), m_meetings.end());
        m_arrived.resize(m_meetings.size());
        for (const std::size_t meeting : calls) ++arrivalsOf(meeting).expected;
    }
    void run()
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < m_tracks.size(); ++rank)
                while (m_next[rank] < m_tracks[rank].calls.size() && advance(rank)) moved = true;
        }
    }

private:
    struct Arrivals {
        std::size_t expected = 0, count = 0;
        double last = 0;
    };
    [[nodiscard]] Arrivals& arrivalsOf(std::size_t meeting)
    {
        const auto at = std::lower_bound(m_meetings.begin(), m_meetings.end(), meeting);
        return m_arrived[static_cast<std::size_t>(at - m_meetings.begin())];
    }
    [[nodiscard]] bool joins(const Track::Call& call) const
    {
        return call.meeting < m_replay.m_bytes.size() && m_replay.m_joins[call.meeting];
    }

    /// Lets the rank come to its next call; false while others have to come first.
    bool advance(std::size_t rank)
    {
        Track& track = m_tracks[rank];
        const Track::Call& call = track.calls[m_next[rank]];
        const double own = track.reach(call.begin);
        const double arrival = call.afterOthers ? std::max(own, track.free) : own;
        double start = arrival;
        if (joins(call)) {
            Arrivals& all = arrivalsOf(call.meeting);
            if (!m_came[rank]) {
                m_came[rank] = true;
                ++all.count;
                all.last = std::max(all.last, arrival);
            }
            if (all.count < all.expected) return false;
            start = call.queued ? std::max(all.last, track.free) : all.last;
        }
        track.free = start + call.transfer;
        track.ends.push_back(track.free);
        m_came[rank] = false;
        ++m_next[rank];
        return true;
    }

    const Replay& m_replay;
    std::vector<Track>& m_tracks;
    std::vector<std::size_t> m_next;
    std::vector<bool> m_came;
    std::vector<std::size_t> m_meetings;  ///< of the step, in order
    std::vector<Arrivals> m_arrived;      ///< of each
};

double Replay::timeOf(const Change& change) const
{
    std::vector<double> time(m_ranks.size());
    std::vector<double> fed(m_ranks.size());
    for (std::size_t step = 0; step < m_steps; ++step) {
        std::vector<Track> tracks = tracksOf(step, change);
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            tracks[i].time = tracks[i].free = time[i];
            tracks[i].fed = fed[i];
        }
        StepRun(*this, tracks).run();
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            time[i] = tracks[i].reach(tracks[i].length);
            fed[i] = tracks[i].fed;
        }
    }
    double mean = 0;
    for (const double one : time) mean += one / static_cast<double>(std::max<std::size_t>(time.size(), 1));
    return mean;
}

}  // namespace flowgauge::diagnoses
