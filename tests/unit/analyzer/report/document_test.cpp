// SPDX-License-Identifier: MIT
#include "analyzer/report/document.h"
#include "analyzer/report/lines.h"
#include "analyzer/report/svg.h"
#include "analyzer/report/units.h"

#include <gtest/gtest.h>

#include <regex>

namespace flowgauge::report {
namespace {

Chart twoLines()
{
    Chart chart{"layers", "Which layer served <it>?", Shape::Lines, Quantity::BytesPerSecond, {0, 4'000'000'000}, {}, {}, {}, {},
                "",       "nothing was read"};
    chart.series = {{"asked", Paint::Neutral, {100e6, 100e6, 0, 0}, false}, {"fetched", Paint::Storage, {50e6, 0, 0, 0}, false}};
    chart.bands = {{"", "epoch 1", {0, 2'000'000'000}, false}, {"evidence-1-1", "gap", {2'000'000'000, 3'000'000'000}, true}};
    return chart;
}

Document small()
{
    Document document{"run1", "train, 2 ranks", "recorded 2026-11-29", "", "All is well | really.", true, {}};
    Card card{"finding-1", "1. Straggler",       "20 % of step time", "rank 3", "18 % (± 1 %)",
              true,        "Rank 3 comes last.", "Look at rank 3.",   "",       {},
              {}};
    card.evidence = {{"evidence-1-1", "rank 0 at 2.000–3.000 s: waits", "SELECT 1 < 2"}};
    Table table{"epochs", "Epochs", {{"epoch", "time"}, {"1", "31.5 s"}}, {"a note"}, "SELECT 2", true};
    document.sections = {{"findings", "Findings", {card}}, {"charts", "Over time", {twoLines(), table}}};
    return document;
}

TEST(Document, EveryFormatTellsTheSame)
{
    const Document document = small();
    for (const std::string& text : {plainOf(document), markdownOf(document), htmlOf(document)})
        for (const char* words : {"run1", "Rank 3 comes last.", "31.5 s", "Which layer served", "18 % (± 1 %)"})
            EXPECT_TRUE(text.find(words) != std::string::npos || text.find(unbroken(words)) != std::string::npos) << words << " in\n"
                                                                                                                  << text;
}

TEST(Document, APageThatBreaksItsLinesKeepsAQuantityTogether)
{
    const std::string html = htmlOf(small());
    EXPECT_NE(html.find("18\u00a0%\u00a0(±\u00a01\u00a0%)"), std::string::npos) << html;
    EXPECT_NE(html.find("31.5\u00a0s"), std::string::npos);
    EXPECT_NE(html.find("<code>SELECT 1 &lt; 2</code>"), std::string::npos) << "SQL is copied, and stays as it is";
}

TEST(Document, TheNameOfACeilingIsNotWrittenOverThatOfAnEpoch)
{
    Chart chart = twoLines();
    chart.rules = {{100e6, "link 100 MB/s"}};
    const std::regex ruleName("class=\"rule\" x=\"([0-9.]+)\" y=\"[0-9.]+\">link"), bandName("class=\"band\" x=\"([0-9.]+)\"");
    const auto xOf = [&](const std::regex& name) {
        const std::string svg = svgOf(chart);
        std::smatch found;
        return std::regex_search(svg, found, name) ? std::stod(found[1]) : -1;
    };
    const double atTheEnd = xOf(ruleName);
    chart.bands = {{"", "epoch 9", {3'600'000'000, 4'000'000'000}, false}};
    EXPECT_GT(atTheEnd, xOf(bandName));
    EXPECT_LT(xOf(ruleName), xOf(bandName)) << "it stepped aside, to the left";
}

TEST(Document, HtmlEscapesWordsAndLinksEvidenceToItsBandInTheChart)
{
    const std::string html = htmlOf(small());
    EXPECT_NE(html.find("Which layer served &lt;it&gt;?"), std::string::npos);
    EXPECT_EQ(html.find("<it>"), std::string::npos);
    EXPECT_NE(html.find("SELECT 1 &lt; 2"), std::string::npos);
    EXPECT_NE(html.find("href=\"#evidence-1-1\""), std::string::npos);
    EXPECT_NE(html.find("rect class=\"evidence evidence-1-1\""), std::string::npos);
    EXPECT_NE(html.find("body:has(#evidence-1-1:target) .evidence-1-1"), std::string::npos);
    EXPECT_EQ(html.find("http"), std::string::npos) << "nothing to ask a network for";
}

TEST(Document, MarkdownKeepsATableATable)
{
    const std::string markdown = markdownOf(small());
    EXPECT_NE(markdown.find("All is well \\| really."), std::string::npos);
    EXPECT_NE(markdown.find("| epoch | time |\n|---|---:|\n| 1 | 31.5 s |\n"), std::string::npos);
}

TEST(Document, AChartWithoutValuesSaysWhatWouldFillIt)
{
    Document document = small();
    Chart chart = twoLines();
    chart.series.clear();
    document.sections = {{"charts", "", {chart}}};
    EXPECT_EQ(svgOf(chart), "");
    for (const std::string& text : {plainOf(document), markdownOf(document), htmlOf(document)})
        EXPECT_NE(text.find("nothing was read"), std::string::npos);
}

TEST(Document, ALineOfBlocksShowsAChartInATerminal)
{
    EXPECT_NE(plainOf(small()).find("asked   ██   peak 100 MB/s"), std::string::npos) << plainOf(small());
}

TEST(Svg, AxesHaveRoundTicksThatReachTheLargestValue)
{
    EXPECT_EQ(ticksUpTo(95, 4), (std::vector<double>{0, 25, 50, 75, 100}));
    EXPECT_EQ(ticksUpTo(0, 4), (std::vector<double>{0, 1}));
    const std::string svg = svgOf(twoLines());
    for (const char* label : {">100 MB/s<", ">50 MB/s<", ">0 B/s<", ">0 s<", ">4 s<", ">epoch 1<"})
        EXPECT_NE(svg.find(label), std::string::npos) << label;
}

TEST(Units, AxesLeaveOutZerosAndTimesAreRound)
{
    EXPECT_EQ(axisLabel(1.5e9, Quantity::BytesPerSecond), "1.5 GB/s");
    EXPECT_EQ(axisLabel(20e9, Quantity::Duration), "20 s");
    EXPECT_EQ(axisLabel(5450, Quantity::PerSecond), "5,450");
    EXPECT_EQ(timeTicks(53, 8), (std::vector<double>{0, 10, 20, 30, 40, 50}));
    EXPECT_EQ(timeLabel(5400, 14'000), "1.5 h");
    EXPECT_EQ(timeLabel(600, 3600), "10 min");
    EXPECT_EQ(timeLabel(0, 53), "0 s");
}

TEST(Units, RatiosChangesAndGpuSecondsRead)
{
    EXPECT_EQ(ratio(3.5196), "3.52x");
    EXPECT_EQ(change(0.664), "+66 %");
    EXPECT_EQ(change(-0.042), "-4.2 %");
    EXPECT_EQ(change(0), "0 %");
    EXPECT_EQ(gpuSeconds(1234.4), "1,234 GPU s");
    EXPECT_EQ(gpuSeconds(-12.34), "-12.3 GPU s");
}

}  // namespace
}  // namespace flowgauge::report
