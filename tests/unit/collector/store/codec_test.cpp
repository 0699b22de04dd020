// SPDX-License-Identifier: MIT
#include "collector/store/codec.h"

#include "collector/record/error.h"

#include <gtest/gtest.h>
#include <random>

namespace flowgauge::store {
namespace {

using Chunk = std::vector<std::uint8_t>;

Chunk encode(std::span<const StoredEvent> events, int level = 1)
{
    EventColumns columns;
    columns.assign(events);
    ChunkEncoder encoder;
    const auto chunk = encoder.encode(columns, level);
    return {chunk.begin(), chunk.end()};
}

std::vector<StoredEvent> decode(const Chunk& chunk)
{
    static EventColumns columns;
    static ChunkDecoder decoder;  // one for all: a damaged chunk must leave it usable
    decoder.decode(chunk, allColumns, columns);
    std::vector<StoredEvent> events;
    for (std::size_t i = 0; i < columns.size(); ++i) events.push_back(columns.event(i));
    return events;
}

/// Values of all magnitudes, so that every width, predictor and the dictionary are met.
std::vector<StoredEvent> randomEvents(std::uint64_t seed, std::size_t count)
{
    std::mt19937_64 random(seed);
    std::array<unsigned, 9> shift{};
    for (unsigned& bits : shift) bits = static_cast<unsigned>(random() % 64);
    const bool few = seed % 3 == 0;
    std::vector<StoredEvent> events;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = [&](std::size_t column) {
            return static_cast<std::int64_t>(few ? (random() % 7) * 0x1234567890ABULL << (shift[column] / 4) : random() >> shift[column]);
        };
        events.push_back({value(0),
                          value(1),
                          random() >> shift[2],
                          static_cast<Kind>(random() % kindCount),
                          static_cast<std::uint16_t>(random() >> shift[4]),
                          {value(5), value(6), value(7), value(8)}});
    }
    return events;
}

TEST(Codec, AnyEventsComeBackEqual)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto events = randomEvents(seed, 1 + seed * 37 % maxChunkEvents);
        ASSERT_EQ(decode(encode(events, seed % 2 == 0 ? 1 : 3)), events) << "seed " << seed;
    }
}

TEST(Codec, OneEventAndAFullChunkComeBackEqual)
{
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, maxChunkEvents}) {
        const auto events = randomEvents(7, count);
        EXPECT_EQ(decode(encode(events)), events);
    }
}

TEST(Codec, ConstantAndEvenlySpacedColumnsCostAlmostNothing)
{
    std::vector<StoredEvent> reads;
    for (std::int64_t i = 0; i < 4096; ++i)
        reads.push_back({i * 1000, i * 1000 + 400, static_cast<std::uint64_t>(i), Kind::FileRead, 0, {5, i * 65536, 65536, 65536}});
    EXPECT_LT(encode(reads).size(), 100U);
    EXPECT_EQ(decode(encode(reads)), reads);
}

TEST(Codec, DecodesOnlyTheWantedColumns)
{
    const auto events = randomEvents(11, 500);
    EventColumns columns;
    ChunkDecoder decoder;
    decoder.decode(encode(events), setOf(Column::Arg3), columns);
    ASSERT_EQ(columns.size(), events.size());
    for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(columns.argument(i, 3), events[i].arg[3]);
}

TEST(Codec, EveryPrefixIsAnErrorAndNeverACrash)
{
    const Chunk chunk = encode(randomEvents(3, 60));
    for (std::size_t length = 0; length < chunk.size(); ++length)
        EXPECT_THROW((void)decode(Chunk(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(length))), Error) << length;
}

TEST(Codec, EveryFlippedBitIsAnErrorOrOtherEventsAndNeverACrash)
{
    const auto events = randomEvents(5, 60);
    const Chunk chunk = encode(events);
    for (std::size_t bit = 0; bit < chunk.size() * 8; ++bit) {
        Chunk damaged = chunk;
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        try {
            EXPECT_LE(decode(damaged).size(), maxChunkEvents);
        } catch (const Error&) {
        }
    }
}

TEST(Codec, RandomBytesAreAnError)
{
    std::mt19937_64 random(1);
    for (int round = 0; round < 2000; ++round) {
        Chunk chunk(random() % 300);
        for (auto& byte : chunk) byte = static_cast<std::uint8_t>(random());
        if (chunk.size() > 8 && round % 2 == 0) chunk[0] = chunkCodec, chunk[1] = 0;
        EXPECT_THROW((void)decode(chunk), Error);
    }
}

TEST(Codec, AKindOfANewerBuildIsAnErrorThatSaysSo)
{
    std::vector<StoredEvent> events = randomEvents(2, 3);
    events[1].kind = static_cast<Kind>(kindCount + 4);
    try {
        (void)decode(encode(events));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("newer flowgauge"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace flowgauge::store
