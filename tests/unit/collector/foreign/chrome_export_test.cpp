// SPDX-License-Identifier: MIT
#include "collector/foreign/chrome_export.h"

#include "collector/foreign/sub_tracks.h"
#include "collector/foreign/trace_writer.h"
#include "tests/unit/collector/foreign/files.h"

#include <map>
#include <nlohmann/json.hpp>

namespace flowgauge::foreign {
namespace {

using Json = nlohmann::json;

class ChromeExport : public ForeignFiles {
protected:
    store::RunStore runOf(const std::vector<std::pair<std::int64_t, store::StoredEvent>>& events)
    {
        const auto file = folder / "run.db";
        store::RunStore store = store::RunStore::create(file, 1'700'000'000'000'000'000);
        store::Transaction transaction(store.database());
        const store::Id host = store.host({0, "node-a", "", 0});
        store::ProcessRow row;
        row.host = host;
        row.pid = 10;
        row.spool = "10-1";
        row.program = "train \"x\"";
        row.rank = 3;
        const store::Id process = store.process(row);
        static_cast<void>(store.name("gemm<\"a\\b\">\n\xff"));
        for (const auto& [thread, event] : events) {
            store::TrackKey key;
            key.host = host;
            key.process = event.kind == Kind::CounterSample ? 0 : process;
            key.thread = event.kind == Kind::CounterSample ? 0 : thread;
            key.lane = rowOf(event.kind).lane;
            if (event.kind == Kind::CounterSample) key.counter = static_cast<Counter>(event.arg[0]);
            if (event.kind == Kind::CounterSample) key.source = store.name("eth0");
            store.append(store.track(key), {&event, 1});
        }
        store.flush();
        transaction.commit();
        store.finalize();
        return store::RunStore::openForReading(file);
    }
    Json exported(store::RunStore& store)
    {
        result = exportChrome(store, folder / "t.json", {});
        std::ifstream file(folder / "t.json");
        return Json::parse(file);
    }
    ExportedTrace result;
};

store::StoredEvent kernel(Nanos begin, Nanos end, std::uint64_t link = 0) { return {begin, end, link, Kind::Kernel, 0, {1, 0, 7, 1}}; }

TEST_F(ChromeExport, LosesNoSliceAndEveryRowNests)
{
    const std::int64_t stream = streamThread(0, 7);
    store::RunStore store = runOf({{stream, kernel(0, 100)},
                                   {stream, kernel(10, 50)},
                                   {stream, kernel(40, 120)},
                                   {stream, kernel(60, 90)},
                                   {stream, kernel(100, 130)},
                                   {stream, kernel(115, 200)},
                                   {stream, kernel(115, 115)}});
    const Json trace = exported(store);
    std::map<int, std::vector<std::pair<double, double>>> rows;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "X") rows[event["tid"]].emplace_back(event["ts"], event["ts"].get<double>() + event["dur"].get<double>());
    std::size_t slices = 0;
    for (const auto& [tid, row] : rows) {
        slices += row.size();
        for (const auto& [begin, end] : row)
            for (const auto& [otherBegin, otherEnd] : row)
                EXPECT_FALSE(begin < otherBegin - 1e-6 && otherBegin < end - 1e-6 && end < otherEnd - 1e-6) << begin << " " << otherBegin;
    }
    EXPECT_EQ(slices, 7U);
    EXPECT_EQ(result.slices, 7);
    EXPECT_EQ(rows.size(), 3U);
    EXPECT_EQ(result.moved, 2);
}

TEST_F(ChromeExport, NamesAreValidJsonAndPlacesAreNamed)
{
    store::RunStore store = runOf({{streamThread(0, 7), kernel(0, 100, 5)}, {11, {0, 10, 5, Kind::GpuApi, 0, {1, 0, 0, 0}}}});
    const Json trace = exported(store);
    std::vector<std::string> names;
    int arrows = 0;
    for (const Json& event : trace["traceEvents"]) {
        if (event["ph"] == "M" && event["name"].get<std::string>().ends_with("_name")) names.push_back(event["args"]["name"]);
        if (event["ph"] == "X") {
            EXPECT_EQ(event["name"], "gemm<\"a\\b\">\n\xEF\xBF\xBD");
        }
        arrows += event["ph"] == "s" || event["ph"] == "f";
    }
    EXPECT_EQ(arrows, 2);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"GPU 0 stream 7", "api 11", "host node-a", "rank 3: train \"x\" (node-a)"}));
}

