// SPDX-License-Identifier: MIT
#include "collector/ingest/ingest.h"

#include "collector/ingest/run_lock.h"
#include "collector/record/error.h"
#include "collector/record/ledger_line.h"
#include "tests/unit/collector/ingest/spool_maker.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <csignal>

namespace flowgauge::ingest {
namespace {

namespace fs = std::filesystem;

struct IngestTest : testing::Test {
    TestFolder folder;
    fs::path run = folder.path() / "run";
    fs::path spools = folder.path() / "spools";
    IngestTest()
    {
        fs::create_directories(run);
        fs::create_directories(spools);
    }
    Summary take() const { return ingest(run, {spools}); }

    std::vector<store::StoredEvent> events() const
    {
        std::vector<store::StoredEvent> all;
        store::RunStore store = store::RunStore::openForReading(run / "run.db");
        store.scan({}, [&](const store::TrackRow&, std::span<const store::StoredEvent> some) {
            all.insert(all.end(), some.begin(), some.end());
            return true;
        });
        return all;
    }
    std::string text(const std::string& sql) const
    {
        store::Database database(run / "run.db", store::Database::Mode::Read);
        store::Statement statement(database, sql);
        return statement.step() ? statement.text(0) : "(no row)";
    }
    /// `count` reads in chunks of 1,000, one name, the last chunk's worth in the ring.
    SpoolMaker bigSpool(std::uint64_t count) const
    {
        SpoolMaker maker(spools / "4711-1000.spool");
        maker.chunk(0, 0, nameSlotsOf(5, "/data/shard-0"));
        for (std::uint64_t done = 0; done < count; done += 1000) {
            std::vector<Event> some;
            for (std::uint64_t i = done; i < std::min(count, done + 1000); ++i) some.push_back(readAt(2000 + i * 20, 5, 4096));
            maker.chunk(0, 2 + done, some);
        }
        maker.ring(2 + count, {readAt(2000 + count * 20, 5, 4096)});
        return maker;
    }
};

TEST_F(IngestTest, AnEventArrivesWithRunTimeAndTheNameOfItsFile)
{
    SpoolMaker maker(spools / "4711-1000.spool");
    maker.chunk(0, 0, nameSlotsOf(5, "/data/shard-0"));
    maker.chunk(0, 2, {readAt(3000, 5, 100)});
    maker.write();
    EXPECT_EQ(take().events, 1);
    const auto all = events();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].begin, 2000);  // the run's zero is the process's start, at tick 1000
    EXPECT_EQ(all[0].end, 2010);
    EXPECT_EQ(all[0].arg[2], 100);
    EXPECT_EQ(text("SELECT text FROM name WHERE id = " + std::to_string(all[0].arg[0])), "/data/shard-0");
}

TEST_F(IngestTest, KernelsStandOnTheTrackOfTheirStreamWhoeverRecordedThemAndAreReadable)
{
    SpoolMaker maker(spools / "4711-1000.spool");
    maker.chunk(0, 0, nameSlotsOf(5, "_Z6matmuliPKf", NameClass::Kernel));
    Event first = kernel({3000, 3010}, 5, {0, 7, 41}, 1);
    Event second = kernel({3005, 3020}, 5, {0, 13, 42}, 1);
    Event third = kernel({3030, 3040}, 5, {1, 7, 43}, 1);
    first.thread = second.thread = third.thread = 9;
    maker.chunk(0, 2, {first, second, third});
    maker.write();
    EXPECT_EQ(take().events, 3);
    EXPECT_EQ(text("SELECT group_concat(thread) FROM (SELECT thread FROM track WHERE lane = 'gpu' ORDER BY thread)"), "7,13,4294967303");
    EXPECT_EQ(text("SELECT text FROM name WHERE id = " + std::to_string(events().at(0).arg[0])), "matmul(int, float const*)");
}

