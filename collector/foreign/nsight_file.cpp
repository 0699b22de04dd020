// SPDX-License-Identifier: MIT
// One export of Nsight Systems becomes the processes of one host.
#include "collector/foreign/import_context.h"
#include "collector/foreign/nsight_import.h"

#include <algorithm>

namespace flowgauge::foreign {
namespace {

/// Which rank a process is: MPI knows; else the processes that use GPUs are numbered by the GPU, which a launcher deals out in order.
std::map<std::int64_t, std::int64_t> ranksOf(const std::map<std::int64_t, NsightProcess>& processes, std::int64_t first, bool given)
{
    std::map<std::int64_t, std::int64_t> ranks;
    std::vector<std::pair<std::int64_t, std::int64_t>> byDevice;
    for (const auto& [id, process] : processes) {
        if (process.mpiRank && !given) ranks[id] = *process.mpiRank;
        if (!process.devices.empty()) byDevice.emplace_back(*process.devices.begin(), id);
    }
    if (!ranks.empty() || (byDevice.size() < 2 && !given)) return ranks;
    std::sort(byDevice.begin(), byDevice.end());
    for (const auto& [device, id] : byDevice) ranks[id] = first++;
    return ranks;
}

std::map<std::int64_t, std::string> programsOf(NsightTables& tables)
{
    std::map<std::int64_t, std::string> programs;
    const auto table = tables.table("PROCESSES");
    if (!table) return programs;
    store::Statement row = tables.database().prepare("SELECT globalPid, name FROM " + *table);
    while (row.step()) programs[row.integer(0)] = row.text(1);
    return programs;
}

/// Warnings of the tool about its own recording: what it lost heads the list.
void putWarnings(ImportContext& context, NsightTables& tables, store::Id host)
{
    const auto table = tables.table("DIAGNOSTIC_EVENT");
    if (!table) return;
    store::Statement row = tables.database().prepare("SELECT text, count(*) FROM " + *table +
                                                     " WHERE severity IN (2, 3) GROUP BY text ORDER BY max(severity) DESC LIMIT 20");
    while (row.step()) context.store.putLedger({host, 0, "Nsight Systems", "degraded", row.text(0), row.integer(1)});
}

void putLedger(ImportContext& context, NsightTables& tables, const NsightImport& import, store::Id host)
{
    putWarnings(context, tables, host);
    const auto put = [&](std::string_view what, std::string_view state, std::string_view reason, std::int64_t amount) {
        if (amount > 0) context.store.putLedger({host, 0, what, state, reason, amount});
    };
    put("kernels of CUDA graphs", "degraded",
        "recorded as whole graphs, each counted as computing; nsys --cuda-graph-trace=node tells them apart", import.graphs());
    put("NIC samples", "absent", "the export has them, this import does not take them", tables.rows("NET_NIC_METRIC"));
    put("file accesses", "absent", "the export has them, this import does not take them", tables.rows("OSRT_FILE_ACCESS_EVENTS"));
}

Nanos firstOf(NsightTables& tables)
{
    std::optional<Nanos> first;
    for (const std::string_view name : {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
                                        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                        "CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "MPI_COLLECTIVES_EVENTS", "MPI_P2P_EVENTS"}) {
        const auto table = tables.table(name);
        if (!table) continue;
        store::Statement least = tables.database().prepare("SELECT min(start) FROM " + *table + " WHERE start >= 0");
        if (least.step() && !least.isNull(0) && (!first || least.integer(0) < *first)) first = least.integer(0);
    }
    return first.value_or(0);
}

}  // namespace

Nanos nsightStart(const std::filesystem::path& file)
{
    NsightTables tables(file);
    return tables.startUnixNs() + firstOf(tables);
}

ImportedFile importNsight(ImportContext& context, const std::filesystem::path& file, std::optional<std::int64_t> rank,
                          const Progress& progress)
{
    NsightTables tables(file);
    const std::string hostName = tables.host();
    const store::Id host = context.store.host({0, hostName.empty() ? "not told" : hostName, "", 0});
    NsightImport import(tables, context.store, host, tables.startUnixNs() - context.zeroUnixNs, file.string());
    import.run(progress);
    import.finish();
    const auto programs = programsOf(tables);
    const std::int64_t next = context.ranks.empty() ? 0 : *context.ranks.rbegin() + 1;
    const auto ranks = ranksOf(import.processes(), rank.value_or(next), rank.has_value());
    ImportedFile imported{file, "Nsight Systems " + tables.version(), {}, 0, 0, 0, 0, 0, 0, 0, {}};
    for (auto& [id, process] : import.processes()) {
        const auto known = ranks.find(id);
        const auto program = programs.find(id);
        const RunWriter& writer = *process.writer;
        store::ProcessRow row;
        row.id = writer.process();
        row.host = host;
        row.pid = process.pid;
        row.processStart = row.id;
        row.spool = "import:" + file.string() + "#" + std::to_string(process.pid);
        row.program = program == programs.end() ? "" : program->second;
        row.command = file.string();
        row.ended = "imported";
        row.rankSource = rank ? "given" : process.mpiRank ? "MPI_RANKS" : "order of GPUs";
        if (known != ranks.end()) {
            context.take(known->second, file);
            row.rank = known->second;
            imported.ranks.push_back(known->second);
        }
        row.beginNs = writer.extent().begin;
        row.endNs = writer.extent().end;
        row.events = writer.events();
        static_cast<void>(context.store.process(row));
        imported.kernels += writer.eventsOf(Kind::Kernel);
        imported.copies += writer.eventsOf(Kind::GpuCopy) + writer.eventsOf(Kind::GpuFill);
        imported.calls += writer.eventsOf(Kind::GpuApi);
        imported.ranges += writer.eventsOf(Kind::Range);
        imported.steps += writer.eventsOf(Kind::StepMark);
        for (const KindRow& kind : kindRows)
            if (isCollective(kind.kind)) imported.collectives += writer.eventsOf(kind.kind);
    }
    putLedger(context, tables, import, host);
    return imported;
}

}  // namespace flowgauge::foreign
