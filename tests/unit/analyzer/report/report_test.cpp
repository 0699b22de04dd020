// SPDX-License-Identifier: MIT
#include "analyzer/report/report.h"
#include "analyzer/report/lines.h"

#include <gtest/gtest.h>
#include <fstream>
#include <sstream>

namespace flowgauge::report {
namespace {

using findings::Duration;
using findings::Part;
using findings::Share;

findings::RunSummary twoRanks()
{
    findings::RunSummary summary;
    summary.name = "run1";
    summary.program = "resnet50";
    summary.recordedUnixNs = 1'795'950'000'000'000'000;
    summary.ranks = 2;
    summary.hosts = 1;
    summary.processes = 2;
    summary.wall = 96'400'000'000;
    summary.breakdown = {"step", 412'000'000, {}, {}};
    summary.breakdown.parts = {{Part::Compute, 0.58, 0.58, 0.58},
                               {Part::ExposedCommunication, 0.31, 0.29, 0.33},
                               {Part::ExposedCopy, 0, 0, 0},
                               {Part::InputStall, 0.04, 0.04, 0.04},
                               {Part::OtherIdle, 0.07, 0.07, 0.07}};
    for (std::int64_t number = 1; number <= 3; ++number) {
        findings::EpochRow row;
        row.number = number;
        row.time = 33'100'000'000 - number * 500'000'000;
        row.samplesPerSecond = 29.0 + static_cast<double>(number);
        row.asked = 215'000'000;
        row.fetched = number == 1 ? 215'000'000 : 0;
        row.fromCache = number == 1 ? 0.0 : 1.0;
        row.shuffleGap = number == 1 ? Measured<Nanos>::missing("first epoch") : Measured<Nanos>(520'000'000);
        row.foundBy = "marks";
        summary.epochs.push_back(row);
    }
    summary.collectives = {
        {"allreduce", 26'214'400, 2, 384, 4'200'000'000, 16'800'000'000, 4'100'000, 21'000'000, 1.25e9, 1.25e9},
        {"barrier", 0, 2, 3, 90'000, 30'000, 20'000, 10'000, Measured<double>::missing("no bytes"), Measured<double>::missing("no bytes")}};
    summary.notMeasured = {{"GPU kernels", "no CUDA driver"}, {"infiniband", "no device"}};
    summary.cost = {0.0021, 1'900'000, 48'211, 0};
    return summary;
}

findings::Finding exposed()
{
    findings::Finding finding;
    finding.diagnosis = "exposed_communication";
    finding.title = "Exposed communication";
    finding.amount = 31;
    finding.outOf = 100;
    finding.outOfWhat = "step time";
    finding.ranks = {0, 1};
    finding.where = "all steps";
    finding.gain = {0.24, 0.04};
    finding.verdict = findings::Sentence("Communication is exposed for ", Share{0.31}, " of the step; overlapping it would save about ",
                                         finding.gain, ".");
    finding.details.emplace_back("Each step waits ", Duration{128'000'000}, ".");
    finding.evidence.push_back({0, {8'412'000'000, 8'540'000'000}, "communication that no compute hides"});
    finding.advice = "Reduce each bucket as soon as it is ready, while backward goes on; a longer advice is broken where the line ends.";
    return finding;
}

findings::Finding gap()
{
    findings::Finding finding;
    finding.diagnosis = "shuffle_gap";
    finding.title = "Shuffle gap";
    finding.amount = 16;
    finding.outOf = 1000;
    finding.outOfWhat = "the run";
    finding.where = "after epochs 1, 2";
    finding.gain = {0.016, 0};
    finding.verdict = findings::Sentence("Between epochs the job stands for ", Duration{520'000'000}, " each time.");
    return finding;
}

std::string contentsOf(const std::string& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(TextReport, ReadsAsItAlwaysDid)
{
    const std::string text = textOf(buildReport(twoRanks(), {exposed(), gap()}));
    if (std::getenv("FLOWGAUGE_BLESS") != nullptr) std::ofstream(FLOWGAUGE_GOLDEN "/expected.txt") << text;
    EXPECT_EQ(text, contentsOf(FLOWGAUGE_GOLDEN "/expected.txt")) << "to accept the new text, run this test with FLOWGAUGE_BLESS=1";
}

TEST(TextReport, NoLineIsWiderThanThePageAndNoneSaysNan)
{
    findings::RunSummary summary = twoRanks();
    summary.program = std::string(150, 'x');
    const std::string text = textOf(buildReport(summary, {exposed(), gap()}));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columnsOf(line), 100) << line;
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find('\033'), std::string::npos) << "no colour unless asked for";
}

TEST(Report, TellsAnOutageOnceAsAFindingOrElseAmongStorage)
{
    findings::RunSummary summary = twoRanks();
    summary.storage.outages = {findings::Sentence("Storage did not answer.")};
    EXPECT_EQ(buildReport(summary, {}).summary.storage.told.size(), 1U);
    findings::Finding outage = gap();
    outage.diagnosis = "storage_outage";
    EXPECT_TRUE(buildReport(summary, {outage}).summary.storage.told.empty());
}

TEST(TextReport, TheBarHasOneCellForEachShareAndColourOnlyOnATerminal)
{
    const Report report = buildReport(twoRanks(), {});
    const std::string text = textOf(report);
    std::size_t cells = 0;
    for (const char* fill : {"█", "▒", "░", "·"})
        for (std::size_t at = text.find(fill); at != std::string::npos; at = text.find(fill, at + 1)) ++cells;
    EXPECT_EQ(cells, 72U);
    EXPECT_NE(textOf(report, {true, 100}).find("\033[38;5;25m"), std::string::npos);
}

TEST(TextReport, OfManyCollectivesTheLongestAreShownAndTheOthersCounted)
{
    findings::RunSummary summary = twoRanks();
    summary.collectives.assign(9, summary.collectives[0]);
    summary.collectives[0].busbw = Measured<double>::missing("NCCL took it");
    const std::string text = textOf(buildReport(summary, {}));
    EXPECT_NE(text.find("…  5 more sizes"), std::string::npos) << text;
    EXPECT_NE(text.find("busbw not measured (NCCL took it)"), std::string::npos) << text;
}

findings::PortRow portOf(const std::string& host, double moved)
{
    findings::PortRow port;
    port.host = host;
    port.port = "eth0";
    port.received = {moved, 0.6 * moved, 0.3 * moved, 0.02 * moved, 0.08 * moved};
    port.sent = {0.5 * moved, 0.6 * moved, 0, 0, -0.1 * moved};
    port.peakReceived = 1e9;
    port.rate = Measured<double>::missing("the port does not tell its rate");
    port.epochs = {{1, port.received, port.sent}};
    return port;
}

TEST(TextReport, PortsSayWhatTheyCarriedAndWhatNothingExplains)
{
    findings::RunSummary summary = twoRanks();
    for (int i = 0; i < 6; ++i) summary.network.ports.push_back(portOf("node-" + std::to_string(i), 1e9 * (i + 1)));
    EXPECT_EQ(textOf(buildReport(summary, {})).find("unexplained"), std::string::npos) << "nothing is attributed: nothing to say";
    summary.network.attributed = true;
    summary.network.checks.emplace_back("node-5: 3 collectives with other hosts.");
    summary.network.ports[5].rate = 1.25e9;
    const std::string text = textOf(buildReport(summary, {}));
    EXPECT_EQ(text.find("node-1 "), std::string::npos) << "the busiest four";
    EXPECT_NE(text.find("2 more ports"), std::string::npos) << text;
    EXPECT_NE(text.find("-600 MB"), std::string::npos) << text;
    EXPECT_NE(text.find("1.00 GB/s (80 %)"), std::string::npos) << text;
    EXPECT_NE(text.find("share of the link not measured (the port does not tell its rate)"), std::string::npos) << text;
    const std::string json = jsonOf(buildReport(summary, {}));
    EXPECT_NE(json.find("\"unexplained_bytes\": -600000000.0"), std::string::npos) << json;
}

TEST(TextReport, ClocksOfSeveralHostsAreToldWithTheirDoubt)
{
    findings::RunSummary summary = twoRanks();
    EXPECT_EQ(textOf(buildReport(summary, {})).find("CLOCKS"), std::string::npos) << "one host has nothing to be told against";
    summary.clocks = {{"node-a", Nanos{0}, 0, 0},
                      {"node-b", Nanos{-40'000'000}, 5'200, 1},
                      {"node-c", Measured<Nanos>::missing("nothing ties it to the others"), 0, 0}};
    const std::string text = textOf(buildReport(summary, {}), {false, 1000});
    EXPECT_NE(text.find("Against node-a: node-c not measured (nothing ties it to the others); "
                        "node-b 40.0 ms behind (± 5.20 µs), set 1 time meanwhile."),
              std::string::npos)
        << text;
    const std::string json = jsonOf(buildReport(summary, {}));
    EXPECT_NE(json.find("\"ahead_ns\": -40000000"), std::string::npos) << json;
}

TEST(TextReport, AnEpochThatIsNotCertainSaysHowSureItIs)
{
    findings::RunSummary summary = twoRanks();
    summary.epochs.front().foundBy = "rhythm of traffic";
    summary.epochs.front().confidence = 0.875;
    EXPECT_NE(textOf(buildReport(summary, {})).find("rhythm of traffic (88 %)"), std::string::npos);
}

TEST(TextReport, CollectivesWhoseAlgorithmWasToldSayIt)
{
    findings::RunSummary summary = twoRanks();
    EXPECT_EQ(textOf(buildReport(summary, {})).find("algorithm"), std::string::npos);
    summary.collectives[0].manner = "RING/LL128";
    summary.collectives[0].wireOfRank = 1e6 * 16 / 15;
    const std::string text = textOf(buildReport(summary, {}));
    EXPECT_NE(text.find("RING/LL128     1.07 MB"), std::string::npos) << text;
}

TEST(TextReport, WhatWasMeasuredLessWellIsToldAndOfVeryMuchTheFirst)
{
    findings::RunSummary summary = twoRanks();
    summary.degraded = {{"GPU kernels", "recorded for one second in ten"}};
    EXPECT_NE(textOf(buildReport(summary, {})).find("\nDEGRADED       GPU kernels (recorded for one second in ten)\n"), std::string::npos);
    summary.degraded.assign(15, {"spool", "cut off"});
    EXPECT_NE(textOf(buildReport(summary, {})).find("and 3 more"), std::string::npos);
}

TEST(TextReport, GpuLinksStandBesideWhatTheyCanMove)
{
    findings::RunSummary summary = twoRanks();
    EXPECT_EQ(textOf(buildReport(summary, {})).find("NVLink"), std::string::npos);
    summary.network.gpuLinks = {{"node-a", "GPU-1", "NVLink", 3e9, 4e9, 180e9, 225e9, 450e9}};
    const std::string text = textOf(buildReport(summary, {}));
    EXPECT_NE(text.find("180 GB/s (40 %)"), std::string::npos) << text;
    EXPECT_NE(text.find("225 GB/s (50 %)"), std::string::npos) << text;
    EXPECT_NE(text.find("450 GB/s"), std::string::npos) << text;
}

TEST(Report, AHealthyRunHasNothingToFix)
{
    EXPECT_TRUE(buildReport(twoRanks(), {}).healthy);
    EXPECT_TRUE(buildReport(twoRanks(), {gap()}).healthy);
    EXPECT_FALSE(buildReport(twoRanks(), {exposed()}).healthy);
    EXPECT_NE(textOf(buildReport(twoRanks(), {gap()})).find("VERDICT  Nothing to fix: the largest single cause would save 1.6 %."),
              std::string::npos);
}

TEST(Report, ARunWithoutRanksIsJudgedByNobody)
{
    findings::RunSummary empty;
    empty.name = "empty";
    const std::string text = textOf(buildReport(empty, {}));
    EXPECT_NE(text.find("Nothing to judge"), std::string::npos);
    EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(Report, UnexplainedTimeIsNotCalledHealthy)
{
    findings::RunSummary summary = twoRanks();
    summary.breakdown.parts = {{Part::Compute, 0, 0, 0}, {Part::OtherIdle, 1, 1, 1}};
    summary.breakdown.remarks = {"compute is not measured (no phase marked)"};
    EXPECT_NE(textOf(buildReport(summary, {})).find("most of the time is not explained"), std::string::npos);
}

TEST(JsonReport, SaysTheSameAndNamesWhatIsNotMeasured)
{
    const std::string json = jsonOf(buildReport(twoRanks(), {exposed()}));
    EXPECT_NE(json.find("\"schema\": 1"), std::string::npos);
    EXPECT_NE(json.find("\"diagnosis\": \"exposed_communication\""), std::string::npos);
    EXPECT_NE(json.find("\"not_measured\": \"first epoch\""), std::string::npos);
    EXPECT_NE(json.find("\"gain\": 0.24"), std::string::npos);
}

TEST(TextReport, OneProcessIsSingularAndNoneIsPlural)
{
    findings::RunSummary summary = twoRanks();
    summary.epochs.resize(1);
    summary.ranks = 1;
    EXPECT_NE(textOf(buildReport(summary, {})).find("resnet50, 1 rank on 1 host, 1 epoch, 96.4 s"), std::string::npos);
    summary.ranks = 0;
    summary.processes = 0;
    summary.wall = 0;
    summary.hosts = 2;
    EXPECT_NE(textOf(buildReport(summary, {})).find("0 processes on 2 hosts, 1 epoch, no time recorded"), std::string::npos);
}

TEST(TextReport, MappedFilesAreNamedAndTheirBytesLieBetweenBounds)
{
    findings::RunSummary summary = twoRanks();
    for (findings::EpochRow& row : summary.epochs) {
        row.asked = Measured<std::int64_t>::missing("files are mapped: pages are read without a call");
        row.touched = findings::ByteRange{4'096'000, 65'536'000};
    }
    summary.mapped = {{"/data/a.rec", "/data/b.rec", "/data/c.rec", "/data/d.rec"}, 12'000'000};
    const std::string text = textOf(buildReport(summary, {}));
    EXPECT_NE(text.find("asked not measured (files are mapped: pages are read without a call)"), std::string::npos) << text;
    EXPECT_NE(text.find("epoch 1: 4.10 MB to 65.5 MB; epoch 2: 4.10 MB to 65.5 MB"), std::string::npos) << text;
    EXPECT_NE(text.find("mapped: a.rec, b.rec, c.rec and 1 more, 12.0 MB"), std::string::npos) << text;
}

TEST(TextReport, WhatEvaluationsAndStartUpReadIsShownApart)
{
    findings::RunSummary summary = twoRanks();
    EXPECT_EQ(textOf(buildReport(summary, {})).find("evaluation"), std::string::npos);
    for (findings::EpochRow& row : summary.epochs) row.evaluation = 21'000'000;
    summary.readsElsewhere = {{"evaluation", 300, 63'000'000}, {"start-up", 1, 24'300}};
    const std::string text = textOf(buildReport(summary, {}));
    EXPECT_NE(text.find("asked  evaluation  fetched"), std::string::npos) << text;
    EXPECT_NE(text.find("read besides: evaluation 63.0 MB in 300 calls, start-up 24.3 kB in 1 call"), std::string::npos) << text;
}

TEST(Lines, NeverBreakWithinAQuantity)
{
    EXPECT_EQ(wrapped("saves 24 % (± < 0.1 %).", 12), (std::vector<std::string>{"saves", "24 % (± < 0.1 %)."}));
    EXPECT_EQ(wrapped("after 412 ms of", 9), (std::vector<std::string>{"after", "412 ms of"}));
    EXPECT_EQ(wrapped("took 1 h 12 min more", 6), (std::vector<std::string>{"took", "1 h 12 min", "more"}));
    EXPECT_EQ(wrapped("See rank 3 now", 7), (std::vector<std::string>{"See", "rank 3", "now"}));
    EXPECT_EQ(wrapped("at 1.20 GB/s, slow", 8), (std::vector<std::string>{"at", "1.20 GB/s,", "slow"}));
    EXPECT_EQ(wrapped("1 of 2 calls", 6), (std::vector<std::string>{"1 of 2", "calls"}));
    EXPECT_EQ(wrapped("lost 1,230 GPU s in", 5), (std::vector<std::string>{"lost", "1,230 GPU s", "in"}));
}

TEST(Lines, APageThatBreaksThemItselfIsToldWhereNotTo)
{
    EXPECT_EQ(unbroken("saves 24 % (± < 0.1 %)."), "saves 24\u00a0%\u00a0(±\u00a0<\u00a00.1\u00a0%).");
    EXPECT_EQ(unbroken("took 1 h 12 min,  see rank 3"), "took 1\u00a0h\u00a012\u00a0min,  see rank\u00a03");
    EXPECT_EQ(unbroken("no figure here"), "no figure here");
    EXPECT_EQ(unbroken(unbroken("at 1.20 GB/s")), unbroken("at 1.20 GB/s"));
    EXPECT_EQ(unbroken(""), "");
}

TEST(Lines, WrapAtSpacesAndCountCharactersNotBytes)
{
    EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(wrapped("", 7), (std::vector<std::string>{""}));
    EXPECT_EQ(wrapped("unbreakable word", 4), (std::vector<std::string>{"unbreakable", "word"}));
    EXPECT_EQ(columnsOf("± 4 µs"), 6);
    EXPECT_EQ(padded("µs", 4), "µs  ");
    EXPECT_EQ(cut("abcdef", 4), "abc…");
    EXPECT_EQ(table({{"a", "bb"}, {"ccc", "d"}}, 1), (std::vector<std::string>{"   a  bb", " ccc   d"}));
}

}  // namespace
}  // namespace flowgauge::report