TEST_F(IngestTest, ARangeKeepsItsNameAndItsDomain)
{
    SpoolMaker maker(spools / "4711-1000.spool");
    maker.chunk(0, 0, nameSlotsOf(5, "forward", NameClass::Other));
    maker.chunk(0, 2, nameSlotsOf(6, "NCCL", NameClass::Other));
    maker.chunk(0, 4, {range({3000, 3010}, 5, 6, -1, 0)});
    maker.write();
    EXPECT_EQ(take().events, 1);
    EXPECT_EQ(text("SELECT text FROM name WHERE id = " + std::to_string(events().at(0).arg[0])), "forward");
    EXPECT_EQ(text("SELECT text FROM name WHERE id = " + std::to_string(events().at(0).arg[1])), "NCCL");
}

TEST_F(IngestTest, AKeyWithoutTextIsTheLostName)
{
    SpoolMaker maker(spools / "4711-1000.spool");
    maker.chunk(0, 0, {readAt(3000, 77, 100)});
    maker.write();
    (void)take();
    EXPECT_EQ(events().at(0).arg[0], 0);
}

TEST_F(IngestTest, ASecondIngestAddsNothing)
{
    bigSpool(2500).write();
    EXPECT_EQ(take().events, 2501);
    EXPECT_EQ(take().events, 0);
    EXPECT_EQ(events().size(), 2501U);
}

TEST_F(IngestTest, WhatWasRecordedMeanwhileIsAddedByTheNextIngest)
{
    bigSpool(1500).write();
    EXPECT_EQ(take().events, 1501);
    bigSpool(4000).write();
    EXPECT_EQ(take().events, 2500);
    EXPECT_EQ(events().size(), 4001U);
}

TEST_F(IngestTest, AStoppedIngestGoesOnWhereItStopped)
{
    bigSpool(9000).write();
    int calls = 0;
    const Summary first = ingest(run, {spools}, [&](double) { return ++calls < 4; });
    EXPECT_GT(first.events, 0);
    EXPECT_LT(first.events, 9001);
    EXPECT_EQ(take().events, 9001 - first.events);
    EXPECT_EQ(events().size(), 9001U);
}

