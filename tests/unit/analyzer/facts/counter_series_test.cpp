// SPDX-License-Identifier: MIT
#include "analyzer/facts/counter_series.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

namespace flowgauge::facts {
namespace {

constexpr Nanos millisecond = 1'000'000, second = 1'000'000'000;
constexpr double lineRate = 12.5e9;  // bytes/s of 100 Gb/s

/// A port that receives at line rate, whose counter lives in a cache: a read within `lifespan` of the last refresh returns
/// what was there then. Read every `period`, kept as the sampler keeps it: what moved, and the last reading before that.
struct LazyPort {
    Nanos lifespan = 12 * millisecond;
    Nanos period = millisecond;
    CounterSeries series;

    void run(Nanos begin, Nanos end, double bytesPerSecond)
    {
        for (Nanos t = begin; t < end; t += period) {
            if (t - m_refreshed > lifespan || m_refreshed < 0) {
                if (m_refreshed >= 0) m_bytes += bytesPerSecond * static_cast<double>(t - m_refreshed) / 1e9;
                m_refreshed = t;
            }
            read(t, m_bytes);
        }
    }
    void read(Nanos t, double value)
    {
        if (m_stored >= 0 && value == m_last && t - m_stored < second) {
            m_seen = t;
            return;
        }
        if (m_seen >= 0 && value != m_last) series.add(m_seen, m_last);
        series.add(t, value);
        m_last = value;
        m_stored = t;
        m_seen = -1;
    }

private:
    double m_bytes = 0, m_last = 0;
    Nanos m_refreshed = -1, m_stored = -1, m_seen = -1;
};

double highestRate(const CounterSeries& series)
{
    double highest = 0;
    for (const CounterSeries::Rate& rate : series.rates()) highest = std::max(highest, rate.perSecond);
    return highest;
}

TEST(LazyCounter, ReadEvery1Or5Or10Or100MillisecondsItHasOneIntegralAndNoSpike)
{
    for (const Nanos period : {millisecond, 5 * millisecond, 10 * millisecond, 100 * millisecond}) {
        SCOPED_TRACE(period / millisecond);
        LazyPort port;
        port.period = period;
        port.run(0, 10 * second, lineRate);
        const CounterSeries steady = port.series.betweenChanges();
        // Between any two moments far enough inside, whatever the period.
        EXPECT_NEAR(steady.growth({second, 9 * second}) / (8 * lineRate), 1.0, 0.001);
        EXPECT_EQ(steady.grown(), port.series.grown()) << "not a byte more or less";
        EXPECT_LE(highestRate(steady), 1.05 * lineRate);
        EXPECT_EQ(steady.resets(), 0U);
    }
    LazyPort raw;
    raw.run(0, second, lineRate);
    EXPECT_GT(highestRate(raw.series), 5 * lineRate) << "what would be drawn without";
}

TEST(LazyCounter, AQuietTimeStaysQuiet)
{
    LazyPort port;
    port.run(0, 2 * second, lineRate);
    port.run(2 * second, 3 * second, 0);
    port.run(3 * second, 5 * second, lineRate);
    const CounterSeries steady = port.series.betweenChanges();
    EXPECT_NEAR(steady.growth({2 * second + 50 * millisecond, 3 * second - 50 * millisecond}), 0, 1);
    EXPECT_NEAR(steady.growth({3 * second + 50 * millisecond, 4 * second + 50 * millisecond}) / lineRate, 1.0, 0.02);
    EXPECT_LE(highestRate(steady), 1.05 * lineRate);
}

TEST(LazyCounter, OneThatIsAlwaysFreshIsLeftAsItIs)
{
    LazyPort port;
    port.lifespan = 0;
    port.period = 100 * millisecond;
    port.run(0, 3 * second, lineRate);
    EXPECT_EQ(port.series.betweenChanges().samples().size(), port.series.samples().size());
}

TEST(Disturbance, LateBeatsAndAStopOfFiveSecondsChangeNoRate)
{
    CounterSeries series;
    Nanos t = 0;
    for (int beat = 0; beat < 200; ++beat) {
        const Nanos late = beat % 7 == 0 ? 70 * millisecond : 0;
        series.add(t + late, lineRate * static_cast<double>(t + late) / 1e9);
        t += beat == 100 ? 5 * second : 100 * millisecond;
    }
    for (const CounterSeries::Rate& rate : series.betweenChanges().rates()) EXPECT_NEAR(rate.perSecond / lineRate, 1.0, 1e-6);
    EXPECT_NEAR(series.growth({9 * second, 16 * second}) / (7 * lineRate), 1.0, 1e-6);
}

TEST(Wrap, ACounterOf32BitsGoesOnCounting)
{
    CounterSeries series({4294967296.0, 0, 0});
    for (const double value : {4294967000.0, 200.0, 1200.0}) series.add(static_cast<Nanos>(series.samples().size()) * second, value);
    EXPECT_EQ(series.grown(), 496.0 + 1000.0);
    EXPECT_EQ(series.resets(), 0U);
}

TEST(Wrap, WhatNoLinkCanCarryIsAReset)
{
    const CounterRules rules{4294967296.0, 0, 1e6};
    CounterSeries wrapping(rules), reset(rules);
    wrapping.add(0, 4294967000.0);
    wrapping.add(second, 200.0);
    reset.add(0, 1'000'000'000.0);
    reset.add(second, 200.0);
    EXPECT_EQ(wrapping.grown(), 496.0);
    EXPECT_EQ(reset.grown(), 200.0) << "at least what it shows since";
    EXPECT_EQ(reset.resets(), 1U);
}

TEST(Reset, ACounterOf64BitsNeverWraps)
{
    CounterSeries series(rulesOf(rowOf(Counter::IbRxBytes)));
    for (const double value : {1e15, 2e15, 1000.0, 3000.0}) series.add(static_cast<Nanos>(series.samples().size()) * second, value);
    EXPECT_EQ(series.grown(), 1e15 + 3000.0);
    EXPECT_EQ(series.growth({3 * second / 2, 3 * second}), 500.0 + 2000.0) << "linear within a step";
    EXPECT_EQ(series.resets(), 1U);
}

TEST(Saturation, TheLargestValueMeansAtLeast)
{
    CounterSeries series(rulesOf(rowOf(Counter::IbTxWait)));
    series.add(0, 4294967290.0);
    EXPECT_FALSE(series.saturated());
    series.add(second, 4294967295.0);
    EXPECT_TRUE(series.saturated());
    series.add(2 * second, 0);
    EXPECT_EQ(series.grown(), 5.0) << "a saturating counter does not wrap: somebody reset it";
    EXPECT_EQ(series.resets(), 1U);
    for (const CounterRow& row : counterRows)
        if (row.shape == CounterShape::Saturating) {
            EXPECT_EQ(rulesOf(row).saturatesAt, (std::ldexp(1.0, row.bits) - 1) * row.scale) << row.sqlName;
        }
}

TEST(Series, NoneOneAndTwoReadingsOfAnInstant)
{
    CounterSeries series;
    EXPECT_EQ(series.growth({0, second}), 0);
    series.add(second, 5);
    EXPECT_EQ(series.growth({0, 9 * second}), 0);
    EXPECT_TRUE(series.rates().empty());
    series.add(second, 7);
    EXPECT_TRUE(series.rates().empty()) << "no time passed: no rate";
    EXPECT_EQ(series.grown(), 2);
    EXPECT_EQ(series.valueAt(0), 7);
    EXPECT_EQ(series.last(), 7);
}

}  // namespace
}  // namespace flowgauge::facts
