// SPDX-License-Identifier: MIT
#include "collector/foreign/trace_reader.h"

#include "collector/foreign/trace_clock.h"
#include "tests/unit/collector/foreign/files.h"

namespace flowgauge::foreign {
namespace {

/// Everything that a trace holds, as lines.
struct Lines : TraceSink {
    std::vector<std::string> lines;
    void event(const TraceEvent& event) override
    {
        std::string line = event.phase + "|" + event.category + "|" + event.name + "|" + event.process + "|" + event.thread + "|" +
                           event.begin + "|" + event.duration;
        for (std::size_t i = 0; i < event.args.size(); ++i)
            if (!event.args[i].empty()) line += "|" + std::string(traceArgNames[i]) + "=" + event.args[i];
        lines.push_back(line);
    }
    void header(std::string_view key, std::string_view inner, std::string_view value) override
    {
        lines.push_back(std::string(key) + "." + std::string(inner) + "=" + std::string(value));
    }
};

using TraceReader = ForeignFiles;
using List = std::vector<std::string>;

TEST_F(TraceReader, ReadsEventsAndHeadersOfAnObject)
{
    Lines sink;
    const auto file = text("t.json", R"({"schemaVersion": 1, "distributedInfo": {"rank": 3, "pg_config": [{"pg_size": 8, "ranks": [0, 1]}]},
        "traceEvents": [{"ph": "X", "cat": "kernel", "name": "k \"q\" \u00e9", "pid": 0, "tid": 7, "ts": 1712195495505583.047, "dur": "4.928",
        "args": {"correlation": 9, "grid": [1, 2, 3], "est. achieved occupancy %": NaN, "nested": {"bytes": 5}, "Input Dims": [[2, 3], []], "bytes": 64}},
        {"ph": "M"}], "displayTimeUnit": "ns"})");
    const TraceText read = readTrace(file, sink, {});
    EXPECT_EQ(sink.lines, (List{"schemaVersion.=1", "distributedInfo.rank=3",
                                "X|kernel|k \"q\" \u00e9|0|7|1712195495505583.047|4.928|correlation=9|bytes=64|Input Dims=[[2 3 ][]]",
                                "M||||||", "displayTimeUnit.=ns"}));
    EXPECT_FALSE(read.cutOff);
    EXPECT_EQ(read.bytes, std::filesystem::file_size(file));
}

TEST_F(TraceReader, ReadsABareArrayAndGzip)
{
    Lines sink;
    static_cast<void>(readTrace(gzip("t.json.gz", R"([{"name": "a"}, {"name": "b"}])"), sink, {}));
    EXPECT_EQ(sink.lines, (List{"||a||||", "||b||||"}));
}

TEST_F(TraceReader, WhatIsCutOffGivesWhatWasThere)
{
    Lines sink;
    EXPECT_TRUE(readTrace(text("t.json", R"({"traceEvents": [{"name": "a"}, {"na)"), sink, {}).cutOff);
    EXPECT_EQ(sink.lines, (List{"||a||||"}));
}

TEST_F(TraceReader, ACutOffGzipFileGivesWhatWasThere)
{
    std::string events;
    for (int i = 0; i < 50'000; ++i) events += R"({"name": "n)" + std::to_string(i * 7919) + R"("},)";
    const auto file = gzip("t.json.gz", "[" + events + "{}]");
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    Lines sink;
    EXPECT_TRUE(readTrace(file, sink, {}).cutOff);
    EXPECT_GT(sink.lines.size(), 10'000U);
    EXPECT_EQ(sink.lines.front(), "||n0||||");
}

TEST_F(TraceReader, WhatIsNoJsonIsRefusedWithItsPlace)
{
    Lines sink;
    try {
        static_cast<void>(readTrace(text("t.json", R"({"traceEvents": [{"name": oops}]})"), sink, {}));
        FAIL();
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("no JSON at byte 26"), std::string::npos) << error.what();
    }
}

TEST_F(TraceReader, AFileOfBracketsDoesNotTakeTheStack)
{
    Lines sink;
    EXPECT_THROW(static_cast<void>(readTrace(text("t.json", std::string(4'000'000, '[') + "x"), sink, {})), std::exception);
}

TEST_F(TraceReader, StopsWhenAskedTo)
{
    Lines sink;
    EXPECT_THROW(static_cast<void>(readTrace(text("t.json", "[" + std::string(1'000'000, ' ') + "]"), sink, [](double) { return false; })),
                 std::exception);
}

TEST_F(TraceReader, TheClockIsFoundBehindTheEventsAndTheEarliestBeginAnywhere)
{
    const std::string filler(300'000, ' ');  // so that keys and values lie on both sides of pieces
    const TraceClock clock = clockOf(text("t.json", R"({"traceEvents": [{"ts": 900.5},)" + filler + R"({"ts":0},{"ts": 800.125}],)" +
                                                        filler + R"("baseTimeNanoseconds": 1719853884000000000})"),
                                     {});
    EXPECT_EQ(clock.baseNs, 1719853884000000000);
    EXPECT_EQ(clock.firstNs, 1719853884000000000 + 800125);
}

}  // namespace
}  // namespace flowgauge::foreign