TEST_F(IngestTest, KilledAtAnyMomentItLosesAndDoublesNothing)
{
    bigSpool(200'000).write();
    for (int attempt = 0; attempt < 12; ++attempt) {
        const pid_t child = fork();
        if (child == 0) {
            (void)take();
            _exit(0);
        }
        usleep(static_cast<useconds_t>(1000 + attempt * 7000));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    (void)take();
    EXPECT_EQ(events().size(), 200'001U);
    EXPECT_EQ(text("SELECT sum(calls) FROM name_stat"), "200001");
}

TEST_F(IngestTest, RankCommandAndEndOfAProcessAreRows)
{
    SpoolMaker maker(spools / "4711-1000.spool");
    maker.environment({"exe=/usr/bin/trainer", "cwd=/home/me", "argv=trainer", "argv=--name=two words", "PMI_RANK=1", "PMI_SIZE=2"});
    maker.chunk(0, 0, {readAt(3000, 0, 1)});
    maker.endedTicks = 9000;
    maker.write();
    (void)take();
    EXPECT_EQ(text("SELECT command FROM process"), "trainer '--name=two words'");
    EXPECT_EQ(text("SELECT rank || '/' || world_size || ' ' || rank_source FROM process"), "1/2 env:PMI_RANK");
    EXPECT_EQ(text("SELECT ended || ' ' || end_ns FROM process"), "normally 8000");
    EXPECT_EQ(text("SELECT value FROM environment WHERE key = 'exe'"), "/usr/bin/trainer");
}

TEST_F(IngestTest, MpiKnowsTheRankBetterThanTheEnvironment)
{
    SpoolMaker maker(spools / "4711-1000.spool");
    maker.environment({"PMI_RANK=7"});
    maker.chunk(0, 0, {mpiInit({2000, 3000}, 4, 3, 0)});
    maker.write();
    (void)take();
    EXPECT_EQ(text("SELECT rank || '/' || world_size || ' ' || rank_source FROM process"), "3/4 mpi");
    EXPECT_EQ(text("SELECT ended FROM process"), "without goodbye");
}

TEST_F(IngestTest, LossesAndLedgerTextsAreLedgerRows)
{
    SpoolMaker maker(spools / "4711-1000.spool");
    maker.chunk(0, 0, nameSlotsOf(9, "ledger\tio_uring\tabsent\tno completion is visible", NameClass::Other));
    maker.ring(2, {}).lostFull = 12;
    maker.write();
    EXPECT_EQ(take().lost, 12);
    EXPECT_EQ(text("SELECT amount FROM ledger WHERE state = 'dropped' AND reason = 'ring_full'"), "12");
    EXPECT_EQ(text("SELECT state || ': ' || reason FROM ledger WHERE what = 'io_uring'"), "absent: no completion is visible");
}

TEST_F(IngestTest, WhatTwoSamplersSayOfTheirHostIsOneRowOfTheHost)
{
    for (const char* const name : {"4711-1000.spool", "4712-1000.spool"}) {
        SpoolMaker maker(spools / name);
        auto slots = nameSlotsOf(9, std::string(hostFactMark) + "gpu\tabsent\tno device", NameClass::Other);
        const auto more = nameSlotsOf(10, std::string(processFactMark) + "io_uring\tabsent\tno completion", NameClass::Other);
        slots.insert(slots.end(), more.begin(), more.end());
        maker.chunk(0, 0, slots);
        maker.write();
    }
    (void)take();
    EXPECT_EQ(text("SELECT count(*) || ' ' || count(process_id) || ' ' || count(host_id) FROM ledger WHERE what = 'gpu'"), "1 0 1");
    EXPECT_EQ(text("SELECT count(*) || ' ' || count(process_id) FROM ledger WHERE what = 'io_uring'"), "2 2");
}

TEST_F(IngestTest, ABadSpoolIsAWarningAndTheOthersAreTaken)
{
    std::ofstream(spools / "1-1.spool") << "nonsense";
    bigSpool(10).write();
    const Summary summary = take();
    EXPECT_EQ(summary.events, 11);
    ASSERT_EQ(summary.warnings.size(), 1U);
    EXPECT_NE(summary.warnings[0].find("1-1.spool: expected a spool header"), std::string::npos);
}

TEST_F(IngestTest, AFolderWithoutARunIsRefused)
{
    EXPECT_THROW((void)ingest(run, {}), Error);
    EXPECT_FALSE(fs::exists(run / "run.db"));
}

TEST_F(IngestTest, AnotherHostsLockIsRespected)
{
    bigSpool(10).write();
    std::ofstream(run / "run.lock") << "elsewhere some-boot 123\n";
    try {
        (void)take();
        FAIL() << "it wrote under another host's lock";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("host elsewhere (process 123) is writing"), std::string::npos);
    }
}

TEST_F(IngestTest, TheLockOfADeadProcessOfThisHostIsTakenOverAndRemoved)
{
    bigSpool(10).write();
    char name[256];
    gethostname(name, sizeof name);
    std::ofstream(run / "run.lock") << name << " old-boot 123\n";
    EXPECT_EQ(take().events, 11);
    EXPECT_FALSE(fs::exists(run / "run.lock"));
}

TEST_F(IngestTest, OutputLinesHaveTheTimeOfThePieceTheyBeginIn)
{
    bigSpool(1).write();
    std::ofstream(run / "output.log") << "epoch 1\nepo"
                                      << "ch 2\n";
    std::ofstream index(run / "output.idx", std::ios::binary);
    const struct {
        std::uint64_t offset;
        std::int64_t at;
        std::uint32_t bytes, stream;
    } pieces[] = {{0, 1'000'001'500, 11, 1}, {11, 1'000'002'000, 5, 1}};
    index.write(reinterpret_cast<const char*>(pieces), sizeof pieces);
    index.close();
    (void)take();
    EXPECT_EQ(text("SELECT group_concat(at_ns || ' ' || stream || ' ' || text, '; ') FROM output_line"),
              "500 stdout epoch 1; 500 stdout epoch 2");
}

}  // namespace
}  // namespace flowgauge::ingest
