// SPDX-License-Identifier: MIT
#include "analyzer/facts/read_places.h"

#include <gtest/gtest.h>

namespace flowgauge::facts {
namespace {

/// Epochs 1: 100–200 and 2: 300–400, an evaluation 220–260, a checkpoint 270–280.
struct TwoEpochs {
    std::vector<MarkedEpoch> epochs{{1, {100, 200}, 0, false}, {2, {300, 400}, 0, false}};
    RankFacts rank;

    TwoEpochs()
    {
        rank.phases["evaluation"] = IntervalSet::of({{220, 260}});
        rank.phases["checkpoint"] = IntervalSet::of({{270, 280}});
        rank.epochs.resize(2);
        for (std::size_t i = 0; i < 2; ++i) rank.epochs[i].when = epochs[i].when;
    }
    /// One call of one byte and one ns at each of these moments, of one file, on one track.
    void readAt(ReadPlaces& places, std::int64_t file, const std::vector<Nanos>& moments)
    {
        ReadPlaces::Cursor cursor;
        for (const Nanos begin : moments) places.take(cursor, file, begin, {1, 1, 1});
    }
};

ReadCount calls(std::int64_t count) { return {count, count, count}; }

TEST(ReadPlaces, AReadBelongsToTheEpochInWhichItBegins)
{
    TwoEpochs two;
    ReadPlaces places(two.epochs, two.rank);
    two.readAt(places, 7, {100, 150, 199, 300, 399});
    places.finish(two.rank);
    EXPECT_EQ(two.rank.epochs[0].reads, calls(3));
    EXPECT_EQ(two.rank.epochs[1].reads, calls(2));
    EXPECT_TRUE(two.rank.readsElsewhere.empty());
}

TEST(ReadPlaces, BetweenEpochsALoaderReadsForTheNextButAnEvaluationForItself)
{
    TwoEpochs two;
    ReadPlaces places(two.epochs, two.rank);
    two.readAt(places, 7, {150, 200, 219, 220, 259, 260, 270, 299});
    places.finish(two.rank);
    EXPECT_EQ(two.rank.epochs[0].reads, calls(1));
    EXPECT_EQ(two.rank.epochs[0].evaluation, calls(3));
    EXPECT_EQ(two.rank.epochs[1].reads, calls(4));  // 200, 219, 260, 299
    EXPECT_EQ(two.rank.readsElsewhere, (std::map<std::string, ReadCount>{{"checkpoint", calls(1)}, {"evaluation", calls(2)}}));
}

TEST(ReadPlaces, AnEvaluationInTheMiddleOfAnEpochIsNoneOfItsReads)
{
    TwoEpochs two;
    two.rank.phases["evaluation"] = IntervalSet::of({{120, 140}});
    ReadPlaces places(two.epochs, two.rank);
    two.readAt(places, 7, {110, 120, 139, 140});
    places.finish(two.rank);
    EXPECT_EQ(two.rank.epochs[0].reads, calls(2));
    EXPECT_EQ(two.rank.epochs[0].evaluation, calls(2));
}

TEST(ReadPlaces, BeforeTheFirstEpochOnlyFilesThatItReadsAgainAreReadAhead)
{
    TwoEpochs two;
    ReadPlaces places(two.epochs, two.rank);
    two.readAt(places, 1, {10, 20});   // an index
    two.readAt(places, 2, {30, 150});  // read ahead, then read on
    two.readAt(places, 3, {40, 350});  // of the second epoch: that is no reading ahead for the first
    places.finish(two.rank);
    EXPECT_EQ(two.rank.epochs[0].reads, calls(2));
    EXPECT_EQ(two.rank.epochs[0].fetchesFrom, 30);
    EXPECT_EQ(two.rank.epochs[1].reads, calls(1));
    EXPECT_EQ(two.rank.epochs[1].fetchesFrom, 200);
    EXPECT_EQ(two.rank.readsElsewhere, (std::map<std::string, ReadCount>{{"start-up", calls(3)}}));
}

TEST(ReadPlaces, AfterTheLastEpochAndInAFirstEvaluationReadsCountForNone)
{
    TwoEpochs two;
    two.rank.phases["evaluation"] = IntervalSet::of({{50, 60}});
    ReadPlaces places(two.epochs, two.rank);
    two.readAt(places, 7, {55, 400, 500});
    places.finish(two.rank);
    EXPECT_EQ(two.rank.epochs[0].reads, calls(0));
    EXPECT_EQ(two.rank.epochs[0].evaluation, calls(0));
    EXPECT_EQ(two.rank.readsElsewhere, (std::map<std::string, ReadCount>{{"after the last epoch", calls(2)}, {"evaluation", calls(1)}}));
}

}  // namespace
}  // namespace flowgauge::facts
