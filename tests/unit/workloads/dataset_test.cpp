// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include "tests/unit/workloads/scratch_folder.h"
#include "workloads/data/loader.h"
#include "workloads/data/record_writer.h"

using namespace flowgauge::workloads;
namespace fs = std::filesystem;

static DatasetPlan smallPlan(const fs::path& folder) { return {folder, 21, 5, 4, 3, 2000, 16, 85, 1}; }

static void write(const DatasetPlan& plan)
{
    writeDataset(plan, [](auto, auto) {});
}

static std::string content(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Dataset, TellsItsTrueBytes)
{
    const ScratchFolder scratch;
    write(smallPlan(scratch.path() / "set"));
    const auto json = nlohmann::json::parse(content(scratch.path() / "set/dataset.json"));
    std::uint64_t files = 0;
    for (const auto& entry : fs::directory_iterator(scratch.path() / "set"))
        if (entry.path().filename().string().starts_with("train")) files += entry.file_size();
    EXPECT_EQ(json["train"]["file_bytes"], files);
    EXPECT_EQ(json["train"]["payload_bytes"], files - 21 * (8 + 24) - 4 * 16 - 24);
    EXPECT_EQ(json["train"]["records"], 21);
    EXPECT_EQ(json["val"]["records"], 5);
}

TEST(Dataset, IsTheSameForTheSameSeedOnly)
{
    const ScratchFolder scratch;
    auto other = smallPlan(scratch.path() / "c");
    other.seed = 2;
    write(smallPlan(scratch.path() / "a"));
    write(smallPlan(scratch.path() / "b"));
    write(other);
    for (const auto& entry : fs::directory_iterator(scratch.path() / "a"))
        EXPECT_EQ(content(entry.path()), content(scratch.path() / "b" / entry.path().filename())) << entry.path();
    EXPECT_NE(content(scratch.path() / "a/train-00000.rec"), content(scratch.path() / "c/train-00000.rec"));
}

TEST(Dataset, OverwritesNothing)
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "precious") << "x";
    EXPECT_THROW(write(smallPlan(scratch.path())), std::runtime_error);
    EXPECT_EQ(content(scratch.path() / "precious"), "x");
}

class AnyMode : public testing::TestWithParam<ReadMode> {};
INSTANTIATE_TEST_SUITE_P(Dataset, AnyMode, testing::Values(ReadMode::Read, ReadMode::Pread, ReadMode::Fread, ReadMode::Mmap));

TEST_P(AnyMode, ReadsEveryRecordOnceAndTheLedgerSaysSo)
{
    const ScratchFolder scratch;
    write(smallPlan(scratch.path()));
    const auto json = nlohmann::json::parse(content(scratch.path() / "dataset.json"));
    Ledger ledger;
    LoadPlan plan;
    plan.read.mode = GetParam();
    plan.batch = 4;
    plan.edgePx = 16;
    const ShardSet set = openShardSet(scratch.path(), "train", plan.read, ledger);
    Loader loader(set, plan, ledger);
    std::vector<std::uint32_t> order(21);
    for (std::uint32_t i = 0; i < 21; ++i) order[i] = (i * 5) % 21;
    std::vector<int> sizes;
    std::vector<std::int64_t> labels;
    loader.begin(order, 0);
    while (const Batch* batch = loader.next()) {
        sizes.push_back(batch->samples);
        labels.insert(labels.end(), batch->labels.begin(), batch->labels.end());
    }
    EXPECT_EQ(sizes, (std::vector<int>{4, 4, 4, 4, 4, 1}));
    for (std::size_t i = 0; i < 21; ++i) EXPECT_EQ(labels[i], set.entries[order[i]].label);
    const bool maps = GetParam() == ReadMode::Mmap;
    EXPECT_EQ(ledger.reads().count, maps ? 0U : 2U + 4U + 21U);  // index in two calls, a header for each shard, the records
    EXPECT_EQ(ledger.reads().bytes, maps ? 0U : json["train"]["file_bytes"].get<std::uint64_t>());
}

TEST(Dataset, InTinyPiecesTakesACallForEachPiece)
{
    const ScratchFolder scratch;
    write(smallPlan(scratch.path()));
    Ledger ledger;
    const ReadPlan plan{ReadMode::Pread, 100, 0};
    const ShardSet set = openShardSet(scratch.path(), "train", plan, ledger);
    RecordReader reader(set, plan, ledger);
    EXPECT_EQ(reader.read(0).label, set.entries[0].label);
    const std::uint64_t pieces = (8 + set.entries[0].length + 99) / 100;
    EXPECT_EQ(ledger.reads().count, 2 + 1 + pieces);
}