TEST_F(ChromeExport, CountersThatGrowBecomeRatesAndGaugesStayWhatTheyAre)
{
    const auto sample = [](Nanos at, Counter counter, std::int64_t value) {
        return std::pair(std::int64_t{0},
                         store::StoredEvent{at, at, 0, Kind::CounterSample, 0, {static_cast<std::int64_t>(counter), 0, value, 0}});
    };
    store::RunStore store = runOf({sample(0, Counter::NicRxBytes, 1000), sample(500'000'000, Counter::NicRxBytes, 2000),
                                   sample(1'000'000'000, Counter::NicRxBytes, 10), sample(0, Counter::MemoryTotal, 3)});
    const Json trace = exported(store);
    std::map<std::string, std::vector<double>> values;
    for (const Json& event : trace["traceEvents"])
        if (event["ph"] == "C") values[event["name"]].push_back(event["args"]["value"]);
    EXPECT_EQ(values, (std::map<std::string, std::vector<double>>{{"memory_total_kib eth0", {3072}}, {"nic_rx_bytes eth0 /s", {2000}}}));
}

TEST_F(ChromeExport, WhatWasExportedIsImportedAsItWas)
{
    const std::int64_t stream = streamThread(2, 9);
    const std::vector<std::pair<std::int64_t, store::StoredEvent>> events{
        {stream, {1001, 2003, 4, Kind::Kernel, 0, {1, 2, 9, 1}}},   {stream, {1500, 2500, 5, Kind::Kernel, 0, {1, 2, 9, 1}}},
        {stream, {3000, 3010, 6, Kind::GpuCopy, 0, {64, 2, 9, 1}}}, {stream, {0, 3, 7, Kind::GpuFill, 0, {16, 2, 9, 0}}},
        {11, {900, 950, 4, Kind::GpuApi, 0, {1, 0, 0, 0}}},         {11, {800, 4000, 0, Kind::StepMark, 0, {17, 0, 0, 0}}}};
    store::RunStore original = runOf(events);
    static_cast<void>(exportChrome(original, folder / "t.json.gz", {}));
    store::RunStore again = import({folder / "t.json.gz"});
    const Nanos shift = *original.meta("t_zero") - *again.meta("t_zero");
    for (const auto& [thread, event] : events) {
        SCOPED_TRACE(rowOf(event.kind).sqlName);
        const auto found = eventsOf(again, event.kind);
        const bool there = std::any_of(found.begin(), found.end(), [&, wanted = event](const store::StoredEvent& other) {
            return other.begin == wanted.begin + shift && other.end == wanted.end + shift && other.link == wanted.link &&
                   (wanted.kind == Kind::Kernel || wanted.kind == Kind::GpuApi || other.arg == wanted.arg);
        });
        EXPECT_TRUE(there);
    }
}

TEST(SubTracks, ASliceStandsBesideOneThatItOutlives)
{
    SubTracks rows;
    EXPECT_EQ(rows.rowOf({0, 100}), 0U);
    EXPECT_EQ(rows.rowOf({10, 100}), 0U);
    EXPECT_EQ(rows.rowOf({20, 101}), 1U);
    EXPECT_EQ(rows.rowOf({30, 102}), 2U);
    EXPECT_EQ(rows.rowOf({100, 110}), 0U) << "where one ends, the next may begin";
}

TEST(TraceWriter, WritesMicrosecondsWithAllNanoseconds)
{
    EXPECT_EQ(microseconds(1'712'195'495'505'583'047), "1712195495505583.047");
    EXPECT_EQ(microseconds(-1500), "-1.500");
    EXPECT_EQ(microseconds(7), "0.007");
}

}  // namespace
}  // namespace flowgauge::foreign
