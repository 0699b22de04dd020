// SPDX-License-Identifier: MIT
#include "tests/unit/collector/buffer/spool_file.h"
#include "tests/unit/collector/buffer/victim.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <set>
#include <thread>

using namespace flowgauge;
using namespace flowgauge::test;

TEST(Recorder, WritesWhatAReaderOfTheFormatFinds)
{
    const TemporaryFolder folder;
    const int status = runVictim({.folder = folder.path() / "a" / "host"}, [] {
        const NameKey key = buffer::name(NameClass::File, "/data/shard-000.rec");
        VICTIM_EXPECT(key != 0);
        for (std::uint64_t number = 0; number < 1000; ++number) buffer::record(numbered(number));
    });
    ASSERT_EQ(status, 0);
    const SpoolFile file = onlySpool(folder.path() / "a" / "host");
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    const auto reads = file.events(Kind::FileRead);
    ASSERT_EQ(reads.size(), 1000U);
    for (std::uint64_t number = 0; number < 1000; ++number) EXPECT_EQ(numberOf(reads[number]), number);
    EXPECT_EQ(file.names(NameClass::File).begin()->second, "/data/shard-000.rec");
    EXPECT_EQ(file.lost, (std::array<std::uint64_t, 16>{}));
}
