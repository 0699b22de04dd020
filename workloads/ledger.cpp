// SPDX-License-Identifier: MIT
#include "workloads/ledger.h"
#include <fstream>
#include <nlohmann/json.hpp>
#include "workloads/failure.h"

namespace flowgauge::workloads {

using Json = nlohmann::ordered_json;

void Ledger::opened(const std::string& path)
{
    const std::lock_guard lock(m_mutex);
    ++m_opens;
    m_files.try_emplace(path, 0);
}

void Ledger::openedToWrite(const std::string& path)
{
    const std::lock_guard lock(m_mutex);
    ++m_opens;
    m_written.try_emplace(path, 0);
}

void Ledger::read(const std::string& path, std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    ++m_reads.count;
    m_reads.bytes += bytes;
    m_files[path] += bytes;
}

void Ledger::wrote(const std::string& path, std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    ++m_writes.count;
    m_writes.bytes += bytes;
    m_written[path] += bytes;
}

void Ledger::mapped(const std::string& path, std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_mapped[path] += bytes;
}

void Ledger::collective(const std::string& name, std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    Tally& tally = m_collectives[name];
    ++tally.count;
    tally.bytes += bytes;
}

Tally Ledger::reads() const
{
    const std::lock_guard lock(m_mutex);
    return m_reads;
}

static Json epochJson(const EpochEntry& entry)
{
    Json json = {{"number", entry.number},
                 {"samples", entry.samples},
                 {"steps", entry.steps},
                 {"reads", entry.reads.count},
                 {"read_bytes", entry.reads.bytes},
                 {"begin_unix_ns", entry.beginUnixNs},
                 {"end_unix_ns", entry.endUnixNs},
                 {"loss", entry.loss},
                 {"evaluation_reads", entry.evaluationReads.count},
                 {"evaluation_read_bytes", entry.evaluationReads.bytes}};
    json["accuracy"] = entry.accuracy ? Json(*entry.accuracy) : Json(nullptr);
    return json;
}

static Json collectivesJson(const std::map<std::string, Tally>& collectives)
{
    Json json = Json::object();
    for (const char* always : {"allreduce", "broadcast", "barrier"}) json[always] = {{"count", 0}, {"bytes", 0}};
    for (const auto& [name, tally] : collectives) json[name] = {{"count", tally.count}, {"bytes", tally.bytes}};
    return json;
}

void Ledger::write(const std::filesystem::path& file, const LedgerFacts& facts) const
{
    const std::lock_guard lock(m_mutex);
    Json json = {{"program", facts.program}, {"rank", facts.rank},          {"size", facts.size},
                 {"mpi", facts.library},     {"read_mode", facts.readMode}, {"shard_rule", facts.shardRule},
                 {"overlap", facts.overlap}};
    json.update(
        {{"reads", m_reads.count}, {"read_bytes", m_reads.bytes}, {"files", m_files}, {"opens", m_opens}, {"mapped_files", m_mapped}});
    json.update({{"writes", m_writes.count}, {"write_bytes", m_writes.bytes}, {"written_files", m_written}});
    json.update({{"collectives", collectivesJson(m_collectives)}, {"steps", m_steps}});
    json["epochs"] = Json::array();
    Json accuracy = nullptr;
    for (const EpochEntry& entry : m_epochs) {
        json["epochs"].push_back(epochJson(entry));
        if (entry.accuracy) accuracy = *entry.accuracy;
    }
    json.update({{"parameters", facts.parameters}, {"tensors", facts.tensors}, {"buckets", facts.bucketBytes}, {"accuracy", accuracy}});
    std::ofstream out(file);
    out << json.dump(1) << '\n';
    out.close();
    if (!out) throw Failure(file.string(), "the ledger cannot be written here");
}

std::string ledgerPath(std::string pattern, int rank)
{
    for (std::size_t at; (at = pattern.find("%r")) != std::string::npos;) pattern.replace(at, 2, std::to_string(rank));
    return pattern;
}

}  // namespace flowgauge::workloads
