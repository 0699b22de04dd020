// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/diagnoses/feeding.h"
#include "analyzer/diagnoses/subject.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace flowgauge::diagnoses {

/// When a bucket's gradients are ready: as a share of backward, by the share of all gradient bytes up to its end.
enum class Readiness : std::uint8_t {
    Even,        ///< bytes become ready evenly
    LateLayers,  ///< most bytes are in the last layers, which backward does first (ResNet-50: two thirds after a fifth of it)
};

/// What is different in the replayed job. Each default changes nothing.
struct Change {
    double linkTimes = 1;                 ///< bytes travel so many times as fast
    double byteTimeOff = 0;               ///< the time of a byte is taken so many of its errors longer than the likeliest
    double inputStallKept = 1;            ///< share of input stall that is left
    bool onlyStallInReads = true;         ///< of the stall, only that behind read calls shrinks
    double copyKept = 1;                  ///< share of exposed copies that is left
    bool overlap = false;                 ///< a bucket's reduction begins as soon as its gradients are ready
    bool balanced = false;                ///< all ranks take the same time for what is not communication
    std::optional<std::size_t> evened{};  ///< position of one rank that takes the others' mean time
    Readiness readiness = Readiness::Even;
};

/// The dependencies of all steps: per rank what it does itself, in order, collectives that begin when the last rank has come and
/// end a transfer later, and a loader that takes the time it takes (see feeding.h). Refers to the subject.
class Replay {
public:
    explicit Replay(const Subject& subject);

    /// Time of all steps, mean over ranks, ns. 0 where there is nothing to replay.
    [[nodiscard]] double timeOf(const Change& change) const;
    /// As recorded: sum of the steps, mean over ranks, ns.
    [[nodiscard]] double recorded() const { return m_recorded; }
    [[nodiscard]] std::size_t steps() const { return m_steps; }
    [[nodiscard]] bool possible() const { return m_steps > 0 && m_recorded > 0; }
    /// Bytes per second of the fastest large collectives, as the wire sees them (busbw); 0 without any.
    [[nodiscard]] double wireBytesPerSecond() const { return m_wireBytesPerSecond; }
    /// All collectives are of one size: what of their time is latency counts as bytes.
    [[nodiscard]] bool latencyUnknown() const { return m_oneSize; }

private:
    /// A rank's part in a collective, in moments of the step.
    struct Call {
        std::size_t meeting;
        Nanos begin, end;
        Nanos transfer;    ///< from the last arrival, or from when the wire was free, to its end here
        bool afterOthers;  ///< the rank's call before had ended: calls of one thread or stream
        bool queued;       ///< all had come while the call before was still on the wire: it waited for the wire
        bool awaited;      ///< the rank stood still when it ended
    };
    struct RankStep {
        Interval window, backward;
        std::vector<Call> calls;  ///< in order of begin
        Feed feed;
    };
    struct Rank {
        const RankView* view;
        std::vector<RankStep> steps;
    };
    struct Track;
    class StepRun;
    /// [rank][position among its collectives]: position of the meeting, or none. There may be ten million.
    using CallMeetings = std::vector<std::vector<std::uint32_t>>;
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    void takeRank(const Subject& subject, std::size_t number, const CallMeetings::value_type& meetings);
    [[nodiscard]] std::vector<Track> tracksOf(std::size_t step, const Change& change) const;
    void layOut(const Rank& rank, const RankStep& step, const Change& change, Track& track) const;
    [[nodiscard]] double transferOf(const Call& call, const Change& change) const;
    void fitTransfers(const Subject& subject);
    [[nodiscard]] static Interval backwardOf(const RankView& view, const facts::IntervalSet& marked, Interval window);

    std::vector<Rank> m_ranks;
    std::vector<double> m_bytes;   ///< of each meeting
    std::vector<Nanos> m_longest;  ///< of each meeting: the longest of its ranks' transfers
    std::vector<Nanos> m_stay;     ///< of each meeting: the shortest time that a rank spent in it
    std::vector<bool> m_joins;     ///< of each meeting: every rank waits for every other
    std::size_t m_steps = 0;
    double m_recorded = 0, m_wireBytesPerSecond = 0;
    double m_nsPerByte = 0, m_nsPerByteError = 0;  ///< what a byte more takes (95 % of chance); the rest of a transfer is latency
    bool m_oneSize = false;                        ///< so that latency cannot be told from bytes
};

}  // namespace flowgauge::diagnoses
