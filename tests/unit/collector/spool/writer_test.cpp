// SPDX-License-Identifier: MIT
#include "collector/spool/writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

using namespace flowgauge;
using namespace flowgauge::spool;

namespace {

/// A spool file that is gone at the end of the test.
class SpoolWriting : public testing::Test {
protected:
    SpoolWriting() { m_fd = ::mkstemp(m_path.data()); }
    ~SpoolWriting() override
    {
        ::close(m_fd);
        ::unlink(m_path.c_str());
    }

    [[nodiscard]] std::string bytes() const
    {
        std::ifstream in(m_path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    [[nodiscard]] ChunkHeader chunkAt(std::size_t at) const
    {
        ChunkHeader header;
        std::memcpy(&header, bytes().data() + at, sizeof header);
        return header;
    }
    [[nodiscard]] int fd() const { return m_fd; }

private:
    std::string m_path = (std::filesystem::temp_directory_path() / "flowgauge-spool-XXXXXX").string();
    int m_fd = -1;
};

std::string patternOf(std::size_t size)
{
    std::string text(size, '\0');
    std::iota(text.begin(), text.end(), '\1');
    return text;
}

Chunk eventsOf(const std::string& payload, std::size_t firstPiece, std::uint64_t sequence)
{
    return {ChunkType::Events,
            0,
            sequence,
            payload.size() / slotBytes,
            {{{payload.data(), firstPiece}, {payload.data() + firstPiece, payload.size() - firstPiece}}}};
}

}  // namespace

TEST_F(SpoolWriting, LaysChunksOutLikeTheWorkedExample)
{
    SpoolWriter writer(pageBytes, 0);
    const std::string payload = patternOf(192);
    ASSERT_EQ(writer.append(fd(), eventsOf(payload, 128, 5)), Append::Done);
    const ChunkHeader header = chunkAt(pageBytes);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(&header.magic), 8), "FGCHUNK1");
    EXPECT_EQ(header.type, ChunkType::Events);
    EXPECT_EQ(header.ring, 0U);
    EXPECT_EQ(header.firstSequence, 5U);
    EXPECT_EQ(header.count, 3U);
    EXPECT_EQ(header.payloadBytes, 192U);
    EXPECT_EQ(header.checksum, checksumOf(payload.data(), payload.size()));
    EXPECT_EQ(bytes().substr(pageBytes + 64, 192), payload);
    EXPECT_EQ(writer.used(), pageBytes + 64 + 192);
}

TEST_F(SpoolWriting, PutsTheNextChunkBehindTheLastAndEndsWithZeros)
{
    SpoolWriter writer(pageBytes, 0);
    const std::string payload = patternOf(64);
    ASSERT_EQ(writer.append(fd(), eventsOf(payload, 64, 0)), Append::Done);
    ASSERT_EQ(writer.append(fd(), eventsOf(payload, 64, 1)), Append::Done);
    EXPECT_EQ(chunkAt(pageBytes + 128).firstSequence, 1U);
    ASSERT_GE(bytes().size(), writer.used());
    EXPECT_EQ(bytes().substr(writer.used()), std::string(bytes().size() - writer.used(), '\0'));
}

TEST_F(SpoolWriting, PadsAPayloadToWholeSlots)
{
    SpoolWriter writer(pageBytes, 0);
    const std::string text = "cwd=/home/x";
    ASSERT_EQ(writer.append(fd(), {ChunkType::Environment, 0, 0, 0, {{{text.data(), text.size()}, {nullptr, 0}}}}), Append::Done);
    EXPECT_EQ(chunkAt(pageBytes).payloadBytes, text.size());
    EXPECT_EQ(writer.used(), pageBytes + 128);
}

TEST_F(SpoolWriting, KeepsToItsSizeLimitExactly)
{
    const std::string payload = patternOf(64);
    SpoolWriter writer(pageBytes, pageBytes + 2 * 128);
    EXPECT_EQ(writer.append(fd(), eventsOf(payload, 64, 0)), Append::Done);
    EXPECT_EQ(writer.append(fd(), eventsOf(payload, 64, 1)), Append::Done);
    EXPECT_EQ(writer.append(fd(), eventsOf(payload, 64, 2)), Append::LimitReached);
    EXPECT_EQ(bytes().size(), pageBytes + 2 * 128);
}

TEST_F(SpoolWriting, OverwritesAChunkThatWasNotCompletedBefore)
{
    const std::string torn = patternOf(100);
    ASSERT_EQ(::pwrite(fd(), torn.data(), torn.size(), pageBytes), 100);
    SpoolWriter writer(pageBytes, 0);
    const std::string payload = patternOf(64);
    ASSERT_EQ(writer.append(fd(), eventsOf(payload, 64, 9)), Append::Done);
    EXPECT_EQ(chunkAt(pageBytes).magic, chunkMagic);
    EXPECT_EQ(chunkAt(pageBytes).firstSequence, 9U);
}

TEST_F(SpoolWriting, AnswersTheFileSizeLimitWithoutTheSignalThatKills)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit limit{pageBytes + 64, pageBytes + 64};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        SpoolWriter writer(pageBytes, 0);
        const std::string payload = patternOf(64);
        ::_exit(writer.append(fd(), eventsOf(payload, 64, 0)) == Append::LimitReached ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

TEST_F(SpoolWriting, SaysSoWhenTheDiskIsFull)
{
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full < 0) GTEST_SKIP() << "/dev/full cannot be opened here";
    SpoolWriter writer(pageBytes, 0);
    const std::string payload = patternOf(64);
    const Append outcome = writer.append(full, eventsOf(payload, 64, 0));
    ::close(full);
    EXPECT_NE(outcome, Append::Done);
    EXPECT_EQ(writer.used(), pageBytes);
}

TEST(Checksum, IsTheSameForAPayloadInPieces)
{
    const std::string payload = patternOf(640);
    Checksum sum;
    sum.add(payload.data(), 192);
    sum.add(payload.data() + 192, 448);
    EXPECT_EQ(sum.value(), checksumOf(payload.data(), payload.size()));
}

TEST(Checksum, ChangesWithEveryBitAndWithTheLength)
{
    std::string payload = patternOf(128);
    const std::uint64_t before = checksumOf(payload.data(), payload.size());
    for (std::size_t byte = 0; byte < payload.size(); ++byte) {
        payload[byte] = static_cast<char>(payload[byte] ^ 0x10);
        EXPECT_NE(checksumOf(payload.data(), payload.size()), before) << byte;
        payload[byte] = static_cast<char>(payload[byte] ^ 0x10);
    }
    EXPECT_NE(checksumOf(std::string(64, '\0').data(), 64), checksumOf(std::string(128, '\0').data(), 128));
}
