// SPDX-License-Identifier: MIT
#include "collector/record/error.h"
#include "collector/store/tile_builder.h"
#include "tests/unit/collector/store/temporary_run.h"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace flowgauge::store {
namespace {

using TileTest = TemporaryRun;

/// 30,000 events with gaps, one in ten nested, and one that lasts through hundreds.
std::vector<StoredEvent> busyTrack()
{
    std::mt19937_64 random(4);
    std::vector<StoredEvent> events;
    Nanos at = 1000;
    for (int i = 0; i < 30'000; ++i) {
        const auto duration = static_cast<Nanos>(random() % 9000);
        events.push_back(readEvent(at, at + (i == 9000 ? 5'000'000 : duration), 1 + i % 50, i % 7 == 0 ? -1 : i % 1000));
        at += i % 10 == 0 ? duration / 2 : duration + static_cast<Nanos>(random() % 20'000);
    }
    return events;
}

/// Up to the rounding of busy, and of longest in tiles that hold an event of more than 4.3 s.
void expectSame(const std::vector<Bucket>& tiled, const std::vector<Bucket>& exact, Nanos longestWithin = 0)
{
    ASSERT_EQ(tiled.size(), exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
        EXPECT_EQ(tiled[i].events, exact[i].events) << i;
        EXPECT_EQ(tiled[i].bytes, exact[i].bytes) << i;
        EXPECT_LE(std::abs(tiled[i].longest - exact[i].longest), longestWithin) << i;
        EXPECT_EQ(tiled[i].leadingKind, exact[i].leadingKind) << i;
        EXPECT_NEAR(tiled[i].busy, exact[i].busy, 2e-4) << i;
    }
}

TEST_F(TileTest, TilesShowTheSameAsTheEvents)
{
    const auto written = busyTrack();
    put(io, written);
    const Interval aligned{0, Nanos{1} << 28};
    const auto exact = store.buckets(io, aligned, 1024);  // no tiles yet
    store.finalize();
    ASSERT_EQ(row("SELECT tile_base IS NOT NULL FROM track"), "1");
    const auto tiled = store.buckets(io, aligned, 1024);  // columns are whole buckets: equal up to the rounding of busy
    expectSame(tiled, exact);
    std::int64_t seen = 0;
    for (const Bucket& bucket : exact) seen += bucket.events;
    EXPECT_EQ(seen, static_cast<std::int64_t>(
                        std::count_if(written.begin(), written.end(), [&](const auto& e) { return aligned.contains(e.begin); })));
}

TEST_F(TileTest, TilesMadeOnTheWayEqualThoseThatAreReadBack)
{
    const auto written = busyTrack();
    put(io, {written.begin(), written.begin() + 10'000});
    put(io, {written.begin() + 10'000, written.end()});  // a second transaction of the same writer goes on where it was
    store.finalize();
    const std::string onTheWay = row("SELECT tile_base, tile_levels, max_overlap FROM track");
    const Interval aligned{0, Nanos{1} << 28};
    const auto made = store.buckets(io, aligned, 1024);
    const std::string rows = row("SELECT count(*), min(level), max(level), count(DISTINCT level) FROM tile");
    store.database().execute("UPDATE track SET max_overlap = NULL; DELETE FROM tile");
    store.finalize();  // reads the track back
    EXPECT_EQ(row("SELECT tile_base, tile_levels, max_overlap FROM track"), onTheWay);
    EXPECT_EQ(row("SELECT count(*), min(level), max(level), count(DISTINCT level) FROM tile"), rows);
    expectSame(store.buckets(io, aligned, 1024), made);
}

TEST_F(TileTest, ALongPauseMakesTheTilesCoarserAndHidesNothing)
{
    std::vector<StoredEvent> written;
    for (Nanos i = 0; i < 20'000; ++i) written.push_back(readEvent(i * 1000, i * 1000 + 700, 1, 1));
    constexpr Nanos hour = 3'600'000'000'000;
    written.push_back(readEvent(hour, 2 * hour, 2, 7));
    for (Nanos i = 0; i < 20'000; ++i) written.push_back(readEvent(2 * hour + i * 100'000, 2 * hour + i * 100'000 + 90, 1, 1));
    put(io, written);
    const Interval aligned{0, Nanos{1} << 43};
    const auto exact = store.buckets(io, aligned, 64);
    store.finalize();
    EXPECT_EQ(row("SELECT tile_base > 20 AND max_overlap = 1 FROM track"), "1");
    EXPECT_EQ(row("SELECT count(*) < 500 AND min(level) = 0 FROM tile"), "1");  // 16 us wide, the hour alone would need 400,000
    EXPECT_EQ(row("SELECT max(level) + 1 = (SELECT tile_levels FROM track) FROM tile"), "1");
    expectSame(store.buckets(io, aligned, 64), exact, 1024);
}

TEST_F(TileTest, AnEventThatComesLateIsInItsPlace)
{
    auto written = busyTrack();
    const StoredEvent late = readEvent(2000, 900'000, 3, 77);
    put(io, written);
    put(io, {late});
    const Interval aligned{0, Nanos{1} << 28};
    const auto exact = store.buckets(io, aligned, 1024);
    store.finalize();
    expectSame(store.buckets(io, aligned, 1024), exact);
    const auto stored = events();
    EXPECT_EQ(stored.size(), written.size() + 1);
    EXPECT_TRUE(std::is_sorted(stored.begin(), stored.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; }));
    EXPECT_NE(std::find(stored.begin(), stored.end(), late), stored.end());
}

TEST_F(TileTest, AWindowFinerThanTheTilesShowsTheEvents)
{
    put(io, busyTrack());
    store.finalize();
    const auto buckets = store.buckets(io, {1000, 1010}, 10);
    ASSERT_EQ(buckets.size(), 10U);
    EXPECT_EQ(buckets[0].events, 1U);
    EXPECT_EQ(buckets[0].leadingKind, Kind::FileRead);
    EXPECT_TRUE(store.buckets(io, {10, 10}, 10).size() == 10 && store.buckets(io, {0, 10}, 0).empty());
}

TEST_F(TileTest, NewEventsMakeOldTilesInvalid)
{
    put(io, busyTrack());
    store.finalize();
    put(io, {readEvent(1'000'000'000'000, 1'000'000'000'010, 1, 5)});
    EXPECT_EQ(row("SELECT tile_base, max_overlap FROM track"), "NULL|NULL");
    store.finalize();
    std::int64_t seen = 0;
    for (const Bucket& bucket : store.buckets(io, {0, 2'000'000'000'000}, 100)) seen += bucket.events;
    EXPECT_EQ(seen, 30'001);
}

TEST_F(TileTest, BusyIsTheUnionOfNestedEvents)
{
    put(io, {readEvent(0, 100, 1, 1), readEvent(10, 20, 2, 1), readEvent(50, 120, 3, 1)});
    const auto buckets = store.buckets(io, {0, 200}, 4);
    EXPECT_FLOAT_EQ(buckets[0].busy, 1);
    EXPECT_FLOAT_EQ(buckets[1].busy, 1);
    EXPECT_FLOAT_EQ(buckets[2].busy, 0.4F);
    EXPECT_FLOAT_EQ(buckets[3].busy, 0);
    EXPECT_EQ(buckets[0].events, 2U);
    EXPECT_EQ(buckets[0].leadingName, 1);
    EXPECT_EQ(buckets[2].leadingName, 3);
    store.finalize();
    EXPECT_EQ(row("SELECT max_overlap FROM track"), "2");
}

TEST(Tile, ComesBackEqualAndSurvivesDamage)
{
    Tile tile;
    for (std::size_t i = 0; i < tile.size(); i += 3) {
        tile[i].events = static_cast<std::uint32_t>(i + 1);
        tile[i].longest = static_cast<Nanos>(i) * 1000;
        tile[i].bytes = i << 12;
        tile[i].busyNs = 16384;
        tile[i].leadingKind = Kind::FileRead;
        tile[i].leadingName = static_cast<Id>(i % 40);
    }
    const auto data = encodeTile(tile, 16384);
    Tile back;
    decodeTile(data, 16384, back);
    for (std::size_t i = 0; i < tile.size(); ++i) {
        EXPECT_EQ(back[i].events, tile[i].events);
        EXPECT_EQ(back[i].longest, tile[i].longest);
        EXPECT_EQ(back[i].bytes, tile[i].bytes);
        EXPECT_EQ(back[i].busyNs, tile[i].busyNs);
        EXPECT_EQ(back[i].leadingName, tile[i].leadingName);
    }
    for (std::size_t length = 0; length < data.size(); ++length)
        EXPECT_THROW(decodeTile(std::span(data).first(length), 16384, back), Error) << length;
    for (std::size_t bit = 0; bit < data.size() * 8; ++bit) {
        auto damaged = data;
        damaged[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        try {
            decodeTile(damaged, 16384, back);
        } catch (const Error&) {
        }
    }
}

}  // namespace
}  // namespace flowgauge::store
