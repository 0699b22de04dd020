// SPDX-License-Identifier: MIT
#include "collector/record/error.h"
#include "tests/unit/collector/store/temporary_run.h"

#include <random>

namespace flowgauge::store {
namespace {

using RunStoreTest = TemporaryRun;

TEST_F(RunStoreTest, WhatIsFewComesBackEqual)
{
    EXPECT_EQ(store.hosts().size(), 1U);
    EXPECT_EQ(store.hosts()[0].name, "node1");
    EXPECT_EQ(store.hosts()[0].rawToRunNs, 5);
    const ProcessRow row = store.processes().at(0);
    EXPECT_EQ(row.rank, 3);
    EXPECT_EQ(row.localRank, std::nullopt);
    EXPECT_EQ(row.program, "/usr/bin/train");
    EXPECT_EQ(store.tracks().at(0).key, key(Lane::Io));
    EXPECT_EQ(store.meta("t_zero"), 1'700'000'000'000'000'000);
    EXPECT_EQ(store.meta("no such fact"), std::nullopt);
}

TEST_F(RunStoreTest, NamesHostsProcessesAndTracksAreFoundAgain)
{
    Transaction transaction(store.database());
    const Id a = store.name("/data/a");
    EXPECT_NE(store.name("/data/b"), a);
    EXPECT_EQ(store.name("/data/a"), a);
    EXPECT_EQ(store.nameText(a), "/data/a");
    EXPECT_EQ(store.nameText(0), "(name lost)");
    EXPECT_EQ(store.nameText(4711), "(name lost)");
    EXPECT_EQ(store.host({0, "node1", "boot", 9}), host);
    EXPECT_NE(store.host({0, "node1", "another boot", 9}), host);
    EXPECT_EQ(store.process(processRow("100-1", 4)), process);
    EXPECT_EQ(store.processes().size(), 1U);
    EXPECT_EQ(store.processes()[0].rank, 4);
    EXPECT_EQ(store.track(key(Lane::Io)), io);
    EXPECT_NE(store.track(key(Lane::Comm)), io);
}

TEST_F(RunStoreTest, EventsComeBackInOrderOfBeginWhateverTheirOrder)
{
    std::vector<StoredEvent> written;
    for (Nanos i = 0; i < 20'000; ++i) written.push_back(readEvent(i * 10, i * 10 + 7, 1, i));
    std::vector<StoredEvent> shuffled = written;
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(1));
    put(io, {shuffled.begin(), shuffled.begin() + 9'000});
    put(io, {shuffled.begin() + 9'000, shuffled.end()});
    EXPECT_EQ(events(), written);
    EXPECT_EQ(store.tracks().at(0).events, 20'000);
    EXPECT_EQ(store.tracks().at(0).extent, (Interval{0, 199'997}));
}

TEST_F(RunStoreTest, FinalizeMergesChunksAndChangesNoEvent)
{
    std::vector<StoredEvent> written;
    for (Nanos i = 0; i < 10'000; ++i) {
        written.push_back(readEvent(i * 10, i * 10 + 7, 1, i));
        if (i % 100 == 99) put(io, {written.end() - 100, written.end()});
    }
    EXPECT_EQ(row("SELECT count(*) FROM chunk"), "100");
    store.finalize();
    EXPECT_EQ(events(), written);
    EXPECT_EQ(row("SELECT count(*), count(*) FILTER (WHERE events = 4096), sum(events) FROM chunk"), "3|2|10000");
    EXPECT_EQ(row("SELECT count(*) FROM chunk_payload"), "3");
    EXPECT_EQ(store.meta("finalized"), 1);
    EXPECT_EQ(store.meta("events"), 10'000);
    store.finalize();
    EXPECT_EQ(events(), written);
    EXPECT_FALSE(std::filesystem::exists(file().string() + "-wal"));
}

TEST_F(RunStoreTest, AWindowShowsWhatOverlapsItAndInstantsInside)
{
    const auto instant = readEvent(20, 20, 1, 0);
    put(io, {readEvent(0, 10, 1, 0), readEvent(5, 21, 1, 0), instant, readEvent(29, 40, 1, 0), readEvent(30, 31, 1, 0)});
    EventQuery query;
    query.window = Interval{20, 30};
    EXPECT_EQ(events(query), (std::vector{readEvent(5, 21, 1, 0), instant, readEvent(29, 40, 1, 0)}));
    query.window = Interval{10, 20};
    EXPECT_EQ(events(query), (std::vector{readEvent(5, 21, 1, 0)}));
}

TEST_F(RunStoreTest, ARollbackForgetsWhatWasHandedOut)
{
    Id lost = 0;
    {
        Transaction transaction(store.database());
        lost = store.name("/data/lost");
        store.append(io, std::vector{readEvent(0, 1, lost, 1)});
    }
    Transaction transaction(store.database());
    store.flush();
    EXPECT_EQ(row("SELECT count(*) FROM chunk"), "0");
    EXPECT_EQ(row("SELECT count(*) FROM name WHERE text = '/data/lost'"), "0");
    const Id again = store.name("/data/lost");
    EXPECT_EQ(row("SELECT text FROM name WHERE id = " + std::to_string(again)), "/data/lost");
}

TEST_F(RunStoreTest, NameStatisticsAddUpAcrossFlushes)
{
    put(io, {readEvent(0, 100, 7, 50), readEvent(200, 201, 7, -5)});
    put(io, {readEvent(300, 1300, 7, 1), readEvent(1400, 1400, 8, 2)});
    EXPECT_EQ(row("SELECT calls, failed, bytes, total_ns, shortest_ns, longest_ns, hex(histogram) FROM name_stat WHERE name_id = 7"),
              "3|1|51|1101|1|1000|0101000000000000000000000000000000000000000000000001000000000000000000000001000000");
    EXPECT_EQ(row("SELECT kind, calls FROM name_stat WHERE name_id = 8"), "file_read|1");
}

TEST_F(RunStoreTest, ALedgerLineIsReplacedNotDoubled)
{
    Transaction transaction(store.database());
    store.putLedger({0, 0, "gpu", "absent", "no driver", 1});
    store.putLedger({0, 0, "gpu", "absent", "no driver", 2});
    store.putLedger({host, process, "gpu", "absent", "no driver", 3});
    EXPECT_EQ(row("SELECT count(*), sum(amount) FROM ledger"), "2|5");
}

}  // namespace
}  // namespace flowgauge::store
