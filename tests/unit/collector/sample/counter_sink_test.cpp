// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include "collector/sample/schedule.h"

#include <gtest/gtest.h>

namespace flowgauge::sample {
namespace {

constexpr Nanos millisecond = 1'000'000;

/// A table with one place, and a sink that writes into the notebook.
class CounterSinkTest : public testing::Test {
protected:
    CounterSinkTest()
    {
        EXPECT_TRUE(m_sources.create(8));
        m_source = m_sources.find(CounterFamily::Nic, "eth0");
        m_sink.accept(*m_source, "eth0");
    }
    ~CounterSinkTest() override { m_sources.release(); }

    /// A reading `atMs` after the start; its ticks are the milliseconds.
    void read(Nanos atMs, std::uint64_t value, Counter counter = Counter::NicRxBytes)
    {
        m_sink.beginPass(1 + atMs * millisecond);
        m_sink.put(static_cast<Ticks>(atMs), *m_source, counter, value);
    }
    /// What was stored, as "ticks=value" words.
    [[nodiscard]] std::string stored() const
    {
        std::string text;
        for (const Event& event : m_notebook.events) text += std::to_string(event.begin) + "=" + std::to_string(event.arg[2]) + " ";
        return text;
    }

    Notebook m_notebook;
    SourceTable m_sources;
    CounterSink m_sink{Notebook::outlet, hostFactMark};
    Source* m_source = nullptr;
};

TEST_F(CounterSinkTest, AChangedValueIsStoredAtOnce)
{
    read(0, 5);
    read(100, 6);
    read(200, 8);
    EXPECT_EQ(stored(), "0=5 100=6 200=8 ");
}

TEST_F(CounterSinkTest, AQuietCounterIsStoredOnceASecond)
{
    for (Nanos at = 0; at <= 2500; at += 100) read(at, 5);
    EXPECT_EQ(stored(), "0=5 1000=5 2000=5 ");
}

TEST_F(CounterSinkTest, TheLastQuietReadingIsStoredBeforeAChange)
{
    for (Nanos at = 0; at <= 500; at += 100) read(at, 5);
    read(600, 9);
    read(700, 9);
    EXPECT_EQ(stored(), "0=5 500=5 600=9 ");
}

TEST_F(CounterSinkTest, CountersOfOnePlaceDoNotDisturbEachOther)
{
    read(0, 5, Counter::NicRxBytes);
    read(0, 7, Counter::NicTxBytes);
    read(100, 5, Counter::NicRxBytes);
    read(100, 8, Counter::NicTxBytes);
    EXPECT_EQ(stored(), "0=5 0=7 100=8 ");
    EXPECT_EQ(m_notebook.events.back().arg[0], static_cast<std::uint64_t>(Counter::NicTxBytes));
}

TEST_F(CounterSinkTest, APlaceIsFoundAgainAndAFullTableSaysSo)
{
    EXPECT_EQ(m_sources.find(CounterFamily::Nic, "eth0"), m_source);
    EXPECT_NE(m_sources.find(CounterFamily::Disk, "eth0"), m_source) << "the family is part of the name";
    int found = 0;
    for (const char* const name : {"a", "b", "c", "d", "e", "f", "g", "h"})
        if (m_sources.find(CounterFamily::Nic, name) != nullptr) ++found;
    EXPECT_EQ(found, 5) << "eight places, two taken, one kept free";
}

TEST(Ledger, ANoteIsOneTextWithTabs)
{
    const Notebook notebook;
    CounterSink(Notebook::outlet, hostFactMark).note("infiniband", "absent", "no device in /sys/class/infiniband");
    EXPECT_EQ(notebook.ledger, std::vector<std::string>{"ledger of the host\tinfiniband\tabsent\tno device in /sys/class/infiniband"});
}

TEST(Schedule, ALateBeatDoesNotMoveTheNext)
{
    Schedule schedule(1000, 100);
    schedule.passed(1060, 5);
    EXPECT_EQ(schedule.dueNs(), 1100);
}

TEST(Schedule, MissedBeatsAreDropped)
{
    Schedule schedule(1000, 100);
    schedule.passed(1450, 5);
    EXPECT_EQ(schedule.dueNs(), 1500);
    EXPECT_EQ(schedule.periodNs(), 100);
    schedule.passed(1700, 5);
    EXPECT_EQ(schedule.dueNs(), 1800) << "exactly on a grid point: the next one";
}

TEST(Schedule, APassOfMoreThanAFifthLengthensThePeriod)
{
    Schedule schedule(1000, 100);
    schedule.passed(1040, 40);
    EXPECT_EQ(schedule.periodNs(), 200);
    EXPECT_EQ(schedule.dueNs(), 1200);
    schedule.passed(1210, 10);
    EXPECT_EQ(schedule.periodNs(), 175) << "back step by step";
    for (int beat = 0; beat < 10; ++beat) schedule.passed(schedule.dueNs(), 10);
    EXPECT_EQ(schedule.periodNs(), 100) << "never shorter than asked for";
}

}  // namespace
}  // namespace flowgauge::sample
