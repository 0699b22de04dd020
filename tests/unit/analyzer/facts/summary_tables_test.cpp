// SPDX-License-Identifier: MIT
#include "analyzer/facts/summary_tables.h"

#include "analyzer/facts/run.h"
#include "tests/unit/analyzer/facts/small_run.h"

namespace flowgauge::facts {
namespace {

/// The rows of a query, columns joined by '|'.
std::vector<std::string> rowsOf(store::Database& database, const std::string& sql)
{
    std::vector<std::string> rows;
    store::Statement statement = database.prepare(sql);
    while (statement.step()) {
        std::string& row = rows.emplace_back();
        for (int column = 0; column < statement.columns(); ++column)
            row += (column == 0 ? "" : "|") + (statement.isNull(column) ? "NULL" : statement.text(column));
    }
    return rows;
}

class SummaryTables : public SmallRun {
protected:
    RunFacts facts()
    {
        const auto rank = process(100, 0);
        mark(rank, Kind::EpochMark, {100, 200}, 1, 32);
        phase(rank, "compute", {110, 150});
        phase(rank, "evaluation", {200, 240});
        read(rank, "/data/index", {10, 12}, 8, 101);
        read(rank, "/data/a", {120, 125}, 64, 101);
        read(rank, "/data/val", {210, 213}, 16, 101);
        put(rank, {140, 160, 0, Kind::Allreduce, 0, {77, 1000, 0, -1}});
        return factsOf(finished(), "run1");
    }
};

TEST_F(SummaryTables, HoldTheEpochsAndTheFindings)
{
    const RunFacts run = facts();
    store::Database database(file(), store::Database::Mode::Write);
    EXPECT_FALSE(hasSummary(database));
    for (int again = 0; again < 2; ++again)  // the second time replaces the first
        writeSummary(database, run, {{"shuffle_gap", "Shuffle gap", 7, 0.5, 0.25, 0.125, "Text.", "Advice."}});
    EXPECT_EQ(rowsOf(database, "SELECT number, begin_ns, end_ns, found_by, samples FROM epoch"),
              (std::vector<std::string>{"1|100|200|marks|32"}));
    EXPECT_TRUE(hasSummary(database));
    EXPECT_EQ(rowsOf(database,
                     "SELECT number, rank, samples, read_calls, read_bytes, read_ns, evaluation_calls, evaluation_bytes, evaluation_ns,"
                     " comm_ns, comm_calls, comm_bytes, fetched_bytes FROM epoch_rank"),
              (std::vector<std::string>{"1|0|32|1|64|5|1|16|3|20|1|1000|NULL"}));
    EXPECT_EQ(rowsOf(database,
                     "SELECT compute_ns, exposed_comm_ns, exposed_copy_ns, input_stall_ns, idle_ns,"
                     " compute_ns + exposed_comm_ns + exposed_copy_ns + input_stall_ns + idle_ns = end_ns - begin_ns FROM epoch_rank"),
              (std::vector<std::string>{"40|10|0|0|50|1"}));
    EXPECT_EQ(rowsOf(database, "SELECT * FROM reads_elsewhere"), (std::vector<std::string>{"0|evaluation|1|16|3", "0|start-up|1|8|2"}));
    EXPECT_EQ(rowsOf(database, "SELECT * FROM finding"),
              (std::vector<std::string>{"1|shuffle_gap|Shuffle gap|7|0.5|0.25|0.125|Text.|Advice."}));
}

TEST_F(SummaryTables, AnswerTheThreeQuestionsThatAreDocumented)
{
    const RunFacts run = facts();
    store::Database database(file(), store::Database::Mode::Write);
    writeSummary(database, run, {});
    EXPECT_EQ(rowsOf(database, "SELECT number, read_bytes FROM epoch_bytes ORDER BY number"), (std::vector<std::string>{"1|64"}));
    EXPECT_EQ(rowsOf(database, "SELECT rank, total_ns FROM rank_communication WHERE kind = 'allreduce' ORDER BY rank"),
              (std::vector<std::string>{"0|20"}));
    EXPECT_EQ(rowsOf(database,
                     "SELECT file, sum(bytes) FROM file_traffic WHERE kind = 'file_read' GROUP BY file ORDER BY sum(bytes) DESC LIMIT 2"),
              (std::vector<std::string>{"/data/a|64", "/data/val|16"}));
}

TEST_F(SummaryTables, WhatWasFetchedIsTheJobsFigureAndNotTheSumOfItsProcesses)
{
    RunFacts run = facts();
    run.epochs[0].fetched = 1000;  // over the wire
    run.epochs[0].fetchedSource = "nfs";
    run.ranks[0].epochs[0].fetched = 999;
    store::Database database(file(), store::Database::Mode::Write);
    writeSummary(database, run, {});
    EXPECT_EQ(rowsOf(database, "SELECT number, read_bytes, fetched_bytes FROM epoch_bytes"), (std::vector<std::string>{"1|64|1000"}));
    EXPECT_EQ(rowsOf(database, "SELECT fetched_bytes, fetched_source FROM epoch"), (std::vector<std::string>{"1000|nfs"}));
    EXPECT_EQ(rowsOf(database, "SELECT fetched_bytes, fetched_source FROM epoch_rank"), (std::vector<std::string>{"999|process"}));
    run.epochs[0].fetched = Measured<std::int64_t>::missing("rank 1 did not measure it");
    writeSummary(database, run, {});
    EXPECT_EQ(rowsOf(database, "SELECT fetched_bytes FROM epoch_bytes"), (std::vector<std::string>{"NULL"})) << "not 0";
}

TEST_F(SummaryTables, LeaveTheRunOneFile)
{
    const RunFacts run = facts();
    {
        store::Database database(file(), store::Database::Mode::Write);
        writeSummary(database, run, {});
        EXPECT_EQ(rowsOf(database, "PRAGMA journal_mode"), (std::vector<std::string>{"delete"}));
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(SummaryTables, EveryColumnOfThemIsDescribed)
{
    store::RunStore& run = finished();
    for (const char* table : {"epoch", "epoch_rank", "reads_elsewhere", "finding", "epoch_bytes", "rank_communication", "file_traffic"})
        EXPECT_EQ(rowsOf(run.database(), std::string("SELECT name FROM pragma_table_info('") + table + "') WHERE name NOT IN" +
                                             " (SELECT column FROM describe WHERE object = '" + table + "' AND sentence <> '')"),
                  std::vector<std::string>{})
            << table;
}

}  // namespace
}  // namespace flowgauge::facts
