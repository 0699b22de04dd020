// SPDX-License-Identifier: MIT
#include "analyzer/facts/run_facts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace flowgauge::facts {
namespace {

constexpr Nanos us = 1'000;
constexpr Nanos ms = 1'000'000;
constexpr Nanos s = 1'000'000'000;

/// A job of some hosts, one rank each, that meets `perSecond` times a second. Each host's clock is off by what its function says of the
/// true time; the first one's is right.
struct Job {
    std::vector<std::function<double(double)>> clocks;  ///< ns that the host's clock is ahead, by true time in ns
    double seconds = 60;
    double perSecond = 67;
    Kind kind = Kind::Allreduce;
    std::vector<Nanos> laterExit;  ///< by host: it leaves so much later than it could
    std::size_t mostMeetings = 1'000'000;
    bool rootTurns = false;  ///< the root of a broadcast is another one each time

    std::vector<RankFacts> ranks;

    void run(unsigned seed)
    {
        std::mt19937 random(seed);
        std::exponential_distribution<double> skew(1.0 / (2.0 * ms));
        std::uniform_real_distribution<double> jitter(0, 8.0 * us);
        ranks.resize(clocks.size());
        for (std::size_t host = 0; host < clocks.size(); ++host) {
            ranks[host].rank = static_cast<int>(host);
            ranks[host].host = "node-" + std::to_string(host);
            ranks[host].rankIn[1] = static_cast<std::int64_t>(host);
        }
        std::uint64_t sequence = 0;
        for (double t = 0.1 * s; t < seconds * s && sequence < mostMeetings; t += s / perSecond, ++sequence) {
            std::vector<double> arrivals;
            double last = 0;
            for (std::size_t host = 0; host < clocks.size(); ++host) {
                arrivals.push_back(t + skew(random));
                last = std::max(last, arrivals.back());
            }
            const std::size_t root = rootTurns ? sequence % clocks.size() : 0;
            for (std::size_t host = 0; host < clocks.size(); ++host) {
                const double free = kind == Kind::Broadcast ? std::max(arrivals[host], arrivals[root]) : last;
                const double end = free + 20.0 * us + jitter(random) + (laterExit.empty() ? 0.0 : static_cast<double>(laterExit[host]));
                const auto shown = [&](double at) { return static_cast<Nanos>(std::llround(at + clocks[host](at))); };
                ranks[host].collectives.push_back({1,
                                                   sequence,
                                                   {shown(arrivals[host]), shown(end)},
                                                   1000,
                                                   kind,
                                                   kind == Kind::Broadcast ? static_cast<std::int32_t>(root) : -1});
            }
        }
    }

