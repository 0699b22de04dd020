// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <memory>
#include <vector>
#include "workloads/data/counted_file.h"
#include "workloads/data/record_format.h"

namespace flowgauge::workloads {

/// The index of one part ("train" or "val") of a record-shard set, and where its shards lie.
struct ShardSet {
    std::filesystem::path folder;
    std::string part;
    IndexHeader header;
    std::vector<IndexEntry> entries;

    [[nodiscard]] std::string shardPath(unsigned shard) const { return (folder / shardName(part, shard)).string(); }
    [[nodiscard]] std::string indexPath() const { return (folder / (part + ".idx")).string(); }
};

/// Reads `folder`/`part`.idx. Throws Failure when it is absent, no index, or shorter than it says.
[[nodiscard]] ShardSet openShardSet(const std::filesystem::path& folder, const std::string& part, const ReadPlan& plan, Ledger& ledger);

/// One record as it lies in the file.
struct Record {
    std::uint32_t label = 0;
    std::span<const std::byte> jpeg;  ///< valid until the next read
};

/// Reads records of a set by number; keeps each shard open from its first use. One thread each.
class RecordReader {
public:
    RecordReader(const ShardSet& set, const ReadPlan& plan, Ledger& ledger);
    /// Throws Failure when the record is not what the index says.
    [[nodiscard]] Record read(std::uint32_t number);

private:
    [[nodiscard]] CountedFile& shard(unsigned number);

    const ShardSet& m_set;
    ReadPlan m_plan;
    Ledger& m_ledger;
    std::vector<std::unique_ptr<CountedFile>> m_shards;
    std::vector<std::byte> m_buffer;
};

}  // namespace flowgauge::workloads
