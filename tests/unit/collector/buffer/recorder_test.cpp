// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"

#include "tests/unit/collector/buffer/spool_file.h"
#include "tests/unit/collector/buffer/victim.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <numeric>
#include <thread>

using namespace flowgauge;
using namespace flowgauge::test;

namespace {

std::vector<std::uint64_t> numbersOf(const std::vector<Event>& events)
{
    std::vector<std::uint64_t> numbers;
    for (const Event& event : events) numbers.push_back(numberOf(event));
    return numbers;
}

std::vector<std::uint64_t> upTo(std::uint64_t end)
{
    std::vector<std::uint64_t> numbers(end);
    for (std::uint64_t number = 0; number < end; ++number) numbers[number] = number;
    return numbers;
}

void recordNumbers(std::uint64_t count, std::uint64_t from = 0)
{
    for (std::uint64_t number = from; number < from + count; ++number) buffer::record(numbered(number));
}

const std::array<std::uint64_t, 16> nothingLost{};
const std::vector<std::string> noProblems{};

/// Keeps the drain thread in its first callback, so that rings fill.
void holdDrain()
{
    buffer::onStart([] {
        for (;;) ::pause();
    });
}

/// Slots that a thread's introduction takes: its name, the name's text, ThreadStart.
constexpr std::uint64_t introduction = 3;

}  // namespace

TEST(Recorder, WritesWhatAReaderOfTheFormatFinds)
{
    const TemporaryFolder folder;
    const int status = runVictim({.folder = folder.path() / "a" / "host"}, [] {
        const NameKey key = buffer::name(NameClass::File, "/data/shard-000.rec");
        VICTIM_EXPECT(key != 0);
        recordNumbers(1000);
    });
    ASSERT_EQ(status, 0);
    const SpoolFile file = onlySpool(folder.path() / "a" / "host");
    EXPECT_EQ(file.problems, noProblems);
    EXPECT_EQ(numbersOf(file.events(Kind::FileRead)), upTo(1000));
    ASSERT_EQ(file.names(NameClass::File).size(), 1U);
    EXPECT_EQ(file.names(NameClass::File).begin()->second, "/data/shard-000.rec");
    EXPECT_EQ(file.lost, nothingLost);
    EXPECT_NE(file.endedTicks, 0U);
}

TEST(Recorder, MakesNoFileBeforeTheFirstEvent)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()}, [] { buffer::addCode({1, 2, 3, 4}); }), 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Recorder, KeepsTheSumsOfCodeFromBeforeTheFirstEvent)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            buffer::addCode({1, 2, 3, 4});
                            recordNumbers(1);
                            buffer::addCode({10, 20, 30, 40});
                        }),
              0);
    EXPECT_EQ(onlySpool(folder.path()).code, (std::array<std::uint64_t, 4>{11, 22, 33, 44}));
}

TEST(Recorder, DescribesItsProcess)
{
    const TemporaryFolder folder;
    const int child = startVictim({.folder = folder.path()}, [] {
        ::setenv("RANK", "3", 1);
        ::setenv("SLURM_JOB_ID", "77", 1);
        ::setenv("SECRET_TOKEN", "x", 1);
        recordNumbers(1);
    });
    int status = -1;
    ::waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.header.pid, child);
    EXPECT_EQ(file.header.parentPid, ::getpid());
    EXPECT_EQ(file.header.userId, ::getuid());
    EXPECT_STREQ(file.header.runId.data(), "test-run");
    EXPECT_NE(file.header.processStart, 0U);
    std::array<char, 64> host{};
    ::gethostname(host.data(), host.size());
    EXPECT_STREQ(file.header.host.data(), host.data());
    const auto has = [&](const std::string& text) { return std::count(file.environment.begin(), file.environment.end(), text); };
    EXPECT_EQ(has("RANK=3"), 1);
    EXPECT_EQ(has("SLURM_JOB_ID=77"), 1);
    EXPECT_EQ(has("SECRET_TOKEN=x"), 0);
    EXPECT_EQ(has("exe=" + std::filesystem::read_symlink("/proc/self/exe").string()), 1);
    EXPECT_EQ(has("cwd=" + std::filesystem::current_path().string()), 1);
}

TEST(Recorder, IntroducesEachThreadByIdAndName)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()}, [] { recordNumbers(1); }), 0);
    const SpoolFile file = onlySpool(folder.path());
    const auto starts = file.events(Kind::ThreadStart);
    const auto isMain = [&](const Event& start) { return start.arg[0] == static_cast<std::uint64_t>(file.header.pid); };
    const auto main = std::find_if(starts.begin(), starts.end(), isMain);  // the drain may have taken its ring first
    ASSERT_NE(main, starts.end());
    EXPECT_EQ(file.names(NameClass::Thread).at(main->arg[1]), file.header.program.data());
    EXPECT_EQ(file.events(Kind::FileRead)[0].thread, static_cast<std::uint32_t>(file.header.pid));
}

TEST(Recorder, LosesTheNewEventsOfAFullRingAndCountsThem)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path(), .ringBytes = 16384},
                        [] {
                            holdDrain();
                            recordNumbers(1000);
                            VICTIM_EXPECT(buffer::name(NameClass::File, "too late") == 0);
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(numbersOf(file.events(Kind::FileRead)), upTo(256 - introduction));
    EXPECT_EQ(file.lostFor(DropReason::RingFull), 1000 - (256 - introduction));
    EXPECT_EQ(file.lostFor(DropReason::NameLost), 1U);
}

