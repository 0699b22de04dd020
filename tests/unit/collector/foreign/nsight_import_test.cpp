// SPDX-License-Identifier: MIT
// Small exports of the shape that Nsight Systems 2025 and 2026 write.
#include "collector/record/event.h"
#include "tests/unit/collector/foreign/files.h"

namespace flowgauge::foreign {
namespace {

using store::StoredEvent;

/// globalPid of process 144: hardware 1, machine 0.
constexpr std::int64_t process144 = (std::int64_t{1} << 56) | (std::int64_t{144} << 24);
constexpr std::int64_t process145 = (std::int64_t{1} << 56) | (std::int64_t{145} << 24);

class Nsight : public ForeignFiles {
protected:
    /// An export with what each has; `sql` adds tables. P and Q in it stand for the two processes.
    std::filesystem::path exported(const std::string& name, std::string sql, const std::string& version = "3.25.0")
    {
        const auto file = folder / name;
        store::Database written(file, store::Database::Mode::Create);
        written.execute(
            "CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT); CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
            "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"
            "INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '" +
            version +
            "');"
            "INSERT INTO StringIds VALUES (1, 'gemm'), (2, 'ncclDevKernel_SendRecv'), (3, 'cudaLaunchKernel_v7000'), (4, 'forward');"
            "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1000000000)");
        for (std::size_t at = 0; (at = sql.find_first_of("PQ", at)) != std::string::npos;) {
            const bool alone = (at == 0 || std::isalpha(sql[at - 1]) == 0) && (at + 1 == sql.size() || std::isalpha(sql[at + 1]) == 0) &&
                               sql.compare(at + 1, 1, "_") != 0;
            if (alone) sql.replace(at, 1, std::to_string(sql[at] == 'P' ? process144 : process145));
            ++at;
        }
        written.execute(sql);
        return file;
    }
    static constexpr const char* kernels =
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
        "correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);";
    /// A kernel of process 144 on GPU 1, then one of process 145 on GPU 0.
    static std::string twoProcesses()
    {
        return std::string(kernels) +
               "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (500, 700, 1, 1, 7, 42, P, 1, 1), (800, 900, 0, 1, 7, 42, Q, 2, 2);";
    }
    /// -1: it names none.
    static std::map<std::int64_t, std::int64_t> ranksByPid(store::RunStore& store)
    {
        std::map<std::int64_t, std::int64_t> ranks;
        for (const store::ProcessRow& row : store.processes()) ranks[row.pid] = row.rank.value_or(-1);
        return ranks;
    }
};

TEST_F(Nsight, KernelsCopiesFillsAndCallsBecomeEvents)
{
    store::RunStore store = import({exported(
        "t.sqlite",
        std::string(kernels) +
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (500, 700, 0, 1, 7, 42, P, 1, 1), (-20, -10, 0, 1, 7, 41, P, 1, 1);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, globalPid, bytes, "
            "copyKind);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (710, 720, 0, 1, 7, 43, P, 4096, 1);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, contextId, streamId, correlationId, globalPid, value, bytes);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (730, 740, 0, 1, 7, 44, P, 255, 16);"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, nameId, returnValue, callchainId);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (450, 460, 0, P + 150, 42, 3, 0, NULL);")});
    EXPECT_EQ(store.meta("t_zero"), 1'000'000'450);
    const auto found = eventsOf(store, Kind::Kernel);
    ASSERT_EQ(found.size(), 1U) << "what lies before the capture is left out";
    EXPECT_EQ(found[0], (StoredEvent{50, 250, 42, Kind::Kernel, 0, {found[0].arg[0], 0, 7, 1}}));
    EXPECT_EQ(store.nameText(found[0].arg[0]), "gemm");
    EXPECT_EQ(eventsOf(store, Kind::GpuCopy).at(0).arg, (std::array<std::int64_t, 4>{4096, 0, 7, 1}));
    EXPECT_EQ(eventsOf(store, Kind::GpuFill).at(0).arg, (std::array<std::int64_t, 4>{16, 0, 7, 255}));
    const auto call = eventsOf(store, Kind::GpuApi).at(0);
    EXPECT_EQ(store.nameText(call.arg[0]), "cudaLaunchKernel");
    EXPECT_EQ(call.link, 42U);
    EXPECT_EQ(store.processes().at(0).pid, 144);
    EXPECT_EQ(store.processes().at(0).rank, std::nullopt) << "one process of one GPU names no rank";
}

TEST_F(Nsight, TwoProcessesAreRanksInTheOrderOfTheirGpus)
{
    store::RunStore store = import({exported("t.sqlite", twoProcesses())});
    EXPECT_EQ(ranksByPid(store), (std::map<std::int64_t, std::int64_t>{{144, 1}, {145, 0}}));
}

TEST_F(Nsight, MpiKnowsRanksBetter)
{
    store::RunStore store = import({exported(
        "t.sqlite",
        twoProcesses() +
            "CREATE TABLE MPI_RANKS (globalTid, rank); INSERT INTO MPI_RANKS VALUES (P + 144, 4), (Q + 145, 5);"
            "INSERT INTO StringIds VALUES (9, 'MPI_Allreduce');"
            "CREATE TABLE MPI_COLLECTIVES_EVENTS (start, end, globalTid, textId, commHandle, rootRank, size, recvSize, requestHandle);"
            "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (910, 950, P + 144, 9, 77, NULL, 4000, 4000, NULL);")});
    EXPECT_EQ(ranksByPid(store), (std::map<std::int64_t, std::int64_t>{{144, 4}, {145, 5}}));
    const auto call = eventsOf(store, Kind::Allreduce).at(0);
    EXPECT_EQ(call.arg[1], 4000);
    EXPECT_EQ(call.arg[3], -1);
}

TEST_F(Nsight, RenamedTablesAreFoundAndMissingColumnsAreDoneWithout)
{
    store::RunStore store =
        import({exported("t.sqlite",
                         "CREATE TABLE NVTX_EVENTS_V2 (start, end, eventType, text, globalTid, textId, domainId);"
                         "INSERT INTO NVTX_EVENTS_V2 VALUES (0, NULL, 75, 'NCCL', P + 144, NULL, 1),"
                         "(100, 200, 59, 'aten::add, op_id = 990346', P + 144, NULL, 0), (110, 120, 60, NULL, P + 144, 4, 1), (115, NULL, "
                         "34, 'here', P + 144, NULL, 0),"
                         "(90, 300, 59, 'ProfilerStep#3', P + 144, NULL, 0), (95, 96, 33, 'category', P + 144, NULL, 0);"
                         "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, shortName);"
                         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (120, 130, 0, 7, 1);")});
    std::vector<std::string> ranges;
    for (const StoredEvent& event : eventsOf(store, Kind::Range))
        ranges.push_back(store.nameText(event.arg[0]) + "/" + (event.arg[1] == 0 ? "" : store.nameText(event.arg[1])) + "/" +
                         std::to_string(event.arg[2]) + "/" + std::to_string(event.end - event.begin));
    EXPECT_EQ(ranges, (std::vector<std::string>{"aten::add//990346/100", "forward/NCCL/0/10", "here//0/0"}));
    EXPECT_EQ(eventsOf(store, Kind::StepMark).at(0).arg[0], 3);
    EXPECT_EQ(store.nameText(eventsOf(store, Kind::Kernel).at(0).arg[0]), "gemm");
}

TEST_F(Nsight, AGraphThatIsOneBlockIsBusyTimeOfUnknownKernels)
{
    store::RunStore store =
        import({exported("t.sqlite",
                         "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, contextId, streamId, correlationId, "
                         "globalPid, graphId, graphExecId);"
                         "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (100, 200, 0, 1, 13, 141, P, 1, 2);"
                         "CREATE TABLE DIAGNOSTIC_EVENT (timestamp, timestampType, source, severity, text, globalPid);"
                         "INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 1, 2, 1, 'started', 0), (0, 1, 2, 2, 'events were lost', 0);")});
    EXPECT_EQ(store.nameText(eventsOf(store, Kind::Kernel).at(0).arg[0]), "CUDA graph 1");
    const auto ledger = ledgerOf(store);
    EXPECT_NE(std::find(ledger.begin(), ledger.end(), "kernels of CUDA graphs degraded 1"), ledger.end());
    EXPECT_NE(std::find(ledger.begin(), ledger.end(), "Nsight Systems degraded 1"), ledger.end());
}

TEST_F(Nsight, AnotherMajorVersionOrAnotherKindOfDatabaseIsRefused)
{
    EXPECT_NE(refusal({exported("new.sqlite", kernels, "4.0.0")}).find("export schema 4.0.0; this build reads 3.x"), std::string::npos);
    const auto other = folder / "other.sqlite";
    store::Database(other, store::Database::Mode::Create).execute("CREATE TABLE t (a)");
    EXPECT_NE(refusal({other}).find("no export of Nsight Systems"), std::string::npos);
}

}  // namespace
}  // namespace flowgauge::foreign
