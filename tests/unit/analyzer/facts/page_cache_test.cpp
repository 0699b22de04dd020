// SPDX-License-Identifier: MIT
#include "analyzer/facts/page_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace flowgauge::facts {
namespace {

constexpr std::size_t plenty = 10'000;
/// Linux's read-ahead, on a disk that takes 1280 KiB at once.
constexpr PageCache::Requests requests{32, 320};
constexpr PageCache::File file{0, 1000};

/// Pages that a call asks for, finds missing, fetches.
using Call = std::array<std::int64_t, 3>;
Call call(PageCache& cache, PageCache::Reader& reader, std::int64_t from, std::int64_t to)
{
    cache.read(file, reader, from, to);
    const PageCache::Counts counts = cache.takeCounts();
    return {counts.asked, counts.missing, counts.fetched};
}

TEST(PageCache, AReadAmidstNothingFetchesWhatItAsksFor)
{
    PageCache cache(plenty, file.pages, requests);
    PageCache::Reader reader;
    EXPECT_EQ(call(cache, reader, 100, 110), (Call{10, 10, 10}));
    EXPECT_EQ(call(cache, reader, 100, 110), (Call{10, 0, 0}));
    EXPECT_EQ(call(cache, reader, 500, 600), (Call{100, 100, 100})) << "more than the read-ahead at once";
}

TEST(PageCache, AFileThatIsReadFromItsBeginIsFetchedInGrowingWindows)
{
    PageCache cache(plenty, file.pages, requests);
    PageCache::Reader reader;
    EXPECT_EQ(call(cache, reader, 0, 4), (Call{4, 4, 8}));
    EXPECT_EQ(call(cache, reader, 4, 8), (Call{4, 0, 16})) << "the mark is at page 4";
    EXPECT_EQ(call(cache, reader, 8, 12), (Call{4, 0, 32}));
    EXPECT_EQ(call(cache, reader, 12, 24), (Call{12, 0, 0}));
    EXPECT_EQ(call(cache, reader, 24, 28), (Call{4, 0, 32}));
}

TEST(PageCache, PagesInARowLookLikeTheTracesOfSomebodyWhoReadsOn)
{
    PageCache cache(plenty, file.pages, requests);
    PageCache::Reader one, other;
    EXPECT_EQ(call(cache, one, 100, 110), (Call{10, 10, 10}));
    EXPECT_EQ(call(cache, other, 110, 115), (Call{5, 5, 15})) << "as many as there are before it, with the mark on the last";
    EXPECT_EQ(call(cache, other, 120, 125), (Call{5, 0, 30})) << "the mark: the window before, doubled";
    static_cast<void>(call(cache, one, 500, 510));
    static_cast<void>(call(cache, other, 510, 515));
    EXPECT_EQ(call(cache, one, 520, 525), (Call{5, 0, 4})) << "the mark of another reader: what is there behind it and is wanted, doubled";
}

/// As NFS mounted with rsize=262144.
TEST(PageCache, ACallThatWantsMoreThanOneRequestHasMoreReadAheadOfItThanItWants)
{
    PageCache cache(plenty, file.pages, {32, 64});
    PageCache::Reader reader;
    EXPECT_EQ(call(cache, reader, 100, 164), (Call{64, 64, 64})) << "one request";
    EXPECT_EQ(call(cache, reader, 500, 575), (Call{75, 75, 64 + 43 + 32}))
        << "from the middle of the first window on the 43 that are still wanted, from the begin of those the read-ahead";
}

TEST(PageCache, BeforeLinux66AMissingPageWithinACallWasTakenForReadingOn)
{
    for (const bool older : {false, true}) {
        PageCache cache(plenty, file.pages, {32, 320, older});
        PageCache::Reader reader;
        static_cast<void>(call(cache, reader, 100, 110));
        static_cast<void>(call(cache, reader, 500, 510));
        const std::int64_t window = 32;  // of 15 that are wanted: the whole read-ahead
        EXPECT_EQ(call(cache, reader, 105, 125), (Call{20, 15, older ? window : 15})) << older;
    }
}

TEST(PageCache, NothingIsFetchedBeyondTheFilesEnd)
{
    PageCache cache(plenty, file.pages, requests);
    PageCache::Reader reader;
    EXPECT_EQ(call(cache, reader, 990, 995), (Call{5, 5, 5}));
    EXPECT_EQ(call(cache, reader, 995, 998), (Call{3, 3, 5}));
}

TEST(PageCache, WithoutReadAheadOnlyWhatIsMissingIsFetched)
{
    PageCache cache(plenty, file.pages, {});
    PageCache::Reader reader;
    EXPECT_EQ(call(cache, reader, 0, 10), (Call{10, 10, 10}));
    EXPECT_EQ(call(cache, reader, 5, 20), (Call{15, 10, 10}));
}

TEST(PageCache, WhatWasUsedTwiceStaysLonger)
{
    PageCache cache(100, file.pages, {});
    PageCache::Reader reader;
    static_cast<void>(call(cache, reader, 0, 40));
    static_cast<void>(call(cache, reader, 0, 40));
    for (std::int64_t page = 100; page < 260; page += 20) static_cast<void>(call(cache, reader, page, page + 20));
    EXPECT_EQ(call(cache, reader, 0, 40)[1], 0);
    EXPECT_EQ(call(cache, reader, 100, 160)[1], 60) << "used once";
}

/// Share of the pages that epochs 3 and 4 find of 600 files of 27 pages, each read whole, with room for so many megabytes.
double held(std::size_t megabytes, bool shuffled)
{
    constexpr std::uint32_t files = 600, pages = 27;
    PageCache cache(megabytes * 1'000'000 / 4096, std::size_t{files} * pages, requests);
    std::vector<std::uint32_t> order(files);
    for (std::uint32_t i = 0; i < files; ++i) order[i] = i;
    std::mt19937 random(1);
    for (int epoch = 1; epoch <= 4; ++epoch) {
        if (epoch == 3) static_cast<void>(cache.takeCounts());
        if (shuffled) std::shuffle(order.begin(), order.end(), random);
        for (const std::uint32_t number : order) {
            PageCache::Reader reader;
            cache.read({number * pages, pages}, reader, 0, pages);
        }
    }
    const PageCache::Counts counts = cache.takeCounts();
    return 1 - static_cast<double>(counts.missing) / static_cast<double>(counts.asked);
}

/// facts/storage.md §2: 66 MB over NFS, in the same order 0; in a new one each epoch 23 and 24 % with a limit of 40 MB, 69 and 62 % with
/// 60 MB, of which programs and the kernel take some.
TEST(PageCache, HoldsWhatLinuxWasSeenToHold)
{
    for (const std::size_t megabytes : {37U, 57U}) EXPECT_EQ(held(megabytes, false), 0);
    EXPECT_NEAR(held(37, true), 0.235, 0.05);
    EXPECT_NEAR(held(57, true), 0.655, 0.05);
}

}  // namespace
}  // namespace flowgauge::facts
