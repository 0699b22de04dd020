// SPDX-License-Identifier: MIT
#include "workloads/data/shard_set.h"
#include <cstring>
#include "workloads/failure.h"

namespace flowgauge::workloads {

ShardSet openShardSet(const std::filesystem::path& folder, const std::string& part, const ReadPlan& plan, Ledger& ledger)
{
    ShardSet set{std::filesystem::weakly_canonical(std::filesystem::absolute(folder)), part, {}, {}};
    if (!std::filesystem::exists(set.indexPath())) throw Failure(set.indexPath(), "no such index; make_dataset writes one");
    ReadPlan whole = plan;
    whole.pieceBytes = 0;  // the fault is meant for records; an index in tiny pieces would only delay the start
    whole.delayMs = 0;
    CountedFile file(set.indexPath(), whole, ledger);
    file.readAt(0, std::as_writable_bytes(std::span(&set.header, 1)));
    if (set.header.magic != indexMagic) throw Failure(file.path(), "not an index of a record-shard set");
    const auto bytes = std::filesystem::file_size(file.path());
    if (bytes != sizeof(IndexHeader) + set.header.records * sizeof(IndexEntry))
        throw Failure(file.path(), "says ", set.header.records, " records, but has ", bytes, " bytes");
    if (set.header.records == 0) return set;
    set.entries.resize(set.header.records);
    file.readAt(sizeof(IndexHeader), std::as_writable_bytes(std::span(set.entries)));
    return set;
}

RecordReader::RecordReader(const ShardSet& set, const ReadPlan& plan, Ledger& ledger)
    : m_set(set), m_plan(plan), m_ledger(ledger), m_shards(set.header.shards)
{
}

CountedFile& RecordReader::shard(unsigned number)
{
    if (number >= m_shards.size()) throw Failure(m_set.indexPath(), "names shard ", number, " of ", m_shards.size());
    auto& file = m_shards[number];
    if (!file) {
        file = std::make_unique<CountedFile>(m_set.shardPath(number), m_plan, m_ledger);
        ShardHeader header;
        file->readAt(0, std::as_writable_bytes(std::span(&header, 1)));
        if (header.magic != shardMagic || header.shard != number)
            throw Failure(file->path(), "not shard ", number, " of a record-shard set");
    }
    return *file;
}

Record RecordReader::read(std::uint32_t number)
{
    const IndexEntry& entry = m_set.entries.at(number);
    CountedFile& file = shard(entry.shard);
    m_buffer.resize(sizeof(RecordHeader) + entry.length);
    file.readAt(entry.offset, m_buffer);
    RecordHeader header;
    std::memcpy(&header, m_buffer.data(), sizeof header);
    if (header.length != entry.length || header.label != entry.label)
        throw Failure(file.path(), "record at ", entry.offset, ": the index says ", entry.length, " bytes, the record ", header.length);
    return {header.label, std::span(m_buffer).subspan(sizeof header)};
}

}  // namespace flowgauge::workloads
