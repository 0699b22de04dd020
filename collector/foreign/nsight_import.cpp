// SPDX-License-Identifier: MIT
#include "collector/foreign/nsight_import.h"

#include "collector/foreign/collective_text.h"
#include "collector/foreign/microseconds.h"
#include "collector/record/error.h"

#include <array>

namespace flowgauge::foreign {
namespace {

using store::Statement;

// globalTid is hardware(8) | virtual machine(8) | pid(24) | tid(24); globalPid is the same with tid 0.
std::int64_t pidOf(std::int64_t globalId) { return (globalId >> 24) & 0xFFFFFF; }
std::int64_t tidOf(std::int64_t globalId) { return globalId & 0xFFFFFF; }

/// "cudaLaunchKernel_v7000" without the version of the call.
std::string withoutVersion(const std::string& name)
{
    const std::size_t at = name.rfind("_v");
    const bool version =
        at != std::string::npos && at + 2 < name.size() && name.find_first_not_of("0123456789", at + 2) == std::string::npos;
    return version ? name.substr(0, at) : name;
}

/// PyTorch numbers each operator in its text: "aten::add_, op_id = 990346, seq = 7". The number is no part of the name.
struct RangeText {
    std::string name;
    std::int64_t number = 0;
};
RangeText rangeText(const std::string& text)
{
    const std::size_t at = std::min(text.find(", op_id = "), text.find(", seq = "));
    if (at == std::string::npos) return {text, 0};
    return {text.substr(0, at), numberIn(std::string_view(text).substr(at)).value_or(0)};
}

std::optional<std::int64_t> stepOf(const std::string& name)
{
    constexpr std::string_view prefix = "ProfilerStep";
    if (!name.starts_with(prefix) || name.find('#') == std::string::npos) return std::nullopt;
    return numberIn(std::string_view(name).substr(prefix.size()));
}

}  // namespace

/// A table of the export and who reads it.
struct NsightImport::Part {
    std::string_view table;
    void (NsightImport::*read)(const std::string&);
};

NsightImport::NsightImport(NsightTables& tables, store::RunStore& store, store::Id host, Nanos toRunNs, std::string file)
    : m_tables(tables), m_store(store), m_host(host), m_toRunNs(toRunNs), m_file(std::move(file))
{
}

void NsightImport::run(const Progress& progress)
{
    static constexpr std::array<Part, 10> parts{{{"MPI_RANKS", &NsightImport::mpiRanks},
                                                 {"CUPTI_ACTIVITY_KIND_KERNEL", &NsightImport::kernels},
                                                 {"CUPTI_ACTIVITY_KIND_MEMCPY", &NsightImport::copies},
                                                 {"CUPTI_ACTIVITY_KIND_MEMSET", &NsightImport::fills},
                                                 {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", &NsightImport::graphBlocks},
                                                 {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", &NsightImport::syncs},
                                                 {"CUPTI_ACTIVITY_KIND_RUNTIME", &NsightImport::calls},
                                                 {"NVTX_EVENTS", &NsightImport::ranges},
                                                 {"MPI_COLLECTIVES_EVENTS", &NsightImport::collectives},
                                                 {"MPI_P2P_EVENTS", &NsightImport::pairs}}};
    double done = 0;
    for (const Part& part : parts) {
        if (progress && !progress(done / static_cast<double>(parts.size()))) throw Error(m_file, "import was stopped");
        if (const auto table = m_tables.table(part.table)) (this->*part.read)(*table);
        ++done;
    }
}

void NsightImport::finish()
{
    for (auto& [id, process] : m_processes) process.writer->finish();
}

NsightProcess& NsightImport::processOf(std::int64_t globalId)
{
    NsightProcess& process = m_processes[globalId & ~std::int64_t{0xFFFFFF}];
    if (process.writer != nullptr) return process;
    process.pid = pidOf(globalId);
    store::ProcessRow row;
    row.host = m_host;
    row.pid = process.pid;
    row.spool = "import:" + m_file + "#" + std::to_string(process.pid);
    row.command = m_file;
    row.ended = "imported";
    process.writer = std::make_unique<RunWriter>(m_store, m_host, m_store.process(row));
    return process;
}

store::Id NsightImport::nameOf(std::int64_t stringId)
{
    const auto [known, isNew] = m_names.try_emplace(stringId);
    if (isNew) known->second = name(withoutVersion(m_tables.textOf(stringId)));
    return known->second;
}

store::Id NsightImport::name(const std::string& text) { return m_store.name(text.empty() ? "(no name)" : text); }

/// Every query has begin and end first. Times below 0 lie before the capture; the queries leave them out.
Interval NsightImport::when(const Statement& row) const
{
    const Nanos begin = row.integer(0);
    return {begin + m_toRunNs, (row.isNull(1) ? begin : std::max(begin, row.integer(1))) + m_toRunNs};
}

void NsightImport::kernels(const std::string& table)
{
    const std::string name = m_tables.column(table, {"demangledName", "name", "shortName"});
    Statement row =
        m_tables.database().prepare("SELECT start, end, deviceId, streamId, " + m_tables.column(table, {"correlationId"}) + ", " +
                                    m_tables.column(table, {"globalPid"}) + ", " + m_tables.column(table, {"contextId"}) + ", " + name +
                                    " FROM " + table + " WHERE start >= 0");
    while (row.step()) {
        NsightProcess& process = processOf(row.integer(5));
        process.devices.insert(row.integer(2));
        const Interval span = when(row);
        process.writer->put(streamThread(row.integer(2), row.integer(3)),
                            {span.begin,
                             span.end,
                             static_cast<std::uint64_t>(row.integer(4)),
                             Kind::Kernel,
                             0,
                             {nameOf(row.integer(7)), row.integer(2), row.integer(3), row.integer(6)}});
    }
}

void NsightImport::copies(const std::string& table)
{
    Statement row = m_tables.database().prepare("SELECT start, end, deviceId, streamId, " + m_tables.column(table, {"correlationId"}) +
                                                ", " + m_tables.column(table, {"globalPid"}) + ", bytes, " +
                                                m_tables.column(table, {"copyKind"}) + " FROM " + table + " WHERE start >= 0");
    while (row.step()) {
        NsightProcess& process = processOf(row.integer(5));
        process.devices.insert(row.integer(2));
        const Interval span = when(row);
        process.writer->put(streamThread(row.integer(2), row.integer(3)),
                            {span.begin,
                             span.end,
                             static_cast<std::uint64_t>(row.integer(4)),
                             Kind::GpuCopy,
                             0,
                             {row.integer(6), row.integer(2), row.integer(3), row.integer(7)}});
    }
}

void NsightImport::fills(const std::string& table)
{
    Statement row = m_tables.database().prepare("SELECT start, end, deviceId, streamId, " + m_tables.column(table, {"correlationId"}) +
                                                ", " + m_tables.column(table, {"globalPid"}) + ", bytes, " +
                                                m_tables.column(table, {"value"}) + " FROM " + table + " WHERE start >= 0");
    while (row.step()) {
        const Interval span = when(row);
        processOf(row.integer(5))
            .writer->put(streamThread(row.integer(2), row.integer(3)), {span.begin,
                                                                        span.end,
                                                                        static_cast<std::uint64_t>(row.integer(4)),
                                                                        Kind::GpuFill,
                                                                        0,
                                                                        {row.integer(6), row.integer(2), row.integer(3), row.integer(7)}});
    }
}

/// A graph that was traced as a whole is one block: the GPU was busy, with kernels that nobody recorded.
void NsightImport::graphBlocks(const std::string& table)
{
    Statement row =
        m_tables.database().prepare("SELECT start, end, deviceId, streamId, " + m_tables.column(table, {"correlationId"}) + ", " +
                                    m_tables.column(table, {"globalPid"}) + ", " + m_tables.column(table, {"contextId"}) + ", " +
                                    m_tables.column(table, {"graphId"}) + " FROM " + table + " WHERE start >= 0");
    while (row.step()) {
        ++m_graphs;
        NsightProcess& process = processOf(row.integer(5));
        process.devices.insert(row.integer(2));
        const Interval span = when(row);
        process.writer->put(streamThread(row.integer(2), row.integer(3)),
                            {span.begin,
                             span.end,
                             static_cast<std::uint64_t>(row.integer(4)),
                             Kind::Kernel,
                             0,
                             {name("CUDA graph " + std::to_string(row.integer(7))), row.integer(2), row.integer(3), row.integer(6)}});
    }
}

void NsightImport::syncs(const std::string& table)
{
    Statement row =
        m_tables.database().prepare("SELECT start, end, deviceId, streamId, " + m_tables.column(table, {"correlationId"}) + ", " +
                                    m_tables.column(table, {"globalPid"}) + ", " + m_tables.column(table, {"contextId"}) + ", " +
                                    m_tables.column(table, {"syncType"}) + " FROM " + table + " WHERE start >= 0");
    while (row.step()) {
        const Interval span = when(row);
        processOf(row.integer(5))
            .writer->put(streamThread(row.integer(2), row.integer(3)), {span.begin,
                                                                        span.end,
                                                                        static_cast<std::uint64_t>(row.integer(4)),
                                                                        Kind::GpuSync,
                                                                        0,
                                                                        {row.integer(7), row.integer(2), row.integer(3), row.integer(6)}});
    }
}

void NsightImport::calls(const std::string& table)
{
    Statement row = m_tables.database().prepare("SELECT start, end, " + m_tables.column(table, {"globalTid"}) + ", " +
                                                m_tables.column(table, {"correlationId"}) + ", nameId, " +
                                                m_tables.column(table, {"returnValue"}) + " FROM " + table + " WHERE start >= 0");
    while (row.step()) {
        const Interval span = when(row);
        processOf(row.integer(2))
            .writer->put(tidOf(row.integer(2)), {span.begin,
                                                 span.end,
                                                 static_cast<std::uint64_t>(row.integer(3)),
                                                 Kind::GpuApi,
                                                 0,
                                                 {nameOf(row.integer(4)), row.integer(5), 0, 0}});
    }
}

void NsightImport::ranges(const std::string& table)
{
    constexpr int domainCreated = 75;
    const std::string domain = m_tables.column(table, {"domainId"});
    const std::string words =
        "coalesce(text, (SELECT value FROM StringIds WHERE id = " + m_tables.column(table, {"textId"}, "NULL") + "), '')";
    std::map<std::int64_t, std::string> domains;
    Statement created = m_tables.database().prepare("SELECT " + domain + ", " + words + " FROM " + table + " WHERE eventType = ?1");
    created.bind(1, std::int64_t{domainCreated});
    while (created.step()) domains[created.integer(0)] = created.text(1);
    // 34 mark, 59 push and pop, 60 start and end
    Statement row = m_tables.database().prepare("SELECT start, end, " + m_tables.column(table, {"globalTid"}) + ", " + domain + ", " +
                                                words + ", " + m_tables.column(table, {"category"}) + " FROM " + table +
                                                " WHERE start >= 0 AND eventType IN (34, 59, 60)");
    while (row.step()) {
        const Interval span = when(row);
        const std::string& text = row.text(4);
        NsightProcess& process = processOf(row.integer(2));
        if (const auto step = stepOf(text)) {
            process.writer->put(tidOf(row.integer(2)), {span.begin, span.end, 0, Kind::StepMark, 0, {*step, 0, 0, 0}});
            continue;
        }
        const RangeText range = rangeText(text);
        const std::string& domainName = domains[row.integer(3)];
        process.writer->put(tidOf(row.integer(2)),
                            {span.begin,
                             span.end,
                             0,
                             Kind::Range,
                             0,
                             {name(range.name), domainName.empty() ? 0 : name(domainName), range.number, row.integer(5)}});
    }
}

/// The export's handles of communicators are those of one process: calls of two ranks are not matched.
void NsightImport::collectives(const std::string& table)
{
    Statement row = m_tables.database().prepare(
        "SELECT start, end, " + m_tables.column(table, {"globalTid"}) + ", " + m_tables.column(table, {"textId"}) + ", " +
        m_tables.column(table, {"commHandle", "commUid"}) + ", " + m_tables.column(table, {"size"}) + ", " +
        m_tables.column(table, {"rootRank"}, "-1") + " FROM " + table + " WHERE start >= 0 ORDER BY start");
    std::map<std::int64_t, std::int64_t> next;
    while (row.step()) {
        const auto kind = kindOfCollective(m_tables.textOf(row.integer(3)));
        if (!kind || !isCollective(*kind)) continue;
        NsightProcess& process = processOf(row.integer(2));
        const std::int64_t comm =
            communicatorId(std::to_string(row.integer(4)) + " of process " + std::to_string(process.writer->process()));
        const Interval span = when(row);
        process.writer->put(
            tidOf(row.integer(2)),
            {span.begin, span.end, 0, *kind, flagMpi, {comm, row.integer(5), next[comm]++, row.isNull(6) ? -1 : row.integer(6)}});
    }
}

void NsightImport::pairs(const std::string& table)
{
    Statement row = m_tables.database().prepare(
        "SELECT start, end, " + m_tables.column(table, {"globalTid"}) + ", " + m_tables.column(table, {"textId"}) + ", " +
        m_tables.column(table, {"commHandle", "commUid"}) + ", " + m_tables.column(table, {"size"}) + ", " +
        m_tables.column(table, {"remoteRank"}, "-1") + ", " + m_tables.column(table, {"tag"}) + " FROM " + table + " WHERE start >= 0");
    while (row.step()) {
        const auto kind = kindOfCollective(m_tables.textOf(row.integer(3)));
        if (kind != Kind::Send && kind != Kind::Recv) continue;
        NsightProcess& process = processOf(row.integer(2));
        const std::int64_t comm =
            communicatorId(std::to_string(row.integer(4)) + " of process " + std::to_string(process.writer->process()));
        const Interval span = when(row);
        process.writer->put(tidOf(row.integer(2)),
                            {span.begin, span.end, 0, *kind, flagMpi, {comm, row.integer(5), row.integer(6), row.integer(7)}});
    }
}

void NsightImport::mpiRanks(const std::string& table)
{
    Statement row = m_tables.database().prepare("SELECT globalTid, rank FROM " + table);
    while (row.step()) processOf(row.integer(0)).mpiRank = row.integer(1);
}

}  // namespace flowgauge::foreign
