// SPDX-License-Identifier: MIT
#include "workloads/data/record_writer.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "workloads/data/texture.h"
#include "workloads/failure.h"

namespace flowgauge::workloads {

/// A file being written; complains once, at the end, with its path.
class OutputFile {
public:
    explicit OutputFile(const std::filesystem::path& path) : m_path(path), m_out(path, std::ios::binary | std::ios::trunc) {}
    template <typename T>
    void put(const T& value)
    {
        m_out.write(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put(const std::vector<std::byte>& bytes)
    {
        m_out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    void finish()
    {
        m_out.close();
        if (!m_out) throw Failure(m_path.string(), "cannot be written (disk full, or no permission)");
    }

private:
    std::filesystem::path m_path;
    std::ofstream m_out;
};

/// A sample's class and size come from the seed, the part and its number alone.
static Dice diceOf(const DatasetPlan& plan, const std::string& part, unsigned number)
{
    return Dice(plan.seed * 1'000'003 + (part == "train" ? 0U : 0x5EED0000U) + number);
}

static std::vector<std::byte> makeRecord(const DatasetPlan& plan, unsigned label, Dice& dice)
{
    const auto wanted = static_cast<std::size_t>(static_cast<double>(plan.meanBytes) * (0.6 + 0.8 * dice.unit()));
    return encodeJpeg(drawSample(label, plan.classes, plan.edgePx, dice), plan.quality, wanted);
}

static std::vector<IndexEntry> writeShard(const DatasetPlan& plan, const std::string& part, ShardHeader header, unsigned first,
                                          const std::function<void()>& recordDone)
{
    OutputFile out(plan.folder / shardName(part, header.shard));
    out.put(header);
    std::vector<IndexEntry> entries;
    std::uint64_t offset = sizeof header;
    for (unsigned number = first; number < first + header.records; ++number) {
        Dice dice = diceOf(plan, part, number);
        const auto label = static_cast<std::uint32_t>(dice.next() % plan.classes);
        const auto jpeg = makeRecord(plan, label, dice);
        const auto length = static_cast<std::uint32_t>(jpeg.size());
        out.put(RecordHeader{length, label});
        out.put(jpeg);
        entries.push_back({offset, length, header.shard, label, 0});
        offset += sizeof(RecordHeader) + length;
        recordDone();
    }
    out.finish();
    return entries;
}

static void writeIndex(const DatasetPlan& plan, const std::string& part, const std::vector<IndexEntry>& entries, unsigned shards)
{
    OutputFile index(plan.folder / (part + ".idx"));
    index.put(IndexHeader{.records = entries.size(), .shards = shards, .classes = plan.classes});
    for (const IndexEntry& entry : entries) index.put(entry);
    index.finish();
}

/// `part`/class-007/000123.jpg
static PartTotals writeFiles(const DatasetPlan& plan, const std::string& part, unsigned samples, const std::function<void()>& recordDone)
{
    for (unsigned label = 0; label < plan.classes; ++label)
        std::filesystem::create_directories(plan.folder / part / fmt::format("class-{:03}", label));
    PartTotals totals{.records = samples};
    for (unsigned number = 0; number < samples; ++number) {
        Dice dice = diceOf(plan, part, number);
        const auto label = static_cast<std::uint32_t>(dice.next() % plan.classes);
        const auto jpeg = makeRecord(plan, label, dice);
        OutputFile out(plan.folder / part / fmt::format("class-{:03}/{:06}.jpg", label, number));
        out.put(jpeg);
        out.finish();
        totals.payloadBytes += jpeg.size();
        recordDone();
    }
    totals.fileBytes = totals.payloadBytes;
    return totals;
}

PartTotals writePart(const DatasetPlan& plan, const std::string& part, unsigned samples, const std::function<void()>& recordDone)
{
    if (plan.asFiles) return writeFiles(plan, part, samples, recordDone);
    const unsigned shards = part == "train" ? plan.shards : 1;
    std::vector<IndexEntry> entries;
    for (unsigned shard = 0; shard < shards; ++shard) {
        const auto first = static_cast<unsigned>(std::uint64_t{samples} * shard / shards);
        const auto end = static_cast<unsigned>(std::uint64_t{samples} * (shard + 1) / shards);
        const auto written = writeShard(plan, part, {.shard = shard, .records = end - first}, first, recordDone);
        entries.insert(entries.end(), written.begin(), written.end());
    }
    writeIndex(plan, part, entries, shards);
    PartTotals totals{.records = entries.size()};
    for (const IndexEntry& entry : entries) totals.payloadBytes += entry.length;
    totals.fileBytes = totals.payloadBytes + entries.size() * (sizeof(RecordHeader) + sizeof(IndexEntry)) + shards * sizeof(ShardHeader) +
                       sizeof(IndexHeader);
    return totals;
}

static nlohmann::ordered_json totalsJson(const PartTotals& totals)
{
    return {{"records", totals.records}, {"payload_bytes", totals.payloadBytes}, {"file_bytes", totals.fileBytes}};
}

void writeDataset(const DatasetPlan& plan, const std::function<void(std::uint64_t, std::uint64_t)>& progress)
{
    namespace fs = std::filesystem;
    if (fs::exists(plan.folder) && (!fs::is_directory(plan.folder) || !fs::is_empty(plan.folder)))
        throw Failure(plan.folder.string(), "exists already and is not an empty folder; nothing is overwritten");
    std::error_code refused;
    fs::create_directories(plan.folder, refused);
    if (refused) throw Failure(plan.folder.string(), "cannot be made: ", refused.message());
    std::uint64_t done = 0;
    const std::uint64_t all = std::uint64_t{plan.samples} + plan.validation;
    const auto recordDone = [&] { progress(++done, all); };
    const PartTotals train = writePart(plan, "train", plan.samples, recordDone);
    const PartTotals validation = writePart(plan, "val", plan.validation, recordDone);
    const nlohmann::ordered_json json = {{"format", plan.asFiles ? "files" : "flowgauge record shards 1"},
                                         {"seed", plan.seed},
                                         {"classes", plan.classes},
                                         {"pixels", plan.edgePx},
                                         {"shards", plan.shards},
                                         {"mean_bytes", plan.meanBytes},
                                         {"train", totalsJson(train)},
                                         {"val", totalsJson(validation)}};
    std::ofstream out(plan.folder / "dataset.json");  // last: a folder without it is unfinished
    out << json.dump(1) << '\n';
    out.close();
    if (!out) throw Failure((plan.folder / "dataset.json").string(), "cannot be written");
}

}  // namespace flowgauge::workloads
