// SPDX-License-Identifier: MIT
#pragma once
#include "analyzer/facts/rank_facts.h"

#include <limits>
#include <string>
#include <vector>

namespace flowgauge::facts {

/// Add value to a host's time to get the first host's; the truth is no further off than error.
struct ClockOffset {
    static constexpr Nanos unknown = std::numeric_limits<Nanos>::max() / 8;
    Nanos value = 0, error = 0;
    [[nodiscard]] bool known() const { return error < unknown; }
};

/// What is assumed of the clocks. Ours do not slew (CLOCK_MONOTONIC_RAW); those of other tools' recordings may.
struct ClockRates {
    double drift = 200e-6;  ///< two crystals of 100 ppm each: the most that they can run apart
    double wander = 2e-6;   ///< how far the rate moves within a run (temperature)
    double slew = 0;        ///< 500e-6 where a clock follows NTP
};

/// A moment at which collectives bound a host's offset: lower <= offset <= upper. What has no bound is -+ unknown.
struct ClockBound {
    Nanos at = 0;
    Nanos lower = -ClockOffset::unknown, upper = ClockOffset::unknown;
};

/// A host asked another one for its time. Each one's times are its own, as recorded.
struct ClockExchange {
    std::string asking, answering;  ///< names of hosts
    Interval asked;                 ///< from before the question to behind the answer
    Interval answered;              ///< from the question's arrival to the answer's departure
};

/// One host's clock against the first host's, from bounds in order of time. Where bounds contradict each other a clock was set: the
/// stretches before and behind are found apart, and where either may hold, the offset is only known to be one of both.
class HostClock {
public:
    HostClock() = default;  ///< the first host's own: no offset, no error
    HostClock(std::vector<ClockBound> bounds, const ClockRates& rates);
    [[nodiscard]] ClockOffset at(Nanos t) const;
    [[nodiscard]] std::size_t stretches() const { return m_stretches.size(); }
    [[nodiscard]] const std::vector<ClockBound>& bounds() const { return m_bounds; }

private:
    /// Bounds [begin, end) belong to no other stretch; those between two stretches may belong to either.
    struct Stretch {
        std::size_t begin, end;
        double slowest, fastest;                                                          ///< rate at which the offset moves
        std::vector<Nanos> lowerFromLeft, upperFromLeft, lowerFromRight, upperFromRight;  ///< at bounds [begin, end)
    };
    void findStretches(const ClockRates& rates);
    void findRates(Stretch& stretch, const ClockRates& rates) const;
    void runThrough(Stretch& stretch) const;
    [[nodiscard]] ClockBound boundOf(const Stretch& stretch, Nanos t) const;

    std::vector<ClockBound> m_bounds;
    std::vector<Stretch> m_stretches;
    bool m_isReference = true;
};

/// The clocks of all hosts.
class Clocks {
public:
    Clocks() = default;
    /// Through exchanges, and through collectives that ranks of several hosts share: nobody leaves one that joins all before the last has
    /// come; of a broadcast nobody leaves before its root has come, of a reduction the root does not. Hosts that share none with a host
    /// whose clock is known stay unknown.
    explicit Clocks(const std::vector<RankFacts>& ranks, const ClockRates& rates = {}, const std::vector<ClockExchange>& exchanges = {});

    [[nodiscard]] const std::vector<std::string>& hosts() const { return m_hosts; }
    [[nodiscard]] std::size_t hostOf(std::size_t rank) const { return m_hostOfRank.empty() ? 0 : m_hostOfRank[rank]; }
    [[nodiscard]] ClockOffset at(std::size_t host, Nanos t) const { return m_clocks.empty() ? ClockOffset{} : m_clocks[host].at(t); }
    [[nodiscard]] std::size_t stretches(std::size_t host) const { return m_clocks.empty() ? 1 : m_clocks[host].stretches(); }
    [[nodiscard]] bool several() const { return m_hosts.size() > 1; }

private:
    std::vector<std::string> m_hosts;
    std::vector<std::size_t> m_hostOfRank;
    std::vector<HostClock> m_clocks;
};

}  // namespace flowgauge::facts
