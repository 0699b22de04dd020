// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

namespace flowgauge::workloads {

// A record-shard set, little-endian, in one folder:
//
//   train-00000.rec   ShardHeader | RecordHeader, JPEG | RecordHeader, JPEG | ...
//   train-00001.rec   ...
//   train.idx         IndexHeader | IndexEntry * records      (records in the order they were written)
//   val-00000.rec, val.idx   the same for the validation samples
//   dataset.json      counts and payload bytes, for people and tests; the trainer never reads it
//
// Example: the first record of shard 0 with a JPEG of 20,000 bytes and label 7: its RecordHeader {20000, 7} stands at offset 16,
// the JPEG at 24..20023, the next record at 20024; the index says {offset 16, length 20000, shard 0, label 7}.

inline constexpr std::array<char, 8> shardMagic{'F', 'G', 'R', 'E', 'C', '0', '0', '1'};
inline constexpr std::array<char, 8> indexMagic{'F', 'G', 'I', 'D', 'X', '0', '0', '1'};

struct ShardHeader {
    std::array<char, 8> magic = shardMagic;
    std::uint32_t shard = 0;
    std::uint32_t records = 0;
};

struct RecordHeader {
    std::uint32_t length = 0;  ///< of the JPEG that follows, bytes
    std::uint32_t label = 0;
};

struct IndexHeader {
    std::array<char, 8> magic = indexMagic;
    std::uint64_t records = 0;
    std::uint32_t shards = 0;
    std::uint32_t classes = 0;
};

struct IndexEntry {
    std::uint64_t offset = 0;  ///< of the RecordHeader in its shard, bytes
    std::uint32_t length = 0;  ///< of the JPEG, bytes
    std::uint32_t shard = 0;
    std::uint32_t label = 0;
    std::uint32_t reserved = 0;
};

static_assert(sizeof(ShardHeader) == 16 && sizeof(RecordHeader) == 8 && sizeof(IndexHeader) == 24 && sizeof(IndexEntry) == 24);
static_assert(std::is_trivially_copyable_v<IndexEntry> && std::is_trivially_copyable_v<IndexHeader>);

/// "train-00003.rec"
[[nodiscard]] inline std::string shardName(const std::string& part, unsigned shard)
{
    std::string digits = std::to_string(shard);
    return part + "-" + std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits + ".rec";
}

}  // namespace flowgauge::workloads
