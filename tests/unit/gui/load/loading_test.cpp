// SPDX-License-Identifier: MIT
// How a run comes into the window: rows, strips, search, selection, and what is told of files that are no run.
#include "collector/record/error.h"
#include "gui/load/rows.h"
#include "gui/load/run_service.h"
#include "gui/load/search.h"
#include "gui/load/selection.h"
#include "gui/load/strips.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEventLoop>

#include <fstream>

namespace flowgauge::load {
namespace {

constexpr Nanos ms = 1'000'000;
constexpr int patienceMs = 60'000;

/// Runs the event loop until something holds.
template <typename Condition>
bool awaited(Condition condition)
{
    QElapsedTimer patience;
    patience.start();
    while (!condition() && patience.elapsed() < patienceMs) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    return condition();
}

class Loading : public facts::SmallRun {
protected:
    static void SetUpTestSuite()
    {
        static int count = 1;
        static char name[] = "loading";
        static char* arguments[] = {name, nullptr};
        static QCoreApplication application(count, arguments);
    }

    /// Two ranks; a step of 100 ms each: reads 0-20, computes 20-60, allreduce 50-100, so exposed from 60.
    void write()
    {
        for (int rank = 0; rank < 2; ++rank) {
            const store::Id id = process(100 + rank, rank, 2);
            mark(id, Kind::StepMark, {0, 100 * ms}, 1, 16);
            read(id, "/data/a.rec", {0, 20 * ms}, 1'000'000);
            phase(id, "forward", {20 * ms, 60 * ms});
            put(id, {50 * ms, 100 * ms, 0, Kind::Allreduce, 0, {1, 4096, 1, -1}});
        }
        for (Nanos at = 0; at <= 100; at += 10) sample(0, Counter::NicRxBytes, at * ms, at * 1000, "eth0");
        (void)finished();
    }
    RunPtr opened()
    {
        auto run = std::make_shared<RunSnapshot>(snapshotOf(store));
        run->analysis = analysisOf(store, "small");
        return run;
    }
    static const timeline::Row* rowOf(const std::vector<timeline::Row>& rows, const std::string& id)
    {
        for (const timeline::Row& row : rows)
            if (row.id == id) return &row;
        return nullptr;
    }
    /// One cell a ms or so: 2^20 ns.
    static constexpr timeline::StripFrame frame{0, 20, 96};
    std::string failure(const std::string& path)
    {
        RunService service;
        std::string why;
        QObject::connect(&service, &RunService::failed, [&why](const QString& text) { why = text.toStdString(); });
        service.open(QString::fromStdString(path));
        EXPECT_TRUE(awaited([&why] { return !why.empty(); }));
        return why;
    }
};

TEST_F(Loading, RowsStandInTheOrderOfThePage)
{
    write();
    std::vector<std::string> ids;
    for (const timeline::Row& row : rowsOf(*opened())) ids.push_back(row.id);
    EXPECT_EQ(ids, (std::vector<std::string>{"node-a", "node-a/NIC/eth0", "rank0", "rank0/compute", "rank0/communication",
                                             "rank0/file reads", "rank0/phases", "rank1", "rank1/compute", "rank1/communication",
                                             "rank1/file reads", "rank1/phases"}));
}

TEST_F(Loading, AStripOfReadsIsBusyWhereTheyRan)
{
    write();
    const RunPtr run = opened();
    const auto rows = rowsOf(*run);
    const timeline::Strip strip = stripOf(store, *run, *rowOf(rows, "rank0/file reads"), frame);
    EXPECT_EQ(strip.cells[0].events, 1U);
    EXPECT_FLOAT_EQ(strip.cells[10].busy, 1);
    EXPECT_EQ(strip.cells[10].tone, timeline::Tone::Storage);
    EXPECT_EQ(strip.cells[10].longest, 20 * ms);
    EXPECT_EQ(strip.cells[40], timeline::Cell{});
}

TEST_F(Loading, CommunicationIsExposedWhereNoComputeHidesIt)
{
    write();
    const RunPtr run = opened();
    const auto rows = rowsOf(*run);
    const timeline::Strip strip = stripOf(store, *run, *rowOf(rows, "rank1/communication"), frame);
    EXPECT_FLOAT_EQ(strip.cells[52].busy, 1);
    EXPECT_FLOAT_EQ(strip.cells[52].exposed, 0);
    EXPECT_FLOAT_EQ(strip.cells[80].exposed, 1);
    double exposed = 0;
    for (const timeline::Cell& cell : strip.cells) exposed += static_cast<double>(cell.exposed) * static_cast<double>(strip.width());
    EXPECT_NEAR(exposed, 40e6, 1e4);
}

TEST_F(Loading, AFoldedRankHasTheToneOfWhatTookMostOfItsTime)
{
    write();
    const RunPtr run = opened();
    const auto rows = rowsOf(*run);
    const timeline::Row& rank = *rowOf(rows, "rank0");
    const timeline::Strip strip = stripOf(store, *run, rank, frame);
    EXPECT_EQ(strip.cells[10].tone, timeline::Tone::InputStall);
    EXPECT_EQ(strip.cells[40].tone, timeline::Tone::Compute);
    EXPECT_EQ(strip.cells[80].tone, timeline::Tone::ExposedCommunication);
    EXPECT_FLOAT_EQ(strip.cells[80].busy, 1);
    RunSnapshot unread = *run;
    unread.analysis.reset();
    const timeline::Strip raw = stripOf(store, unread, rank, frame);
    EXPECT_EQ(raw.cells[10].tone, timeline::Tone::Storage);
    EXPECT_EQ(raw.cells[40], timeline::Cell{}) << "marks alone are no work";
    EXPECT_EQ(raw.cells[80].tone, timeline::Tone::HiddenCommunication);
}

TEST_F(Loading, ACounterIsARateAndUnknownWhereNothingWasSampled)
{
    write();
    const RunPtr run = opened();
    const auto rows = rowsOf(*run);
    const timeline::Strip strip = stripOf(store, *run, *rowOf(rows, "node-a/NIC/eth0"), {0, 20, 200});
    EXPECT_NEAR(strip.lines[0][40], 1e6, 1e3);  // 1000 bytes a ms
    EXPECT_FLOAT_EQ(strip.lines[0][150], timeline::unknown);
}

TEST_F(Loading, ARowOfAPortHasTheCeilingOfItsLink)
{
    for (Nanos at = 0; at <= 100; at += 10) {
        sample(0, Counter::IbDataRate, at * ms, 100'000, "mlx5_0/1");  // Mbit/s
        sample(0, Counter::IbRxBytes, at * ms, at * 1000, "mlx5_0/1");
        sample(0, Counter::DiskReadBytes, at * ms, at * 1000, "mlx5_0/1");  // no port, whatever its name
    }
    (void)finished();
    const auto rows = rowsOf(*opened());
    EXPECT_DOUBLE_EQ(rowOf(rows, "node-a/InfiniBand/mlx5_0/1")->ceiling, 12.5e9);
    EXPECT_DOUBLE_EQ(rowOf(rows, "node-a/disk/mlx5_0/1")->ceiling, 0);
}

TEST_F(Loading, AReadThatFailsIsNoLongerAwaited)
{
    write();
    RunService service;
    bool there = false;
    QString why;
    QObject::connect(&service, &RunService::analysed, [&](const RunPtr&) { there = true; });
    QObject::connect(&service, &RunService::readFailed, [&](const QString& text) { why = text; });
    service.open(QString::fromStdString(file().string()));
    ASSERT_TRUE(awaited([&] { return there; }));
    const auto fail = [](store::RunStore&, const Cancel&) -> int { throw Error("run.db", "no page can be read"); };
    const Cancel asked = service.askQuick(&service, fail, [](int) { ADD_FAILURE() << "there was nothing to answer"; });
    EXPECT_TRUE(isAwaited(asked));
    ASSERT_TRUE(awaited([&] { return !why.isEmpty(); }));
    EXPECT_FALSE(isAwaited(asked));
    service.close();
    EXPECT_FALSE(isAwaited(service.ask(&service, fail, [](int) {}))) << "without a run nobody answers";
}

TEST_F(Loading, SingleEventsHaveNamesBytesAndTones)
{
    write();
    const RunPtr run = opened();
    const auto rows = rowsOf(*run);
    const Cancel cancel = std::make_shared<std::atomic<bool>>(false);
    const RowBars bars = barsOf(store, *rowOf(rows, "rank0/file reads"), {0, 100 * ms}, 10, cancel);
    ASSERT_EQ(bars.bars.size(), 1U);
    EXPECT_EQ(bars.bars[0].name, "/data/a.rec");
    EXPECT_EQ(bars.bars[0].bytes, 1'000'000);
    EXPECT_TRUE(bars.all);
    EXPECT_FALSE(barsOf(store, *rowOf(rows, "rank0/phases"), {0, 100 * ms}, 0, cancel).all);
}

TEST_F(Loading, ASelectionCountsWhatOverlapsIt)
{
    write();
    const RunPtr run = opened();
    std::vector<store::Id> tracks;
    for (const TrackInfo& track : run->tracks)
        if (track.row.key.lane == Lane::Io || track.row.key.lane == Lane::Comm) tracks.push_back(track.row.id);
    const SelectionAnswer answer = selectionOf(store, tracks, {10 * ms, 60 * ms}, std::make_shared<std::atomic<bool>>(false));
    ASSERT_EQ(answer.sums.size(), 2U);
    EXPECT_EQ(answer.sums[0].sum.total, 20 * ms);  // two ranks, 10 ms each of the read and of the allreduce
    EXPECT_EQ(answer.sums[1].sum.total, 20 * ms);
    EXPECT_EQ(answer.sums[0].name, "/data/a.rec");
    EXPECT_EQ(answer.sums[1].name, "allreduce");
}

/// So many events that more than one connection counts them; the answer is that of one pass over all.
TEST_F(Loading, ALargeSelectionIsCountedAsBySteps)
{
    const Interval selection{10'000, 4'000'000};
    std::vector<store::Id> tracks;
    timeline::SelectionStats expected(selection);
    for (int rank = 0; rank < 3; ++rank) {
        std::vector<store::StoredEvent> events;
        for (Nanos i = 0; i < 500'000; ++i)
            events.push_back({i * 10, i * 10 + (i * 7919) % 1000, 0, Kind::FileRead, 0, {1 + i % 5, 0, i % 4096, 4096}});
        tracks.push_back(store.track({host, process(100 + rank, rank, 3), 1, Lane::Io, {}, 0}));
        store.append(tracks.back(), events);
        store::EventColumns batch;
        batch.assign(events);
        expected.add(batch);
    }
    (void)finished();
    const auto sums = expected.sums();
    const SelectionAnswer answer = selectionOf(store, tracks, selection, std::make_shared<std::atomic<bool>>(false));
    EXPECT_TRUE(answer.whole);
    ASSERT_EQ(answer.sums.size(), sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_EQ(answer.sums[i].sum.name, sums[i].name);
        EXPECT_EQ(answer.sums[i].sum.count, sums[i].count);
        EXPECT_EQ(answer.sums[i].sum.total, sums[i].total);
        EXPECT_EQ(answer.sums[i].sum.bytes, sums[i].bytes);
        EXPECT_EQ(answer.sums[i].sum.durations.percentile(0.99), sums[i].durations.percentile(0.99));
    }
}

TEST_F(Loading, ACountThatWasCancelledSaysThatItIsNotTheWhole)
{
    write();
    const SelectionAnswer answer = selectionOf(store, {1, 2, 3}, {0, 100 * ms}, std::make_shared<std::atomic<bool>>(true));
    EXPECT_FALSE(answer.whole);
    EXPECT_TRUE(answer.sums.empty());
}

TEST_F(Loading, SearchFindsTheNextAndTheOneBefore)
{
    write();
    const RunPtr run = opened();
    SearchQuestion question{{}, timeline::parseFilter("allred"), 0, true, run->extent};
    for (const TrackInfo& track : run->tracks) question.tracks.push_back(track.row.id);
    const Cancel cancel = std::make_shared<std::atomic<bool>>(false);
    const auto hit = findEvent(store, question, cancel);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->bar.event.begin, 50 * ms);
    question.from = 51 * ms;
    EXPECT_FALSE(findEvent(store, question, cancel));
    question.forward = false;
    EXPECT_EQ(findEvent(store, question, cancel)->bar.event.begin, 50 * ms);
    question.filter = timeline::parseFilter("no such thing");
    EXPECT_FALSE(findEvent(store, question, cancel));
}

TEST_F(Loading, ARunIsShownFirstAndAnalysedThen)
{
    write();
    RunService service;
    std::vector<bool> analysed;
    QObject::connect(&service, &RunService::opened, [&](const RunPtr& run) { analysed.push_back(run->analysis != nullptr); });
    QObject::connect(&service, &RunService::analysed, [&](const RunPtr& run) { analysed.push_back(run->analysis != nullptr); });
    service.open(QString::fromStdString(file().string()));
    ASSERT_TRUE(awaited([&] { return analysed.size() == 2; }));
    EXPECT_EQ(analysed, (std::vector<bool>{false, true}));
    EXPECT_EQ(service.run()->analysis->json, analysisOf(store, service.run()->name)->json);
    EXPECT_EQ(service.run()->ranks(), (std::vector<int>{0, 1}));
}

TEST_F(Loading, AnswersComeOnThisThreadUnlessNobodyWaitsForThem)
{
    write();
    RunService service;
    bool there = false;
    QObject::connect(&service, &RunService::analysed, [&](const RunPtr&) { there = true; });
    service.open(QString::fromStdString(file().string()));
    ASSERT_TRUE(awaited([&] { return there; }));
    const auto count = [](store::RunStore& asked, const Cancel&) { return asked.tracks().size(); };
    int unwanted = 0;
    {
        QObject gone;
        (void)service.ask(&gone, count, [&](std::size_t) { ++unwanted; });
    }
    const Cancel cancelled = service.ask(&service, count, [&](std::size_t) { ++unwanted; });
    *cancelled = true;
    std::size_t tracks = 0;
    (void)service.ask(&service, count, [&](std::size_t found) { tracks = found; });
    ASSERT_TRUE(awaited([&] { return tracks > 0; }));
    EXPECT_EQ(tracks, service.run()->tracks.size());
    EXPECT_EQ(unwanted, 0);
}

TEST_F(Loading, WhatIsNoRunIsToldInOneLine)
{
    write();
    const std::string text = (folder / "notes.txt").string();
    std::ofstream(text) << "no database at all, but long enough to be read as the head of one: " << std::string(200, 'x');
    EXPECT_NE(failure((folder / "missing").string()).find("no such run"), std::string::npos);
    EXPECT_NE(failure(text).find("notes.txt"), std::string::npos);
    std::filesystem::create_directories(folder / "empty");
    EXPECT_NE(failure((folder / "empty").string()).find("no recording in it"), std::string::npos);
}

TEST_F(Loading, ADamagedRunIsToldAndDoesNotCrash)
{
    write();
    store = store::RunStore::create(std::filesystem::path(":memory:"), 0);
    const auto size = std::filesystem::file_size(file());
    std::fstream bytes(file(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(size / 8));
    bytes << std::string(size / 2, '\x5a');
    bytes.close();
    EXPECT_FALSE(failure(file().string()).empty());
}

TEST_F(Loading, CancellingLeavesNothingBehind)
{
    write();
    RunService service;
    int signalled = 0;
    QObject::connect(&service, &RunService::analysed, [&](const RunPtr&) { ++signalled; });
    QObject::connect(&service, &RunService::failed, [&](const QString&) { ++signalled; });
    service.open(QString::fromStdString(file().string()));
    service.cancel();
    bool there = false;
    QObject::connect(&service, &RunService::analysed, [&](const RunPtr&) { there = true; });
    service.open(QString::fromStdString(file().string()));
    ASSERT_TRUE(awaited([&] { return there; }));
    EXPECT_EQ(signalled, 1);
}

}  // namespace
}  // namespace flowgauge::load
