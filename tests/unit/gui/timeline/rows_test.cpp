// SPDX-License-Identifier: MIT
#include "gui/timeline/layout.h"

#include <gtest/gtest.h>

namespace flowgauge::timeline {
namespace {

Row row(const char* label, RowKind kind, std::optional<std::size_t> parent, std::optional<int> rank = {})
{
    Row made;
    made.id = std::string(label) + (rank ? std::to_string(*rank) : "");
    made.label = label;
    made.kind = kind;
    made.parent = parent;
    made.rank = rank;
    made.heightPx = 20;
    return made;
}

/// node-a { NIC, rank 0 { reads }, rank 1 { reads } }
std::vector<Row> rows()
{
    return {row("node-a", RowKind::Host, {}),         row("NIC eth0", RowKind::Counter, 0), row("rank 0", RowKind::Rank, 0, 0),
            row("file reads", RowKind::Events, 2, 0), row("rank 1", RowKind::Rank, 0, 1),   row("file reads", RowKind::Events, 4, 1)};
}

std::vector<std::size_t> shown(const Arrangement& arrangement)
{
    std::vector<std::size_t> at;
    for (const PlacedRow& placed : layoutOf(rows(), arrangement).scrolled) at.push_back(placed.row);
    return at;
}

TEST(LayoutTest, PutsRowsBelowEachOther)
{
    const Layout layout = layoutOf(rows(), {});
    EXPECT_EQ(layout.scrolledHeight, 120);
    EXPECT_EQ(layout.scrolled[3], (PlacedRow{3, 60, 20, false}));
    EXPECT_EQ(layout.scrolledAt(79), 3);
    EXPECT_EQ(layout.scrolledAt(80), 4);
    EXPECT_EQ(layout.scrolledAt(120), -1);
    EXPECT_EQ(layout.scrolledAt(-1), -1);
}

TEST(LayoutTest, ARowIsMadeTallerAndLowerAndTheOthersMakeRoom)
{
    Arrangement arrangement;
    const Row nic = rows()[1];
    resizeRow(nic, arrangement, true);
    EXPECT_EQ(heightOf(nic, arrangement), 30);
    EXPECT_EQ(layoutOf(rows(), arrangement).scrolled[2], (PlacedRow{2, 50, 20, false}));
    resizeRow(nic, arrangement, false);
    EXPECT_EQ(heightOf(nic, arrangement), 20);
    for (int i = 0; i < 20; ++i) resizeRow(nic, arrangement, false);
    EXPECT_EQ(heightOf(nic, arrangement), 10);
    for (int i = 0; i < 20; ++i) resizeRow(nic, arrangement, true);
    EXPECT_EQ(heightOf(nic, arrangement), 500);
}

TEST(LayoutTest, AFoldedHeadingHidesAllBelowIt)
{
    Arrangement arrangement;
    arrangement.folded = {"rank 00"};
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0, 1, 2, 4, 5}));
    arrangement.folded = {"node-a"};
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0}));
}

TEST(LayoutTest, APinnedRowStandsOnTopEvenWhenItsHeadingIsFolded)
{
    Arrangement arrangement;
    arrangement.pinned = {"NIC eth0"};
    arrangement.folded = {"node-a"};
    const Layout layout = layoutOf(rows(), arrangement);
    ASSERT_EQ(layout.pinned.size(), 1U);
    EXPECT_EQ(layout.pinned[0], (PlacedRow{1, 0, 20, true}));
    EXPECT_EQ(layout.pinnedAt(19), 0);
    EXPECT_EQ(layout.scrolledHeight, 20);
}

TEST(LayoutTest, HoweverManyRowsArePinnedHalfOfThePictureIsLeftToTheOthers)
{
    Arrangement arrangement;
    for (const Row& one : rows()) arrangement.pinned.insert(one.id);
    const Layout layout = layoutOf(rows(), arrangement);
    EXPECT_EQ(layout.pinnedHeight, 120);
    EXPECT_EQ(layout.pinnedPart(1000), 120);
    EXPECT_EQ(layout.pinnedPart(240), 120);
    EXPECT_EQ(layout.pinnedPart(100), 50);
    EXPECT_EQ(layout.pinnedPart(0), 0);
    EXPECT_EQ(layout.pinnedPart(-20), 0) << "a picture lower than its ruler";
}

TEST(LayoutTest, ThePinnedPartIsAsHighAsTheUserWantsAsFarAsBothPartsAreStillSeen)
{
    Arrangement arrangement;
    for (const Row& one : rows()) arrangement.pinned.insert(one.id);
    const Layout layout = layoutOf(rows(), arrangement);
    EXPECT_EQ(layout.pinnedPart(200, 90), 90);
    EXPECT_EQ(layout.pinnedPart(200, 110), 110) << "more than half";
    EXPECT_EQ(layout.pinnedPart(200, 500), 120) << "no more than the rows need";
    EXPECT_EQ(layout.pinnedPart(150, 500), 90) << "60 px are left to the others";
    EXPECT_EQ(layout.pinnedPart(200, 1), 20) << "a row is seen";
    EXPECT_EQ(layout.pinnedPart(30, 500), 15) << "half, where there is so little";
    EXPECT_EQ(layout.pinnedPart(-20, 90), 0);
    EXPECT_EQ(layoutOf(rows(), {}).pinnedPart(200, 90), 0) << "nothing is pinned";
}

TEST(LayoutTest, ShowsTheChosenRanksOnly)
{
    Arrangement arrangement;
    arrangement.ranks = {1};
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0, 1, 4, 5}));
}

TEST(LayoutTest, FiltersByTheWordsOfARowAndItsHeadings)
{
    Arrangement arrangement;
    arrangement.filter = "READS !1";
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0, 2, 3}));  // under its rank and its host
    arrangement.filter = "nic";
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0, 1}));
    arrangement.filter = "no such row";
    EXPECT_TRUE(shown(arrangement).empty());
}

TEST(LayoutTest, AHiddenRowTakesNoRoom)
{
    Arrangement arrangement;
    arrangement.hidden = {"NIC eth0"};
    EXPECT_EQ(layoutOf(rows(), arrangement).scrolledHeight, 100);
}

TEST(LayoutTest, AMovedRowTakesAlongWhatStandsBelowIt)
{
    Arrangement arrangement;
    moveRow(rows(), arrangement, 4, 1);
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0, 4, 5, 1, 2, 3}));
    moveRow(rows(), arrangement, 4, 3);  // dropped on a lane of rank 0: behind that rank
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

TEST(LayoutTest, ARowStaysUnderItsHeading)
{
    Arrangement arrangement;
    moveRow(rows(), arrangement, 3, 5);  // reads of rank 0 onto those of rank 1
    moveRow(rows(), arrangement, 3, 3);
    EXPECT_EQ(arrangement, Arrangement{});
}

TEST(LayoutTest, RowsThatCameLaterStandBehindThoseThatWereArranged)
{
    Arrangement arrangement;
    arrangement.order["node-a"] = {"rank 11", "NIC eth0"};
    EXPECT_EQ(shown(arrangement), (std::vector<std::size_t>{0, 4, 5, 1, 2, 3}));
}

TEST(FilterTest, AllWordsMustBeThereAndForbiddenOnesMustNot)
{
    EXPECT_TRUE(passes("", "anything"));
    EXPECT_TRUE(passes("all RED", "AllReduce"));
    EXPECT_FALSE(passes("all !reduce", "allreduce"));
    EXPECT_TRUE(passes("! ", "allreduce"));
}

}  // namespace
}  // namespace flowgauge::timeline
