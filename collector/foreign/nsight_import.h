// SPDX-License-Identifier: MIT
#pragma once
#include "collector/foreign/nsight_tables.h"
#include "collector/foreign/run_writer.h"
#include "collector/foreign/trace_reader.h"

#include <map>
#include <memory>
#include <unordered_map>

namespace flowgauge::foreign {

/// One process of an export, and what tells which rank it is.
struct NsightProcess {
    std::int64_t pid = 0;
    std::unique_ptr<RunWriter> writer;
    std::optional<std::int64_t> mpiRank;
    std::set<std::int64_t> devices;
};

/// Turns the rows of an export into the events of a run, table by table: memory is what the store keeps back.
class NsightImport {
public:
    /// toRunNs: add to a time of the file to get run time.
    NsightImport(NsightTables& tables, store::RunStore& store, store::Id host, Nanos toRunNs, std::string file);

    void run(const Progress& progress);
    void finish();

    [[nodiscard]] std::map<std::int64_t, NsightProcess>& processes() { return m_processes; }  ///< by the file's globalPid
    [[nodiscard]] std::int64_t graphs() const { return m_graphs; }  ///< CUDA graphs that were recorded as one block each

private:
    struct Part;
    [[nodiscard]] NsightProcess& processOf(std::int64_t globalId);
    [[nodiscard]] store::Id nameOf(std::int64_t stringId);
    [[nodiscard]] store::Id name(const std::string& text);
    [[nodiscard]] Interval when(const store::Statement& row) const;

    void kernels(const std::string& table);
    void copies(const std::string& table);
    void fills(const std::string& table);
    void graphBlocks(const std::string& table);
    void syncs(const std::string& table);
    void calls(const std::string& table);
    void ranges(const std::string& table);
    void collectives(const std::string& table);
    void pairs(const std::string& table);
    void mpiRanks(const std::string& table);

    NsightTables& m_tables;
    store::RunStore& m_store;
    store::Id m_host;
    Nanos m_toRunNs;
    std::string m_file;
    std::map<std::int64_t, NsightProcess> m_processes;
    std::unordered_map<std::int64_t, store::Id> m_names;
    std::int64_t m_graphs = 0;
};

}  // namespace flowgauge::foreign
