// SPDX-License-Identifier: MIT
#include "collector/buffer/ring.h"

#include "collector/record/makers.h"

#include <gtest/gtest.h>
#include <cstring>
#include <string>
#include <vector>

using namespace flowgauge;
using namespace flowgauge::buffer;

namespace {

constexpr std::uint32_t slots = 256;
constexpr std::uint32_t thread = 4711;

/// A segment in ordinary memory, with its two ends.
class Ring : public testing::Test {
protected:
    Ring() { formatSegment(header(), 3, slots), writer.attach(header()), static_cast<void>(writer.look(1)); }

    spool::RingHeader* header() { return reinterpret_cast<spool::RingHeader*>(m_memory.data()->bytes); }

    /// Puts events numbered from `next` on, as record() does it. False when the ring was full.
    bool put(std::uint64_t count)
    {
        for (; count > 0; --count) {
            if (writer.atLimit() && writer.look(1) == Room::Full) return false;
            writer.put(mpiWait({0, 0}, next++, 0), thread);
        }
        return true;
    }

    std::vector<std::uint64_t> drainAll()
    {
        std::vector<std::uint64_t> numbers;
        const Waiting waiting = waitingIn(header());
        for (const Waiting::Piece& piece : {waiting.first, waiting.second})
            for (std::uint64_t i = 0; i < piece.count; ++i) numbers.push_back(piece.events[i].arg[0]);
        release(header(), waiting.count());
        return numbers;
    }

    RingWriter writer{};
    std::uint64_t next = 0;

private:
    struct alignas(spool::pageBytes) Page {
        char bytes[spool::pageBytes];
    };
    std::vector<Page> m_memory = std::vector<Page>(spool::segmentBytes(slots) / spool::pageBytes);
};

std::vector<std::uint64_t> numbersFrom(std::uint64_t first, std::uint64_t count)
{
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(first + i);
    return numbers;
}

}  // namespace

TEST_F(Ring, GivesBackInOrderWhatWasPutAlsoWhereItWraps)
{
    ASSERT_TRUE(put(200));
    EXPECT_EQ(drainAll(), numbersFrom(0, 200));
    ASSERT_TRUE(put(200));
    EXPECT_EQ(waitingIn(header()).second.count, 144U);
    EXPECT_EQ(waitingIn(header()).firstSequence, 200U);
    EXPECT_EQ(drainAll(), numbersFrom(200, 200));
    EXPECT_EQ(drainAll(), numbersFrom(400, 0));
}

TEST_F(Ring, IsFullAfterItsCapacityAndKeepsTheOldEvents)
{
    EXPECT_FALSE(put(slots + 1));
    EXPECT_EQ(next, slots);
    EXPECT_EQ(drainAll(), numbersFrom(0, slots));
    EXPECT_TRUE(put(1));
}

TEST_F(Ring, StoresTheThreadWithTheEvent)
{
    ASSERT_TRUE(put(1));
    EXPECT_EQ(waitingIn(header()).first.events[0].thread, thread);
}

TEST_F(Ring, AsksForADrainAtAQuarterAndAtEveryQuarterAfterThat)
{
    std::vector<std::uint64_t> looks;
    for (std::uint64_t taken = 0; taken < slots; ++taken) {
        if (writer.atLimit()) {
            EXPECT_EQ(writer.look(1), Room::Quarter);
            looks.push_back(taken);
        }
        writer.put(mpiWait({0, 0}, taken, 0), thread);
    }
    EXPECT_EQ(looks, (std::vector<std::uint64_t>{64, 128, 192}));
    EXPECT_TRUE(writer.atLimit());
    EXPECT_EQ(writer.look(1), Room::Full);
}

TEST_F(Ring, PublishesANameAndItsTextWithOneMove)
{
    ASSERT_TRUE(put(250));
    (void)drainAll();
    const std::string text(640, 'x');
    ASSERT_NE(writer.look(spool::nameSlots(text.size())), Room::Full);
    writer.putName(nameText(0, 9, NameClass::File, text.size()), text, thread);
    const Waiting waiting = waitingIn(header());
    ASSERT_EQ(waiting.count(), 11U);  // itself and ten slots of text, around the end of the ring
    EXPECT_EQ(waiting.first.count, 6U);
    std::string found(reinterpret_cast<const char*>(waiting.first.events + 1), 5 * spool::slotBytes);
    found.append(reinterpret_cast<const char*>(waiting.second.events), 5 * spool::slotBytes);
    EXPECT_EQ(found, text);
    EXPECT_EQ(waiting.first.events[0].arg[0], 9U);
}

TEST_F(Ring, RefusesANameThatDoesNotFitWhole)
{
    ASSERT_TRUE(put(slots - 3));
    EXPECT_EQ(writer.look(spool::nameSlots(129)), Room::Full);
    EXPECT_NE(writer.look(spool::nameSlots(128)), Room::Full);
    EXPECT_TRUE(put(3));
    EXPECT_FALSE(put(1));
}

TEST_F(Ring, LooksAgainAfterANameJumpedOverTheLimit)
{
    ASSERT_TRUE(put(60));
    ASSERT_EQ(writer.look(66), Room::Enough);
    const std::string text(longestName, 'y');
    writer.putName(nameText(0, 1, NameClass::File, text.size()), text, thread);
    EXPECT_TRUE(writer.atLimit());
    EXPECT_EQ(writer.look(1), Room::Quarter);
}

TEST_F(Ring, GoesOnWithTheSequencesUnderTheNextOwner)
{
    ASSERT_TRUE(put(100));
    RingWriter other{};
    other.attach(header());
    ASSERT_EQ(other.look(1), Room::Quarter);
    other.put(mpiWait({0, 0}, 100, 0), thread + 1);
    EXPECT_EQ(header()->head.load(), 101U);
    EXPECT_EQ(drainAll(), numbersFrom(0, 101));
}
