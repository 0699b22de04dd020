// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_reads.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

constexpr std::int64_t page = 4096, mebi = 1 << 20;

class EpochReadsTest : public SmallRun {
protected:
    /// One read a microsecond, of one thread.
    void reads(const std::string& file, std::int64_t offset, std::int64_t bytes, std::int64_t thread = 1)
    {
        if (m_reader == 0) m_reader = process(100, 0);
        put(m_reader, {m_at, m_at + 100, 0, Kind::FileRead, 0, {store.name(file), offset, bytes, bytes}}, thread);
        m_at += 1000;
    }
    EpochReads taken(const IntervalSet& beside = {}) { return EpochReads(finished(), {0, m_at}, beside); }
    Nanos m_at = 0;

private:
    store::Id m_reader = 0;
};

TEST_F(EpochReadsTest, ReadsThatGoOnAreOneStretchAndThreadsHaveTheirOwn)
{
    reads("/data/a", 0, 10 * page);
    reads("/data/b", 0, page, 2);
    reads("/data/a", 10 * page, 5 * page);
    reads("/data/a", 100 * page, page);
    const EpochReads reads = taken();
    ASSERT_EQ(reads.stretches().size(), 3U);
    EXPECT_EQ(reads.stretches()[0].end, 15 * page);
    EXPECT_EQ(reads.stretches()[0].call, 10 * page);
    EXPECT_NE(reads.stretches()[1].thread, reads.stretches()[0].thread);
    EXPECT_EQ(reads.stretches()[2].begin, 100 * page);
    EXPECT_EQ(reads.asked(), 17 * page);
    EXPECT_EQ(reads.keptPart(), 1);
}

TEST_F(EpochReadsTest, WhatIsReadBesideTrainingIsNotAskedFor)
{
    reads("/data/a", 0, page);
    const Nanos from = m_at;
    reads("/data/validation", 0, page);
    const EpochReads reads = taken(IntervalSet::of({{from, m_at}}));
    EXPECT_EQ(reads.asked(), page);
    EXPECT_TRUE(reads.stretches()[1].beside);
}

TEST_F(EpochReadsTest, OfVeryMuchDataAPartIsKeptThatSaysTheSame)
{
    constexpr int files = 400;
    for (int file = 0; file < files; ++file)
        for (int part = 0; part < 2; ++part) reads("/data/" + std::to_string(file), part * 16 * mebi, 16 * mebi);
    const EpochReads reads = taken();
    EXPECT_EQ(reads.asked(), std::int64_t{files} * 32 * mebi);
    EXPECT_LE(static_cast<std::int64_t>(reads.places().size()) * 16 * mebi, std::int64_t{2} << 30);
    EXPECT_DOUBLE_EQ(reads.keptPart(), static_cast<double>(reads.places().size()) / (2.0 * files));
    EXPECT_EQ(reads.stretches().size(), reads.places().size());
    const Played whole = play(reads, {std::int64_t{files} * 32 * mebi, 128 << 10, 1280 << 10, ReadOrder::Shuffled, 2, 1});
    EXPECT_NEAR(whole.firstFetched, 1, 0.001);
    EXPECT_EQ(whole.later.held, 1) << "a cache as large as the data";
    const Played same = play(reads, {std::int64_t{files} * 16 * mebi, 128 << 10, 1280 << 10, ReadOrder::Same, 2, 1});
    EXPECT_NEAR(same.later.fetched, 1, 0.001) << "what is read in one order pushes itself out";
    const Played shuffled = play(reads, {std::int64_t{files} * 16 * mebi, 128 << 10, 1280 << 10, ReadOrder::Shuffled, 3, 2});
    EXPECT_NEAR(shuffled.later.spared, 0.2, 0.1);
}

}  // namespace
}  // namespace flowgauge::facts
