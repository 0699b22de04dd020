// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"
#include "tests/unit/collector/buffer/spool_file.h"
#include "tests/unit/collector/buffer/victim.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <set>
#include <thread>

using namespace flowgauge;
using namespace flowgauge::test;

namespace {

void recordNumbers(std::uint64_t count, std::uint64_t from = 0)
{
    for (std::uint64_t number = from; number < from + count; ++number) buffer::record(numbered(number));
}

}  // namespace

TEST(Threads, StormOfShortOnesSharesAFewRings)
{
    const TemporaryFolder folder;
    constexpr int storms = 500, atOnce = 4;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            for (int storm = 0; storm < storms; ++storm) {
                                std::vector<std::thread> threads;
                                for (int i = 0; i < atOnce; ++i)
                                    threads.emplace_back([=] { recordNumbers(10, static_cast<std::uint64_t>((storm * atOnce + i) * 10)); });
                                for (std::thread& thread : threads) thread.join();
                            }
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    EXPECT_EQ(file.lost, (std::array<std::uint64_t, 16>{}));
    std::set<std::uint64_t> numbers;
    for (const Event& event : file.events(Kind::FileRead)) numbers.insert(numberOf(event));
    EXPECT_EQ(numbers.size(), storms * atOnce * 10U);
    EXPECT_EQ(file.events(Kind::FileRead).size(), storms * atOnce * 10U);
    EXPECT_LE(file.segments, atOnce + 3U);
    std::set<std::uint64_t> introduced;  // once for each ring that a thread has: one that the drain found too small is changed
    for (const Event& event : file.events(Kind::ThreadStart)) introduced.insert(event.arg[0]);
    EXPECT_EQ(introduced.size(), storms * atOnce + 1U);
}

TEST(Threads, EachEventCarriesItsThread)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            std::vector<std::thread> threads;
                            for (int i = 0; i < 8; ++i)
                                threads.emplace_back([] {
                                    for (int n = 0; n < 500; ++n) buffer::record(numbered(static_cast<std::uint64_t>(::gettid())));
                                });
                            for (std::thread& thread : threads) thread.join();
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    const auto events = file.events(Kind::FileRead);
    ASSERT_EQ(events.size(), 8U * 500);
    for (const Event& event : events) ASSERT_EQ(event.thread, numberOf(event));
}

TEST(Threads, TakeRingsUpToTheLimitOfTheProcessAndLoseAfterThat)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path(), .ringBytes = std::uint64_t{16} << 20},
                        [] {
                            // Three of 16 MiB and a header page fit into 64 MiB; the drain's own ring is one of them or a small one.
                            std::vector<std::thread> threads;
                            std::atomic<int> here{0};
                            for (int i = 0; i < 6; ++i)
                                threads.emplace_back([&] {
                                    recordNumbers(1);
                                    for (++here; here < 6;) ::usleep(100);
                                });
                            for (std::thread& thread : threads) thread.join();
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.events(Kind::FileRead).size(), 3U);
    EXPECT_EQ(file.lostFor(DropReason::NoRing), 3U);
    EXPECT_LE(file.ringsBytes, std::uint64_t{64} << 20);
}

TEST(Threads, GoneWithoutDestructorsLeaveTheirRingToOthers)
{
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer waits for ever for a thread that ended by a bare system call";
#elif defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "the address sanitizer ends the process for a thread that ended by a bare system call";
#endif
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            recordNumbers(1);
                            const auto die = [](void* id) -> void* {
                                *static_cast<pid_t*>(id) = ::gettid();
                                buffer::record(numbered(1));
                                ::syscall(SYS_exit, 0);
                                return nullptr;
                            };
                            pid_t id = 0;
                            pthread_t thread;
                            VICTIM_EXPECT(::pthread_create(&thread, nullptr, die, &id) == 0);
                            VICTIM_EXPECT(::pthread_join(thread, nullptr) == 0);
                            // The join ends when the kernel wakes it; the thread is gone a moment later.
                            while (::syscall(SYS_tgkill, ::getpid(), id, 0) == 0) ::usleep(100);
                            VICTIM_EXPECT(buffer::flush(5000));  // finds the dead one
                            std::thread([] { recordNumbers(1, 2); }).join();
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.events(Kind::FileRead).size(), 3U);
    EXPECT_EQ(file.segments, 3U);  // of the main thread, the drain and the dead one
}

TEST(Threads, ThatKeepTheirRingHighMoveToALargerOne)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            const auto slots = [] { return buffer::detail::threadState.writer.mask + 1; };
                            std::uint64_t number = 0;
                            for (int burst = 0; burst < 100'000 && (burst == 0 || slots() == 4096); ++burst, number += 1500) {
                                recordNumbers(1500, number);
                                ::usleep(200);
                            }
                            VICTIM_EXPECT(slots() == 32768);
                            recordNumbers(20'000, number);
                            buffer::lose(DropReason::TableFull, number + 20'000);
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    const auto events = file.events(Kind::FileRead);
    EXPECT_EQ(events.size() + file.lostFor(DropReason::RingFull), file.lostFor(DropReason::TableFull));
    for (std::size_t i = 1; i < events.size(); ++i) ASSERT_LT(numberOf(events[i - 1]), numberOf(events[i]));
    EXPECT_EQ(file.events(Kind::ThreadStart).size(), 3U);  // of the first ring, the drain's, and the larger one
}

// The victim is a program of its own, since the test's own frames do not survive pthread_exit on the main thread.
TEST(Threads, OurOwnDoesNotKeepAProcessAliveWhoseThreadsHaveAllEnded)
{
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer has a thread of its own that stays";
#endif
    const TemporaryFolder folder;
    const std::string victim = std::filesystem::read_symlink("/proc/self/exe").replace_filename("buffer_leaving_main");
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl(victim.c_str(), victim.c_str(), folder.path().c_str(), nullptr);
        ::_exit(127);
    }
    int status = -1;
    for (int tenths = 0; tenths < 100 && ::waitpid(child, &status, WNOHANG) == 0; ++tenths) ::usleep(100'000);
    ASSERT_EQ(status, 0) << "-1: still alive after ten seconds";
    EXPECT_EQ(onlySpool(folder.path()).events(Kind::FileRead).size(), 20U);
}
