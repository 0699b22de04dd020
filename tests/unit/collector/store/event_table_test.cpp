// SPDX-License-Identifier: MIT
#include "collector/record/error.h"
#include "collector/store/views.h"
#include "tests/unit/collector/store/temporary_run.h"

#include <set>

namespace flowgauge::store {
namespace {

/// Reads of two files, collectives across them, and a counter of the host.
class EventTableTest : public TemporaryRun {
protected:
    EventTableTest()
    {
        Transaction transaction(store.database());
        a = store.name("/data/a");
        b = store.name("/data/b");
        sda = store.name("sda");
        comm = store.track(key(Lane::Comm));
        TrackKey disk;
        disk.host = host;
        disk.lane = Lane::Counter;
        disk.counter = Counter::DiskReadBytes;
        disk.source = sda;
        counter = store.track(disk);
        store.append(io, std::vector{readEvent(0, 10, a, 100), readEvent(20, 30, b, 200), readEvent(40, 60, a, -5)});
        store.append(comm, std::vector<StoredEvent>{{5, 25, 0, Kind::Allreduce, flagMpi, {9, 1024, 0, -1}},
                                                    {50, 55, 0, Kind::Barrier, flagMpi, {9, 0, 1, -1}}});
        store.append(counter, std::vector<StoredEvent>{
                                  {7, 7, 0, Kind::CounterSample, 0, {static_cast<std::int64_t>(Counter::DiskReadBytes), sda, 3, 0}}});
        store.flush();
        transaction.commit();
    }

