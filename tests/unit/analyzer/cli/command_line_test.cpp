// SPDX-License-Identifier: MIT
#include "analyzer/cli/command.h"
#include "tests/unit/analyzer/facts/small_run.h"

#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace flowgauge::cli {
namespace {

namespace fs = std::filesystem;

struct Outcome {
    int status = -1;
    std::string words;  ///< standard output and standard error together
};

/// Runs the real program through the shell; `prefix` stands before it.
Outcome flowgauge(const std::string& arguments, const std::string& prefix = "")
{
    const std::string command = prefix + FLOWGAUGE_PROGRAM + " " + arguments + " 2>&1 </dev/null";
    FILE* pipe = ::popen(command.c_str(), "r");
    Outcome outcome;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) outcome.words.append(buffer.data(), got);
    const int status = ::pclose(pipe);
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

std::size_t linesOf(const std::string& words) { return static_cast<std::size_t>(std::count(words.begin(), words.end(), '\n')); }

class CommandLine : public facts::SmallRun {
protected:
    void finish(int worldSize = 1)
    {
        const auto rank = process(100, 0, worldSize);
        mark(rank, Kind::EpochMark, {100, 1'000'000'000}, 1, 32);
        phase(rank, "compute", {100, 900'000'000});
        read(rank, "/data/a", {200, 300}, 64, 101);
        (void)finished();
    }
};

TEST(CommandLineWords, AnUnknownCommandIsOneLineWithTheNearestOneAndStatusTwo)
{
    const Outcome outcome = flowgauge("reprot somewhere");
    EXPECT_EQ(outcome.status, exitUsage);
    EXPECT_EQ(outcome.words, "flowgauge: 'reprot' is no command; did you mean 'report'?\n");
    EXPECT_EQ(flowgauge("zzzzzz").words, "flowgauge: 'zzzzzz' is no command; `flowgauge --help` lists them\n");
}

TEST(CommandLineWords, TheVersionIsToldByTheCommandAndByTheUsualOption)
{
    const Outcome outcome = flowgauge("--version");
    EXPECT_EQ(outcome.status, exitOk);
    EXPECT_EQ(outcome.words, versionLine() + "\n");
    EXPECT_EQ(flowgauge("version").words, outcome.words);
}

TEST(CommandLineWords, HelpNamesEveryCommandAndSucceeds)
{
    const Outcome outcome = flowgauge("--help");
    EXPECT_EQ(outcome.status, exitOk);
    for (const Command& command : commands()) EXPECT_NE(outcome.words.find(command.sentence), std::string::npos) << command.name;
}

TEST(CommandLineWords, WrongArgumentsAreOneLineAndStatusTwo)
{
    for (const char* arguments : {"", "report", "report --format pdf x", "query x", "run", "run -o", "run --kinds nonsense -- true",
                                  "run --max-size much -- true", "report /nowhere/at/all", "collect /nowhere/at/all"}) {
        const Outcome outcome = flowgauge(arguments);
        EXPECT_EQ(outcome.status, exitUsage) << arguments << "\n" << outcome.words;
        EXPECT_EQ(linesOf(outcome.words), 1U) << arguments << "\n" << outcome.words;
    }
}

TEST_F(CommandLine, AReportIsTextOrJsonAndLeavesOneFile)
{
    finish();
    const Outcome text = flowgauge("report " + folder.string());
    EXPECT_EQ(text.status, exitOk) << text.words;
    EXPECT_NE(text.words.find("VERDICT"), std::string::npos) << text.words;
    const Outcome json = flowgauge("report --format json " + file().string());
    EXPECT_EQ(json.status, exitOk);
    EXPECT_EQ(json.words.find("{\n  \"schema\": 1"), 0U) << json.words;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
    EXPECT_EQ(flowgauge("query --csv " + folder.string() + " 'SELECT number, read_bytes FROM epoch_bytes'").words,
              "number,read_bytes\n1,64\n");
}

TEST_F(CommandLine, AMissingRankIsToldAndStatusTwo)
{
    finish(2);
    const Outcome outcome = flowgauge("report " + folder.string());
    EXPECT_EQ(outcome.status, exitUsage);
    EXPECT_NE(outcome.words.find("rank 1 of 2 is not in this recording"), std::string::npos) << outcome.words;
    EXPECT_NE(outcome.words.find("VERDICT"), std::string::npos) << "the report is of the others";
}

TEST_F(CommandLine, AnEmptyRunIsOneLineAndStatusTwo)
{
    (void)finished();
    const Outcome outcome = flowgauge("report " + folder.string());
    EXPECT_EQ(outcome.status, exitUsage);
    EXPECT_EQ(linesOf(outcome.words), 1U) << outcome.words;
    EXPECT_NE(outcome.words.find("the run is empty"), std::string::npos);
}

TEST_F(CommandLine, AWrongStatementIsOneLineAndStatusTwo)
{
    finish();
    const Outcome outcome = flowgauge("query " + folder.string() + " 'SELECT nothing FROM nowhere'");
    EXPECT_EQ(outcome.status, exitUsage);
    EXPECT_EQ(linesOf(outcome.words), 1U) << outcome.words;
    EXPECT_NE(flowgauge("query " + folder.string() + " 'DELETE FROM epoch'").status, exitOk) << "a query reads only";
}

TEST_F(CommandLine, ARunThatMayNotBeWrittenToIsReportedAllTheSame)
{
    finish();
    // Root may write anywhere: it becomes nobody first.
    const std::string as = ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
    if (std::system((as + "test -x " + FLOWGAUGE_PROGRAM).c_str()) != 0) GTEST_SKIP() << "nobody may not run " << FLOWGAUGE_PROGRAM;
    fs::permissions(file(), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
    fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
    const auto before = fs::last_write_time(file());
    const Outcome outcome = flowgauge("report " + folder.string(), as);
    fs::permissions(folder, fs::perms::owner_all);
    EXPECT_EQ(outcome.status, exitOk) << outcome.words;
    EXPECT_NE(outcome.words.find("VERDICT"), std::string::npos) << outcome.words;
    EXPECT_EQ(fs::last_write_time(file()), before);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace flowgauge::cli