TEST(Recorder, IgnoresKindsThatAreNotWanted)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path(), .kinds = "comm"},
                        [] {
                            VICTIM_EXPECT(!buffer::wants(Kind::FileRead) && buffer::wants(Kind::MpiWait) && buffer::wants(Kind::NameText));
                            recordNumbers(5);
                            VICTIM_EXPECT(*buffer::spoolPath() == '\0');
                            buffer::record(mpiWait({1, 2}, 3, 4));
                            VICTIM_EXPECT(*buffer::spoolPath() != '\0');
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.events(Kind::FileRead).size(), 0U);
    EXPECT_EQ(file.events(Kind::MpiWait).size(), 1U);
}

TEST(Recorder, FlushWritesAllThatTheRingsHold)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            VICTIM_EXPECT(buffer::flush(1));
                            recordNumbers(100);
                            VICTIM_EXPECT(buffer::flush(5000));
                            ::_exit(0);
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(numbersOf(file.events(Kind::FileRead)), upTo(100));
    EXPECT_EQ(file.fromRings, 0U);
    EXPECT_EQ(file.endedTicks, 0U);
    const auto anchors = file.events(Kind::ClockAnchor);
    ASSERT_GE(anchors.size(), 2U);  // one at the start, one of the flush; a drain that ran meanwhile may have put more
    EXPECT_GE(anchors.back().begin, file.events(Kind::FileRead).back().end);
}

TEST(Recorder, WakesTheDrainWhenARingIsAQuarterFull)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            recordNumbers(1);
                            VICTIM_EXPECT(buffer::flush(5000));
                            ::usleep(20'000);  // the drain sleeps again
                            const Event event = numbered(1);
                            // No timer could empty 100 rings' worth so fast; only being woken does.
                            for (int batch = 0; batch < 400; ++batch, ::usleep(1000))
                                for (int i = 0; i < 1024; ++i) buffer::record(event);
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    const std::uint64_t lost = std::accumulate(file.lost.begin(), file.lost.end(), std::uint64_t{0});
    EXPECT_EQ(file.events(Kind::FileRead).size() + lost, 1U + 400 * 1024);
    // A busy machine may keep the drain from the processor for longer than a ring lasts; a timer alone would lose nine of ten.
    EXPECT_LT(lost, 400 * 1024 / 10);
}

TEST(Recorder, CutsNamesAt4096Bytes)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            const std::string text(5000, 'n');
                            VICTIM_EXPECT(buffer::name(NameClass::File, text) != 0);
                            VICTIM_EXPECT(buffer::name(NameClass::Phase, "") != 0);
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.names(NameClass::File).begin()->second, std::string(4096, 'n'));
    EXPECT_EQ(file.names(NameClass::Phase).begin()->second, "");
}

TEST(Recorder, KeepsErrno)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            errno = 4242;
                            recordNumbers(1);
                            VICTIM_EXPECT(errno == 4242);
                            VICTIM_EXPECT(buffer::name(NameClass::File, "x") != 0 && errno == 4242);
                            VICTIM_EXPECT(buffer::flush(5000) && errno == 4242);
                            buffer::finish();
                            VICTIM_EXPECT(errno == 4242);
                        }),
              0);
}

TEST(Recorder, StopsAtFinish)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            recordNumbers(3);
                            buffer::finish();
                            VICTIM_EXPECT(!buffer::enabled());
                            recordNumbers(5, 3);
                        }),
              0);
    EXPECT_EQ(numbersOf(onlySpool(folder.path()).events(Kind::FileRead)), upTo(3));
}

TEST(Recorder, CallsBackOnTheDrainThread)
{
    const TemporaryFolder folder;
    static std::atomic<int> starts{0}, beats{0};
    static std::atomic<bool> mainThread{false};
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            buffer::onStart([] {
                                ++starts;
                                mainThread = ::gettid() == ::getpid();
                            });
                            buffer::onBeat(
                                [] {
                                    ++beats;
                                    buffer::record(counterSample(now(), Counter::CpuUser, 0, 1));
                                },
                                10);
                            recordNumbers(1);
                            while (beats < 5) ::usleep(1000);
                            VICTIM_EXPECT(starts == 1 && !mainThread);
                            VICTIM_EXPECT(buffer::flush(5000));
                        }),
              0);
    EXPECT_GE(onlySpool(folder.path()).events(Kind::CounterSample).size(), 5U);
}

TEST(Recorder, SurvivesEventsFromSignalHandlersAndCountsTheNestedOnes)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            // Not the process's first event: that one starts a thread, which no signal handler may do.
                            recordNumbers(1);
                            static std::uint64_t handled = 0;
                            static std::atomic<bool> done{false};
                            struct sigaction action = {};
                            action.sa_handler = [](int) { buffer::record(mpiWait({0, 0}, handled++, 0)); };
                            ::sigaction(SIGUSR1, &action, nullptr);
                            std::thread storm([victim = ::pthread_self()] {
                                sigset_t all;
                                sigfillset(&all);
                                ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
                                while (!done) ::pthread_kill(victim, SIGUSR1);
                            });
                            const Event event = numbered(7);
                            for (int batch = 0; batch < 400; ++batch) {
                                for (int i = 0; i < 500; ++i) buffer::record(event);
                                if (batch % 4 == 0) (void)buffer::flush(5000);
                            }
                            done = true;
                            storm.join();
                            buffer::lose(DropReason::TableFull, handled);  // tells the test how many there were
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.problems, noProblems);
    EXPECT_EQ(file.events(Kind::FileRead).size() + file.events(Kind::MpiWait).size() + file.lostFor(DropReason::Reentered) +
                  file.lostFor(DropReason::RingFull),
              1 + 400 * 500 + file.lostFor(DropReason::TableFull));
    EXPECT_EQ(file.lostFor(DropReason::RingFull), 0U);
}
