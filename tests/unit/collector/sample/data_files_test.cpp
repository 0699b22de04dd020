// SPDX-License-Identifier: MIT
#include "collector/sample/data_files.h"

#include "collector/sample/data_mounts.h"
#include "collector/sample/data_round.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <set>

namespace flowgauge::sample {
namespace {

DataFile fileOf(int number)
{
    DataFile file;
    EXPECT_TRUE(file.set("/data/train/" + std::to_string(number) + ".jpeg", 7, static_cast<std::uint64_t>(number)));
    return file;
}

TEST(DataFiles, AreThoseWithTheSmallestHashesHoweverOftenTheyCome)
{
    DataFiles files;
    ASSERT_TRUE(files.create());
    std::vector<std::uint64_t> all;
    for (int number = 0; number < 2000; ++number) all.push_back(fileOf(number).hash);
    for (int epoch = 0; epoch < 2; ++epoch)
        for (int number = 0; number < 2000; ++number) files.insert(fileOf(number));
    std::sort(all.begin(), all.end());
    std::set<std::uint64_t> kept;
    for (std::size_t at = 0; at < files.size(); ++at) kept.insert(files[at].hash);
    EXPECT_EQ(kept, std::set<std::uint64_t>(all.begin(), all.begin() + DataFiles::most));
    EXPECT_EQ(files.largestHash(), all[DataFiles::most - 1]);
    EXPECT_NEAR(files.filesInAll(), 2000, 200) << "a standard deviation is 2000 / sqrt(512) = 88";
    files.release();
}

TEST(DataFiles, AFewAreCounted)
{
    DataFiles files;
    ASSERT_TRUE(files.create());
    for (int number = 0; number < 5; ++number) files.insert(fileOf(number));
    EXPECT_EQ(files.insert(fileOf(3)), -1);
    EXPECT_EQ(files.filesInAll(), 5);
    EXPECT_EQ(files.largestHash(), UINT64_MAX);
    files.release();
}

TEST(DataFiles, AHalfWrittenNameIsNotWhole)
{
    DataFile file = fileOf(1);
    EXPECT_TRUE(file.whole());
    file.path[3] = 'x';
    EXPECT_FALSE(file.whole());
    file.length = 9999;
    EXPECT_FALSE(file.whole());
    EXPECT_FALSE(DataFile().whole());
    EXPECT_FALSE(file.set(std::string(480, 'x'), 1, 1)) << "no room for its end";
}

/// What another process reads in the table of that folder.
std::vector<std::string> tableOf(const std::string& folder)
{
    std::vector<std::string> names;
    DataFiles files;
    const int table = openDataFiles(folder, O_RDONLY);
    EXPECT_TRUE(table < 0 || files.create());
    if (table >= 0) files.read(table);
    for (std::size_t at = 0; at < files.size(); ++at) names.emplace_back(files[at].name());
    ::close(table);
    files.release();
    std::sort(names.begin(), names.end());
    return names;
}

TEST(DataFileOffers, OfSeveralProcessesMeetInTheTable)
{
    std::string folder = testing::TempDir() + "offersXXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    DataFileOffers one, other;
    one.flush(folder);
    EXPECT_FALSE(std::filesystem::exists(folder + "/data.files")) << "nothing was offered";
    for (int again = 0; again < 3; ++again) one.offer("/data/a", 1, 2);
    other.offer("/data/b", 1, 3);
    other.offer("/data/a", 1, 2);
    one.flush(folder);
    other.flush(folder);
    EXPECT_EQ(tableOf(folder), (std::vector<std::string>{"/data/a", "/data/b"}));
    one.offer("/data/lost", 1, 4);
    one.forgetAfterFork();
    one.flush(folder);
    EXPECT_EQ(tableOf(folder).size(), 2U) << "the parent's are the parent's";
    std::filesystem::remove_all(folder);
}

TEST(DataMounts, AreKnownByDeviceThenByPath)
{
    const std::string mounts =
        "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
        "30 22 0:41 / /data rw - nfs4 server:/data rw\n"
        "31 22 0:42 / /data/more rw - fuse.sshfs far: rw\n"
        "32 22 0:43 / /merged rw - overlay overlay rw\n"
        "33 22 0:44 / /with\\040space rw - gpfs fs1 rw\n"
        "34 22 0:45 / /pool rw - zfs pool rw\n";
    const auto rules = [&](unsigned minor, std::string_view path) { return rulesOf(mounts, makedev(0, minor), path); };
    EXPECT_TRUE(rulesOf(mounts, makedev(8, 1), "/data/more/file").why.empty()) << "the device is the file's, the path may be a link";
    EXPECT_TRUE(rules(41, "/anywhere").network);
    EXPECT_TRUE(rules(41, "/anywhere").why.empty());
    EXPECT_FALSE(rules(42, "/anywhere").why.empty());
    EXPECT_FALSE(rules(43, "/merged/file").cachestat) << "it is blind there";
    EXPECT_FALSE(rules(99, "/merged/file").cachestat) << "overlayfs shows devices that no mount has";
    EXPECT_FALSE(rules(99, "/data/more/file").why.empty());
    EXPECT_TRUE(rules(99, "/data/moreover").network) << "not below /data/more";
    EXPECT_FALSE(rules(99, "/with space/file").why.empty());
    EXPECT_FALSE(rules(45, "/pool/file").why.empty());
    EXPECT_FALSE(rules(99, "/btrfs/file").network);
}

FileLook found(double bytes, double resident, double piecesVariance = 0)
{
    return {LookMethod::Cachestat, {}, bytes, resident, piecesVariance};
}

TEST(DataRound, SaysHowSureItsShareIs)
{
    DataRound round;
    round.add(found(100, 50));
    round.add(found(300, 300));
    const DataSetReading reading = round.reading(4);
    EXPECT_EQ(reading.files, 4U);
    EXPECT_EQ(reading.lookedFiles, 2U);
    EXPECT_EQ(reading.lookedBytes, 400U);
    EXPECT_EQ(reading.residentBytes, 350U);
    // Share 0.875; residuals -37.5 and 37.5; 2812.5 * 2 / 1 / 400^2 = 0.03515625, times 1 - 2 / 4.
    EXPECT_EQ(reading.variance, 17'578'125'000U);
    EXPECT_EQ(round.reading(2).variance, 0U) << "all were looked at";
}

TEST(DataRound, OneFileSaysNothingOfOthersAndPiecesLittleOfAFile)
{
    DataRound round;
    round.add(found(100, 50, 25));
    EXPECT_EQ(round.reading(2).variance, 250'000'000'000U);
    EXPECT_EQ(round.reading(1).variance, 2'500'000'000U) << "25 / 100^2";
    EXPECT_EQ(DataRound().reading(3).variance, 0U);
}

TEST(DataRound, WhatIsNotKnownIsInNoSumAndHasAReason)
{
    DataRound round;
    round.add({LookMethod::None, "why"});
    EXPECT_EQ(round.reading(1).lookedFiles, 0U);
    EXPECT_EQ(round.why(), "why");
    EXPECT_FALSE(round.used(LookMethod::Cachestat));
    round.add(found(1, 1));
    EXPECT_TRUE(round.used(LookMethod::Cachestat));
    EXPECT_FALSE(round.used(LookMethod::Mincore));
}

}  // namespace
}  // namespace flowgauge::sample