class EveryCall : public testing::TestWithParam<ReadMode> {};
INSTANTIATE_TEST_SUITE_P(SlowStorage, EveryCall, testing::Values(ReadMode::Read, ReadMode::Pread, ReadMode::Fread));

TEST_P(EveryCall, TakesLongerByTheDelayAndReadsTheSame)
{
    const ScratchFolder scratch;
    std::ofstream(scratch.path() / "file") << "0123456789";
    Ledger ledger;
    CountedFile file((scratch.path() / "file").string(), {GetParam(), 5, 20}, ledger);
    std::array<std::byte, 10> bytes{};
    const auto begin = std::chrono::steady_clock::now();
    file.readAt(0, bytes);
    const auto took = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(took, std::chrono::milliseconds(40));  // two calls of 5 bytes
    EXPECT_EQ(ledger.reads().count, 2U);
    EXPECT_EQ(static_cast<char>(bytes[9]), '9');
}

TEST(Dataset, AsFilesHoldsTheSamePicturesAsItsShards)
{
    const ScratchFolder scratch;
    auto files = smallPlan(scratch.path() / "files");
    files.asFiles = true;
    write(files);
    write(smallPlan(scratch.path() / "shards"));
    Ledger ledger;
    const ReadPlan plan;
    const ShardSet set = openShardSet(scratch.path() / "shards", "train", plan, ledger);
    RecordReader reader(set, plan, ledger);
    const Record record = reader.read(20);
    const std::string name = "files/train/class-00" + std::to_string(record.label) + "/000020.jpg";
    EXPECT_EQ(content(scratch.path() / name), std::string(reinterpret_cast<const char*>(record.jpeg.data()), record.jpeg.size()));
    const auto json = nlohmann::json::parse(content(scratch.path() / "files/dataset.json"));
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(scratch.path() / "files/train"))
        if (entry.is_regular_file()) bytes += entry.file_size();
    EXPECT_EQ(json["train"]["payload_bytes"], bytes);
}

TEST(Dataset, BrokenFilesAreNamed)
{
    const ScratchFolder scratch;
    write(smallPlan(scratch.path()));
    Ledger ledger;
    const ReadPlan plan;
    EXPECT_THROW((void)openShardSet(scratch.path(), "test", plan, ledger), std::runtime_error);
    const ShardSet set = openShardSet(scratch.path(), "train", plan, ledger);
    fs::resize_file(scratch.path() / "train-00000.rec", 30);
    EXPECT_THROW((void)RecordReader(set, plan, ledger).read(0), std::runtime_error);
    std::ofstream(scratch.path() / "train-00001.rec") << "no shard at all, but long enough";
    EXPECT_THROW((void)RecordReader(set, plan, ledger).read(20 / 4 + 1), std::runtime_error);
    fs::resize_file(scratch.path() / "train.idx", 100);
    EXPECT_THROW((void)openShardSet(scratch.path(), "train", plan, ledger), std::runtime_error);
}

TEST(Loader, TellsWhatAReaderMet)
{
    const ScratchFolder scratch;
    write(smallPlan(scratch.path()));
    Ledger ledger;
    LoadPlan plan;
    plan.batch = 4;
    const ShardSet set = openShardSet(scratch.path(), "train", plan.read, ledger);
    fs::remove(scratch.path() / "train-00000.rec");
    Loader loader(set, plan, ledger);
    loader.begin({0, 1, 2, 3}, 0);
    EXPECT_THROW((void)loader.next(), std::runtime_error);
}

TEST(Loader, KeepsTheOrderWithManyReadersAndAnyPrefetch)
{
    const ScratchFolder scratch;
    write(smallPlan(scratch.path()));
    for (const int prefetch : {0, 1, 7}) {
        Ledger ledger;
        LoadPlan plan;
        plan.batch = 2;
        plan.readers = 3;
        plan.prefetch = prefetch;
        plan.decode = false;
        const ShardSet set = openShardSet(scratch.path(), "train", plan.read, ledger);
        Loader loader(set, plan, ledger);
        for (int pass = 0; pass < 3; ++pass) {
            loader.begin({20, 3, 7, 0, 11, 12, 13}, 5);
            std::vector<std::int64_t> labels;
            while (const Batch* batch = loader.next()) labels.insert(labels.end(), batch->labels.begin(), batch->labels.end());
            std::vector<std::int64_t> expected;
            for (const std::uint32_t number : {20U, 3U, 7U, 0U, 11U, 12U, 13U}) expected.push_back(set.entries[number].label);
            EXPECT_EQ(labels, expected);
        }
    }
}
