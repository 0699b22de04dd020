// SPDX-License-Identifier: MIT
#include "collector/ingest/spool_reader.h"

#include "collector/ingest/spool_meta.h"
#include "collector/record/error.h"
#include "tests/unit/collector/ingest/spool_maker.h"

#include <gtest/gtest.h>

namespace flowgauge::ingest {
namespace {

struct SpoolReaderTest : testing::Test {
    TestFolder folder;
    std::filesystem::path file = folder.path() / "4711-1000.spool";
    SpoolMaker maker{file};

    /// Begins of all events that the reader hands out, in its order.
    static std::vector<Ticks> begins(SpoolReader& reader)
    {
        std::vector<Ticks> all, again;
        reader.survey(false, [&](const Piece& piece) {
            for (const Event& event : piece.events) all.push_back(event.begin);
        });
        reader.visit([&](const Piece& piece) {
            for (const Event& event : piece.events) again.push_back(event.begin);
        });
        EXPECT_EQ(all, again);
        return all;
    }
    std::string complaint()
    {
        try {
            const SpoolReader reader(file);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(SpoolReaderTest, ChunksFirstThenWhatOnlyTheRingHolds)
{
    maker.chunk(0, 0, {readAt(10, 1, 1), readAt(20, 1, 1)});
    maker.ring(2, {readAt(30, 1, 1), readAt(40, 1, 1)});
    maker.write();
    SpoolReader reader(file);
    EXPECT_EQ(begins(reader), (std::vector<Ticks>{10, 20, 30, 40}));
    EXPECT_TRUE(reader.warnings().empty());
    EXPECT_TRUE(reader.gaps().empty());
}

TEST_F(SpoolReaderTest, EventsThatAreInAChunkAndStillInTheRingAreTakenOnce)
{
    maker.chunk(0, 0, {readAt(10, 1, 1), readAt(20, 1, 1)});
    maker.ring(0, {readAt(10, 1, 1), readAt(20, 1, 1), readAt(30, 1, 1)});  // the tail had not moved on when it died
    maker.write();
    SpoolReader reader(file);
    EXPECT_EQ(begins(reader), (std::vector<Ticks>{10, 20, 30}));
}

TEST_F(SpoolReaderTest, ATornChunkEndsTheFileAndTheRingStillHasItsEvents)
{
    maker.chunk(0, 0, {readAt(10, 1, 1)});
    const spool::ChunkHeader torn{spool::chunkMagic, spool::ChunkType::Events, 0, 1, 2, 128, 12345, {}};
    maker.raw(std::string(reinterpret_cast<const char*>(&torn), sizeof torn));
    maker.ring(1, {readAt(20, 1, 1), readAt(30, 1, 1)});
    maker.write();
    SpoolReader reader(file);
    EXPECT_EQ(begins(reader), (std::vector<Ticks>{10, 20, 30}));
    EXPECT_TRUE(reader.warnings().empty());
}

TEST_F(SpoolReaderTest, AGapBetweenChunksIsToldWithItsPlaceAndSize)
{
    maker.chunk(0, 0, {readAt(10, 1, 1)});
    maker.chunk(0, 5, {readAt(60, 1, 1)});
    maker.write();
    SpoolReader reader(file);
    EXPECT_EQ(begins(reader), (std::vector<Ticks>{10, 60}));
    ASSERT_EQ(reader.gaps().size(), 1U);
    EXPECT_EQ(reader.gaps()[0].first, 1U);
    EXPECT_EQ(reader.gaps()[0].count, 4U);
}

TEST_F(SpoolReaderTest, OverlappingChunksAreTakenOnceAndTold)
{
    maker.chunk(0, 0, {readAt(10, 1, 1), readAt(20, 1, 1)});
    maker.chunk(0, 1, {readAt(20, 1, 1), readAt(30, 1, 1)});
    maker.write();
    SpoolReader reader(file);
    EXPECT_EQ(begins(reader), (std::vector<Ticks>{10, 20, 30}));
    EXPECT_EQ(reader.warnings().size(), 1U);
}

TEST_F(SpoolReaderTest, ALostSpoolFileIsMadeUpFromTheRingAsFarAsItReaches)
{
    std::vector<Event> last;
    for (Ticks at = 0; at < 128; ++at) last.push_back(readAt(1000 + at, 1, 1));
    maker.ring(872, last).tail = 1000;  // the drain had written all 1,000; the file is empty
    maker.write();
    SpoolReader reader(file);
    const std::vector<Ticks> seen = begins(reader);
    ASSERT_EQ(seen.size(), 63U);  // 128 slots less the 65 that a dying writer may have been at
    EXPECT_EQ(seen.front(), 1065U);
    EXPECT_EQ(seen.back(), 1127U);
    ASSERT_EQ(reader.gaps().size(), 1U);
    EXPECT_EQ(reader.gaps()[0].count, 937U);
}

TEST_F(SpoolReaderTest, WithoutRingsFileTheChunksAreThereAndAWarning)
{
    maker.chunk(0, 0, {readAt(10, 1, 1)});
    maker.write();
    std::filesystem::remove(folder.path() / "4711-1000.rings");
    SpoolReader reader(file);
    EXPECT_EQ(begins(reader), (std::vector<Ticks>{10}));
    ASSERT_EQ(reader.warnings().size(), 1U);
    EXPECT_NE(reader.warnings()[0].find("4711-1000.rings: cannot be read"), std::string::npos);
}

TEST_F(SpoolReaderTest, LossesOfRingsAndProcessAreAdded)
{
    maker.ring(0, {}).lostFull = 3;
    maker.ring(0, {}).lostFull = 4;
    maker.write();
    SpoolReader reader(file);
    (void)begins(reader);
    EXPECT_EQ(reader.process().lost[0], 7U);
}

TEST_F(SpoolReaderTest, AnEmptyFileIsRefusedInOneLine)
{
    std::ofstream{file};
    EXPECT_EQ(complaint(), file.string() +
                               ": expected a spool header of 4096 bytes, found a file of 0 bytes: its process ended before it "
                               "recorded anything, or the file was cut");
}

TEST_F(SpoolReaderTest, AForeignFileIsRefused)
{
    std::ofstream(file) << std::string(8192, 'x');
    EXPECT_EQ(complaint(), file.string() + ": not a spool file: expected it to begin with FGSPOOL1");
}

TEST_F(SpoolReaderTest, ANewerVersionIsRefusedWithBothNumbers)
{
    maker.header().version = 9;
    maker.write();
    EXPECT_EQ(complaint(), file.string() + ": has spool version 9, this build reads version 1; use the flowgauge that recorded it");
}

TEST_F(SpoolReaderTest, EveryCutOfTheFileYieldsAPrefixAndNeverAnError)
{
    maker.chunk(0, 0, {readAt(10, 1, 1), readAt(20, 1, 1)});
    maker.chunk(0, 2, {readAt(30, 1, 1)});
    maker.write();
    std::filesystem::remove(folder.path() / "4711-1000.rings");
    for (std::uintmax_t length = std::filesystem::file_size(file) - 1; length >= spool::pageBytes; length -= 7) {
        std::filesystem::resize_file(file, length);
        SpoolReader reader(file);
        const std::size_t expected = length >= spool::pageBytes + 64 + 128 + 64 + 64 ? 3 : length >= spool::pageBytes + 64 + 128 ? 2 : 0;
        ASSERT_EQ(begins(reader).size(), expected) << "at " << length;
    }
}

TEST_F(SpoolReaderTest, ANameIsPutTogetherAcrossPiecesAndMayFollowTheEventsThatUseIt)
{
    const std::string text(100, 'n');  // two slots of text
    const std::vector<Event> slots = nameSlotsOf(5, text);
    ASSERT_EQ(slots.size(), 3U);
    maker.chunk(1, 0, {readAt(10, 5, 1)});
    maker.chunk(0, 0, {slots[0], slots[1]});
    maker.ring(2, {slots[2], readAt(20, 5, 1)});
    maker.write();
    SpoolReader reader(file);
    SpoolMeta meta;
    reader.survey(false, [&](const Piece& piece) { meta.take(piece); });
    ASSERT_EQ(meta.names().size(), 1U);
    EXPECT_EQ(meta.names()[0].text, text);
    EXPECT_EQ(meta.names()[0].key, 5U);
    EXPECT_EQ(meta.lastTicks(), 1000U);  // of the NameText itself; the text behind it is not taken for an event
}

}  // namespace
}  // namespace flowgauge::ingest