    /// At every call of every host: the true correction, what was found, and whether it lies inside the bounds.
    struct Judged {
        std::size_t asked = 0, inside = 0, known = 0;
        Nanos worstError = 0;
    };
    [[nodiscard]] Judged judged(const Clocks& found) const
    {
        Judged result;
        for (std::size_t host = 0; host < clocks.size(); ++host)
            for (const CollectiveCall& call : ranks[host].collectives) {
                const double at = static_cast<double>(call.when.begin);
                double real = at;  // the true time of a shown one: few rounds suffice, clocks are nearly right
                for (int i = 0; i < 5; ++i) real = at - clocks[host](real);
                const ClockOffset offset = found.at(host, call.when.begin);
                ++result.asked;
                if (!offset.known()) continue;
                ++result.known;
                result.inside += std::abs(static_cast<double>(offset.value) - (real - at)) <= static_cast<double>(offset.error);
                result.worstError = std::max(result.worstError, offset.error);
            }
        return result;
    }
};

std::function<double(double)> line(Nanos offset, double ppm)
{
    return [=](double t) { return static_cast<double>(offset) + t * ppm * 1e-6; };
}

void expectAllInside(const Job& job, const Clocks& clocks, const char* what)
{
    const Job::Judged judged = job.judged(clocks);
    EXPECT_EQ(judged.inside, judged.asked) << what;
    EXPECT_GT(judged.asked, 0U);
}

TEST(Clocks, OffsetsAndDriftsAreInsideTheirBounds)
{
    for (unsigned seed = 1; seed <= 10; ++seed) {
        Job job;
        job.clocks = {line(0, 0)};
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> offset(-5.0 * ms, 5.0 * ms);
        std::uniform_real_distribution<double> drift(-20, 20);
        for (int host = 1; host < 4; ++host) job.clocks.push_back(line(static_cast<Nanos>(offset(random)), drift(random)));
        job.seconds = 30;
        job.run(seed);
        const Clocks clocks(job.ranks);
        expectAllInside(job, clocks, "offset and drift");
        EXPECT_LT(job.judged(clocks).worstError, 400 * us) << "arrivals scatter by 2 ms, and yet it is known ten times better";
    }
}

TEST(Clocks, AClockThatIsSetIsFoundOnBothSidesAndDoubtedBetween)
{
    for (unsigned seed = 1; seed <= 5; ++seed) {
        Job job;
        const double when = 20.0 * s;
        job.clocks = {line(0, 0), [=](double t) { return 2.0 * ms + t * 5e-6 + (t > when ? 3.0 * s : 0); },
                      [=](double t) { return t > when ? -30.0 * ms : 0.0; }};
        job.seconds = 40;
        job.run(seed);
        const Clocks clocks(job.ranks);
        EXPECT_EQ(clocks.stretches(1), 2U);
        EXPECT_GE(clocks.stretches(2), 2U) << "set back, its times come twice, and there either may hold";
        const Job::Judged judged = job.judged(clocks);
        // A call that the step itself falls into begins by one clock and ends by the other: it belongs to no stretch.
        EXPECT_GE(judged.inside + 2 * job.clocks.size(), judged.asked);
    }
}

TEST(Clocks, AClockThatFollowsNtpIsInsideWhenThatIsKnown)
{
    Job job;
    const auto slewed = [](double t) { return t < 10.0 * s ? 0.0 : t < 12.0 * s ? (t - 10.0 * s) * 500e-6 : 1.0 * ms; };
    job.clocks = {line(0, 0), slewed};
    job.seconds = 30;
    job.run(7);
    ClockRates rates;
    rates.slew = 500e-6;
    expectAllInside(job, Clocks(job.ranks, rates), "slew");
}

TEST(Clocks, LaterExitsOfOneSideStayInsideTheBounds)
{
    Job job;
    job.clocks = {line(0, 0), line(1 * ms, 10), line(-3 * ms, -15)};
    job.laterExit = {0, 15 * us, 300 * us};
    job.run(3);
    expectAllInside(job, Clocks(job.ranks), "asymmetric exits");
}

TEST(Clocks, BroadcastsOfOneRootBoundOneSideOnlyAndThenNothingIsClaimed)
{
    Job job;
    job.clocks = {line(0, 0), line(4 * ms, 0)};
    job.kind = Kind::Broadcast;
    job.seconds = 5;
    job.run(1);
    const Job::Judged one = job.judged(Clocks(job.ranks));
    EXPECT_EQ(one.known, one.asked / 2) << "the first host's own clock alone";
    EXPECT_EQ(one.inside, one.known);
    Job turning = job;
    turning.ranks.clear();
    turning.rootTurns = true;
    turning.run(1);
    const Job::Judged both = turning.judged(Clocks(turning.ranks));
    EXPECT_EQ(both.known, both.asked) << "roots on both sides bound both sides";
    EXPECT_EQ(both.inside, both.asked);
}

TEST(Clocks, ASingleCollectiveBoundsTheOffsetByWhatItLasts)
{
    Job job;
    job.clocks = {line(0, 0), line(-5 * ms, 20)};
    job.mostMeetings = 1;
    job.run(5);
    const Clocks clocks(job.ranks);
    expectAllInside(job, clocks, "single");
    const auto& first = job.ranks[0].collectives.front().when;
    const auto& second = job.ranks[1].collectives.front().when;
    EXPECT_NEAR(static_cast<double>(clocks.at(1, second.begin).error), static_cast<double>(first.length() + second.length()) / 2, 3.0);
}

/// The host asks the first one at that true time; there and back take 30 µs, the way back `later` more.
ClockExchange exchangeAt(const Job& job, std::size_t host, double at, double later)
{
    const auto shown = [&](std::size_t whose, double t) { return static_cast<Nanos>(std::llround(t + job.clocks[whose](t))); };
    return {"node-" + std::to_string(host),
            "node-0",
            {shown(host, at), shown(host, at + 30.0 * us + later)},
            {shown(0, at + 15.0 * us), shown(0, at + 15.0 * us + 50)}};
}

TEST(Clocks, AnExchangeAtEachEndBoundsTheOffsetByHalfOfItsRoundTrip)
{
    Job job;
    job.clocks = {line(0, 0), line(7 * ms, 20), line(-3 * ms, -20)};
    job.seconds = 40;
    job.perSecond = 0.5;
    job.run(11);
    std::vector<ClockExchange> exchanges;
    for (const std::size_t host : {1U, 2U})
        for (const double at : {0.05 * s, 40.0 * s}) exchanges.push_back(exchangeAt(job, host, at, host == 1 ? 0.0 : 20.0 * us));
    const Clocks clocks(job.ranks, {}, exchanges);
    expectAllInside(job, clocks, "exchanges at both ends");
    EXPECT_LE(clocks.at(1, exchanges[0].asked.begin).error, 15 * us + 2);
    EXPECT_LE(clocks.at(2, exchanges[2].asked.begin).error, 25 * us + 2);
    EXPECT_LT(job.judged(clocks).worstError, job.judged(Clocks(job.ranks)).worstError);
}

TEST(Clocks, AnExchangeIsUsedWhicheverOfTheTwoHostsAsked)
{
    Job job;
    job.clocks = {line(0, 0), line(7 * ms, 0)};
    job.mostMeetings = 1;
    job.run(12);
    job.ranks[1].collectives.front().comm = 99;  // nothing else joins the two
    const ClockExchange asked = exchangeAt(job, 1, 1.0 * s, 0);
    ClockExchange turned{"node-0", "node-1", {}, {}};
    turned.asked = {1 * s, 1 * s + 30 * us};
    turned.answered = {1 * s + 15 * us + 7 * ms, 1 * s + 15 * us + 7 * ms + 50};
    for (const ClockExchange& exchange : {asked, turned}) {
        const ClockOffset offset = Clocks(job.ranks, {}, {exchange}).at(1, 1 * s + 7 * ms);
        EXPECT_LE(std::abs(offset.value + 7 * ms), offset.error);
        EXPECT_LE(offset.error, 16 * us);
    }
}

TEST(Clocks, AHostThatSharesNothingStaysUnknownAndOneHostNeedsNoClock)
{
    Job job;
    job.clocks = {line(0, 0), line(1 * ms, 0)};
    job.run(1);
    job.ranks[1].collectives.clear();
    const Clocks apart(job.ranks);
    EXPECT_TRUE(apart.at(0, 0).known());
    EXPECT_FALSE(apart.at(1, 0).known());
    job.ranks[1].host = job.ranks[0].host;
    const Clocks same(job.ranks);
    EXPECT_FALSE(same.several());
    EXPECT_EQ(same.at(0, 0).error, 0);
}

TEST(Clocks, AHostIsReachedThroughAnother)
{
    Job job;
    job.clocks = {line(0, 0), line(2 * ms, 5), line(-2 * ms, -5)};
    job.seconds = 20;
    job.run(9);
    for (CollectiveCall& call : job.ranks[2].collectives) call.comm = call.sequence % 2 == 0 ? 2 : 3;
    std::vector<CollectiveCall> more;
    for (const CollectiveCall& call : job.ranks[1].collectives)
        if (call.sequence % 2 == 0) {
            more.push_back(call);
            more.back().comm = 2;
        }
    for (CollectiveCall& call : job.ranks[0].collectives) call.comm = 1;
    auto& middle = job.ranks[1].collectives;
    middle.insert(middle.end(), more.begin(), more.end());
    const Clocks clocks(job.ranks);
    EXPECT_TRUE(clocks.at(2, 10 * s).known());
    expectAllInside(job, clocks, "through another host");
}

TEST(Meetings, WhoWasLastIsToldByAlignedClocks)
{
    Job job;
    job.clocks = {line(0, 0), line(5 * ms, 0)};
    job.seconds = 10;
    job.run(2);
    const Clocks clocks(job.ranks);
    for (const Meeting& meeting : meetingsOf(job.ranks, clocks)) {
        const Nanos first = meeting.calls[0]->when.begin;
        const Nanos second = meeting.calls[1]->when.begin - 5 * ms;
        if (std::abs(first - second) <= meeting.doubt) continue;
        EXPECT_EQ(meeting.lastRank, first > second ? 0U : 1U);
        EXPECT_LE(meeting.lastArrivalFor(0), meeting.calls[0]->when.end + meeting.doubt);
    }
}

}  // namespace
}  // namespace flowgauge::facts