    Id a = 0, b = 0, sda = 0, comm = 0, counter = 0;
};

TEST_F(EventTableTest, AViewOfAKindNamesItsArguments)
{
    EXPECT_EQ(row("SELECT count(*), sum(bytes) FROM file_read"), "3|295");
    EXPECT_EQ(
        row("SELECT rank, host, thread, begin_ns, end_ns, duration_ns, file, offset, bytes, requested FROM file_read WHERE bytes = 200"),
        "3|node1|101|20|30|10|/data/b|0|200|4096");
    EXPECT_EQ(row("SELECT comm, bytes, sequence, root FROM allreduce"), "9|1024|0|-1");
    EXPECT_EQ(row("SELECT count(*) FROM file_write"), "0");
}

TEST_F(EventTableTest, ACounterIsScaledAndNamed)
{
    EXPECT_EQ(row("SELECT at_ns, host, source, counter, value, unit FROM disk_counter"), "7|node1|sda|disk_read_sectors|1536|bytes");
    EXPECT_EQ(row("SELECT count(*) FROM nic_counter"), "0");
}

TEST_F(EventTableTest, EveryConstraintGivesWhatAFullScanGives)
{
    const std::vector<std::string> conditions{"kind = 'file_read'",
                                              "kind = 'no such kind'",
                                              "kind = 5",
                                              "kind IS NULL",
                                              "lane = 'comm'",
                                              "rank = 3",
                                              "rank = 4",
                                              "rank IS NULL",
                                              "track_id = 1",
                                              "process_id = 1",
                                              "begin_ns > 20",
                                              "begin_ns >= 20",
                                              "begin_ns < 20",
                                              "begin_ns <= 20",
                                              "begin_ns = 20",
                                              "end_ns > 25",
                                              "end_ns <= 25",
                                              "end_ns = 25",
                                              "begin_ns > 19.5",
                                              "begin_ns < '20'",
                                              "rank = '3'",
                                              "begin_ns > 9223372036854775807",
                                              "begin_ns <= -9223372036854775808",
                                              "counter = 'disk_read_sectors'",
                                              "begin_ns < 50 AND end_ns > 25 AND kind IN ('file_read', 'allreduce')",
                                              "name = '/data/a'"};
    for (const std::string& condition : conditions) {
        store.database().execute(
            "DROP TABLE IF EXISTS temp.copy; CREATE TEMP TABLE copy (track_id INTEGER, process_id INTEGER, rank INTEGER, "
            "kind TEXT, lane TEXT, begin_ns INTEGER, end_ns INTEGER, name TEXT, counter TEXT)");
        store.database().execute(
            "INSERT INTO copy SELECT track_id, process_id, rank, kind, lane, begin_ns, end_ns, name, counter FROM event");
        const std::string sums = "SELECT count(*), sum(begin_ns), sum(end_ns) FROM ";
        EXPECT_EQ(row(sums + "event WHERE " + condition), row(sums + "copy WHERE " + condition)) << condition;
    }
    EXPECT_EQ(row("SELECT count(*) FROM temp.copy"), "6");
}

TEST_F(EventTableTest, SumsByNameAreTheSameFromStatisticsAndFromEvents)
{
    const std::string columns =
        "SELECT group_concat(kind || coalesce(name, '-') || calls || ',' || failed || ',' || bytes || ',' || total_ns || ',' || "
        "shortest_ns || ',' || longest_ns, ';') FROM (SELECT * FROM ";
    const std::string expected =
        "allreduce-1,0,1024,20,20,20;barrier-1,0,0,5,5,5;file_read/data/a2,1,100,30,10,20;file_read/data/b1,0,200,10,10,10";
    EXPECT_EQ(row(columns + "event_by_name() ORDER BY kind, name)"), expected);
    EXPECT_EQ(row(columns + "event_by_name(0, 1000) ORDER BY kind, name)"), expected);
    EXPECT_EQ(row("SELECT calls, total_ns, inside_ns FROM event_by_name(25, 50) WHERE name = '/data/a'"), "1|20|10");
}

TEST_F(EventTableTest, OverlapIsExactAndTakesKindsLanesAndWindows)
{
    EXPECT_EQ(row("SELECT rank, a_ns, b_ns, both_ns FROM overlap('io', 'comm')"), "3|40|25|15");
    EXPECT_EQ(row("SELECT a_ns, b_ns, both_ns FROM overlap('file_read', 'allreduce,barrier')"), "40|25|15");
    EXPECT_EQ(row("SELECT a_ns, b_ns, both_ns FROM overlap('io', 'allreduce', 8, 22)"), "4|14|4");
    EXPECT_THROW((void)row("SELECT * FROM overlap('io', 'nonsense')"), Error);
    EXPECT_THROW((void)row("SELECT * FROM overlap"), Error);
}

TEST_F(EventTableTest, EveryTableViewAndColumnIsDescribed)
{
    std::set<std::string> described;
    Statement sentences(store.database(), "SELECT object || '.' || column FROM describe WHERE length(sentence) > 1");
    while (sentences.step()) described.insert(sentences.text(0));
    std::set<std::string> there;
    Statement objects(store.database(),
                      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' "
                      "UNION VALUES ('event'), ('event_by_name'), ('overlap')");
    while (objects.step()) {
        there.insert(objects.text(0) + ".");
        Statement columns(store.database(), "SELECT name FROM pragma_table_info(?1)");
        columns.bind(1, objects.text(0));
        while (columns.step()) there.insert(objects.text(0) + "." + columns.text(0));
    }
    EXPECT_EQ(described, there);
}

TEST_F(EventTableTest, EveryKindAndCounterHasItsView)
{
    for (const KindRow& kind : kindRows) {
        if (kindViewColumns(kind)) {
            EXPECT_EQ(row("SELECT count(*) >= 0 FROM \"" + std::string(kind.sqlName) + "\""), "1");
        }
    }
    EXPECT_EQ(row("SELECT count(*) FROM counter_kind"), std::to_string(counterCount));
    for (const CounterFamily family : counterFamilies()) EXPECT_EQ(row("SELECT count(*) >= 0 FROM " + counterViewName(family)), "1");
}

TEST_F(EventTableTest, ADamagedChunkIsAnErrorThatNamesTheFile)
{
    store.database().execute("UPDATE chunk_payload SET data = x'0100' WHERE id = 1");
    try {
        (void)row("SELECT sum(begin_ns) FROM event");
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("run.db"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace flowgauge::store
