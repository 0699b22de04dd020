// SPDX-License-Identifier: MIT
#include "instrument/socket/socket_table.h"

#include <gtest/gtest.h>

namespace flowgauge::sockets::table {
namespace {

Word wordOf(int fd) { return slotOf(fd)->word.load(); }

TEST(SocketTable, ANumberIsEnteredOnceUntilItLeaves)
{
    Slot* const slot = enter(7, 100);
    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(slot->seenAt.load(), 100U);
    EXPECT_EQ(enter(7, 200), nullptr) << "it is known";
    const Word first = wordOf(7);
    EXPECT_TRUE(leave(*slot, first));
    EXPECT_FALSE(leave(*slot, first)) << "somebody else was sooner";
    ASSERT_NE(enter(7, 300), nullptr);
    EXPECT_NE(wordOf(7), first) << "the same number, another connection";
    EXPECT_FALSE(leave(*slot, first));
    EXPECT_GE(highest(), 7);
}

TEST(SocketTable, ANameBelongsToOneConnectionOfANumber)
{
    Slot& slot = *enter(8, 1);
    const Word first = wordOf(8);
    EXPECT_EQ(keyOf(slot, first), 0U);
    setKey(slot, first, 4711);
    EXPECT_EQ(keyOf(slot, first), 4711U);
    EXPECT_TRUE(leave(slot, first));
    enter(8, 2);
    EXPECT_EQ(keyOf(slot, wordOf(8)), 0U);
    EXPECT_EQ(slot.told.load(), 0);
}

TEST(SocketTable, NumbersBeyondItAreNotKept)
{
    EXPECT_EQ(enter(-1, 1), nullptr);
    EXPECT_EQ(enter(size, 1), nullptr);
    EXPECT_EQ(slotOf(size), nullptr);
}

TEST(SocketTable, AChildSharesWhatWasOpenAndNamesItAnew)
{
    Slot& slot = *enter(9, 5);
    setKey(slot, wordOf(9), 12);
    inherit();
    EXPECT_NE(wordOf(9) & inheritedBit, 0U);
    EXPECT_EQ(keyOf(slot, wordOf(9)), 0U);
    EXPECT_EQ(slot.seenAt.load(), 5U);
    EXPECT_TRUE(leave(slot, wordOf(9)));
    enter(9, 6);
    EXPECT_EQ(wordOf(9) & inheritedBit, 0U);
}

}  // namespace
}  // namespace flowgauge::sockets::table
