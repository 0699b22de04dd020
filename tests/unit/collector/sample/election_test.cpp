// SPDX-License-Identifier: MIT
#include "collector/sample/election.h"
#include "collector/buffer/futex.h"
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "collector/sample/sampler.h"
#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace flowgauge::sample {
namespace {

using std::chrono::milliseconds;

/// A host's spool folder, and processes that stand for election in it.
class ElectionTest : public testing::Test {
protected:
    ElectionTest()
    {
        std::string pattern = testing::TempDir() + "electionXXXXXX";
        m_folder = ::mkdtemp(pattern.data());
    }
    ~ElectionTest() override
    {
        for (const pid_t child : m_children) {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
        }
        std::filesystem::remove_all(m_folder);
    }

    /// A process of the job: records, stands for election, beats every 50 ms, and says so when it is elected.
    pid_t startProcess()
    {
        const pid_t child = ::fork();
        if (child != 0) {
            m_children.push_back(child);
            return child;
        }
        chooseClock();
        buffer::enable({m_folder.c_str(), "test", kindMaskOf(""), 0, 0});
        buffer::record(epochStart(now(), 1));
        startElected({m_folder.c_str(), 20, ""});
        for (;;) {
            beatSelf();
            if (elected()) std::ofstream(m_folder + "/elected." + std::to_string(::getpid())) << "yes";
            std::this_thread::sleep_for(milliseconds(50));
        }
    }
    /// Which of them said so within the time; waits for the first.
    pid_t waitForWinner(milliseconds atMost) const
    {
        const auto until = std::chrono::steady_clock::now() + atMost;
        while (std::chrono::steady_clock::now() < until) {
            for (const pid_t child : m_children)
                if (said(child)) return child;
            std::this_thread::sleep_for(milliseconds(5));
        }
        return 0;
    }
    [[nodiscard]] bool said(pid_t child) const { return std::filesystem::exists(m_folder + "/elected." + std::to_string(child)); }
    void kill(pid_t child)
    {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        std::erase(m_children, child);
    }

    std::string m_folder;
    std::vector<pid_t> m_children;
};

TEST_F(ElectionTest, ExactlyOneOfFourWins)
{
    for (int count = 0; count < 4; ++count) startProcess();
    ASSERT_NE(waitForWinner(milliseconds(3000)), 0);
    std::this_thread::sleep_for(milliseconds(1500));
    int winners = 0;
    for (const pid_t child : m_children) winners += said(child);
    EXPECT_EQ(winners, 1);
}

TEST_F(ElectionTest, AKilledWinnerIsReplacedWithinAboutASecond)
{
    for (int count = 0; count < 3; ++count) startProcess();
    for (int round = 0; round < 2; ++round) {
        const pid_t winner = waitForWinner(milliseconds(3000));
        ASSERT_NE(winner, 0);
        kill(winner);
        const auto killed = std::chrono::steady_clock::now();
        ASSERT_NE(waitForWinner(milliseconds(3000)), 0);
        const auto gap = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - killed);
        EXPECT_LE(gap.count(), 1800) << "1 s between looks, 50 ms a beat, and a busy machine";
        RecordProperty("takeover_ms_" + std::to_string(round), static_cast<int>(gap.count()));
    }
}

TEST_F(ElectionTest, AChildOfTheWinnerDoesNotKeepTheLock)
{
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t winner = ::fork();
    if (winner == 0) {
        Election election;
        const bool won = election.tryWin(m_folder);
        const pid_t grandchild = won ? ::fork() : -1;
        if (grandchild == 0) std::this_thread::sleep_for(std::chrono::seconds(20));  // holds the inherited descriptor
        static_cast<void>(::write(ready[1], &grandchild, sizeof grandchild));
        std::this_thread::sleep_for(std::chrono::seconds(20));
        ::_exit(0);
    }
    m_children.push_back(winner);
    pid_t grandchild = -1;
    ASSERT_EQ(::read(ready[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
    ASSERT_GT(grandchild, 0);
    EXPECT_TRUE(Election::isTaken(m_folder));
    kill(winner);
    EXPECT_FALSE(Election::isTaken(m_folder));
    ::kill(grandchild, SIGKILL);
}

TEST_F(ElectionTest, ALostDescriptorIsNoticed)
{
    Election election;
    ASSERT_TRUE(election.tryWin(m_folder));
    EXPECT_TRUE(election.tryWin(m_folder)) << "held already";
    EXPECT_TRUE(election.stillHeld());
    for (int fd = 100; fd < 1000; ++fd) ::close(fd);
    EXPECT_FALSE(election.stillHeld());
    election.giveUp();
    EXPECT_TRUE(election.tryWin(m_folder));
    election.giveUp();
}

TEST_F(ElectionTest, AFolderThatIsNotThereElectsNobody)
{
    Election election;
    EXPECT_FALSE(election.tryWin(m_folder + "/absent"));
    EXPECT_TRUE(Election::isTaken(m_folder + "/absent"));
}

/// The whole life in one process; in a child, since the recorder starts once.
TEST_F(ElectionTest, TheSamplerThreadStartsStopsAndIsForgotten)
{
    const pid_t child = ::fork();
    if (child == 0) {
        chooseClock();
        startElected({m_folder.c_str(), 10, ""});
        if (elected()) ::_exit(10);  // nothing is recorded yet
        buffer::enable({m_folder.c_str(), "test", kindMaskOf(""), 0, 0});
        buffer::record(epochStart(now(), 1));
        startElected({m_folder.c_str(), 10, ""});
        for (int wait = 0; wait < 200 && !elected(); ++wait) std::this_thread::sleep_for(milliseconds(10));
        if (!elected()) ::_exit(11);
        errno = 77;
        beatSelf();
        if (errno != 77) ::_exit(12);
        const pid_t grandchild = ::fork();
        if (grandchild == 0) {
            buffer::forgetAfterFork();
            forgetAfterFork();
            beatSelf();
            stop();
            ::_exit(elected() ? 1 : 0);
        }
        int status = 0;
        if (::waitpid(grandchild, &status, 0) != grandchild || status != 0) ::_exit(13);
        if (!elected()) ::_exit(14);
        std::this_thread::sleep_for(milliseconds(100));
        stop();
        if (elected()) ::_exit(15);
        ::_exit(Election::isTaken(m_folder) ? 16 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace flowgauge::sample
