// SPDX-License-Identifier: MIT
// What processes do to a recorder: fork, vfork, exec, kill, close descriptors, run out of things.
#include "collector/buffer/recorder.h"
#include "tests/unit/collector/buffer/spool_file.h"
#include "tests/unit/collector/buffer/victim.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

using namespace flowgauge;
using namespace flowgauge::test;

namespace {

void recordNumbers(std::uint64_t count, std::uint64_t from = 0)
{
    for (std::uint64_t number = from; number < from + count; ++number) buffer::record(numbered(number));
}

int statusOf(pid_t child)
{
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
}

SpoolFile spoolOf(const std::filesystem::path& folder, int pid)
{
    for (const auto& path : spoolsIn(folder))
        if (path.filename().string().starts_with(std::to_string(pid) + "-")) return readSpool(path);
    throw std::runtime_error("no spool of pid " + std::to_string(pid));
}

/// Each number once, from 0 on.
void expectNumbers(const SpoolFile& file, std::uint64_t count)
{
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    std::vector<std::uint64_t> seen(count);
    for (const Event& event : file.events(Kind::FileRead)) {
        ASSERT_LT(numberOf(event), count);
        ++seen[numberOf(event)];
    }
    EXPECT_EQ(seen, std::vector<std::uint64_t>(count, 1));
}

}  // namespace

TEST(ForkedChild, WritesItsOwnFilesAndLeavesTheParentsAlone)
{
    const TemporaryFolder folder;
    const int parent = startVictim({.folder = folder.path()}, [] {
        recordNumbers(10);
        const pid_t child = ::fork();
        if (child == 0) {
            buffer::forgetAfterFork();
            recordNumbers(20);
            buffer::finish();
            ::_exit(0);
        }
        recordNumbers(10, 10);
        VICTIM_EXPECT(statusOf(child) == 0);
        recordNumbers(10, 20);
    });
    ASSERT_EQ(statusOf(parent), 0);
    ASSERT_EQ(spoolsIn(folder.path()).size(), 2U);
    expectNumbers(spoolOf(folder.path(), parent), 30);
    for (const auto& path : spoolsIn(folder.path()))
        if (!path.filename().string().starts_with(std::to_string(parent))) expectNumbers(readSpool(path), 20);
}

TEST(ForkedChild, RecordsNothingUntilItLetGoOfItsParent)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            recordNumbers(10);
                            const auto child = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));  // no fork handlers
                            if (child == 0) {
                                recordNumbers(1000, 500);
                                VICTIM_EXPECT(!buffer::enabled());
                                ::_exit(0);
                            }
                            VICTIM_EXPECT(statusOf(child) == 0);
                        }),
              0);
    expectNumbers(onlySpool(folder.path()), 10);
}

TEST(ForkedChild, IsWholeWhileOtherThreadsRecord)
{
    const TemporaryFolder folder;
    constexpr int children = 20;
    const int parent = startVictim({.folder = folder.path(), .ringBytes = std::uint64_t{4} << 20}, [] {
        std::atomic<bool> done{false};
        std::atomic<std::uint64_t> next{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back([&] {
                for (; !done; ::usleep(10)) recordNumbers(1, next++);
            });
        for (int i = 0; i < children; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                buffer::forgetAfterFork();
                recordNumbers(100);
                VICTIM_EXPECT(buffer::flush(10'000));
                buffer::finish();
                ::_exit(0);
            }
            VICTIM_EXPECT(statusOf(child) == 0);
        }
        done = true;
        for (std::thread& thread : threads) thread.join();
        buffer::lose(DropReason::TableFull, next);
    });
    ASSERT_EQ(statusOf(parent), 0);
    ASSERT_EQ(spoolsIn(folder.path()).size(), 1U + children);
    for (const auto& path : spoolsIn(folder.path())) {
        const SpoolFile file = readSpool(path);
        expectNumbers(file, file.header.pid == parent ? file.lostFor(DropReason::TableFull) : 100);
    }
}

TEST(VforkedChild, DoesNoHarm)
{
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer turns vfork into fork";
#endif
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            pid_t child = ::vfork();
                            if (child == 0) {
                                buffer::record(numbered(99));  // the process's first event: lost, nothing is started
                                ::_exit(0);
                            }
                            VICTIM_EXPECT(statusOf(child) == 0);
                            recordNumbers(5);
                            child = ::vfork();
                            if (child == 0) {
                                buffer::record(numbered(5));  // in the parent's ring, as if the parent had made the call
                                ::_exit(0);
                            }
                            VICTIM_EXPECT(statusOf(child) == 0);
                            recordNumbers(5, 6);
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    expectNumbers(file, 11);
    EXPECT_EQ(file.lostFor(DropReason::NoRing), 1U);
}

TEST(ExecutedImage, DISABLED_Second)
{
    enableRecorder({.folder = std::getenv("FLOWGAUGE_TEST_FOLDER")});
    recordNumbers(7);
    buffer::finish();
}

TEST(ExecutedImage, WritesFilesOfAnotherName)
{
    const TemporaryFolder folder;
    const int child = startVictim({.folder = folder.path()}, [&] {
        recordNumbers(5);
        ::setenv("FLOWGAUGE_TEST_FOLDER", folder.path().c_str(), 1);
        ::execl("/proc/self/exe", "again", "--gtest_also_run_disabled_tests", "--gtest_brief=1",
                "--gtest_filter=ExecutedImage.DISABLED_Second", nullptr);
    });
    ASSERT_EQ(statusOf(child), 0);
    const auto spools = spoolsIn(folder.path());
    ASSERT_EQ(spools.size(), 2U);
    expectNumbers(readSpool(spools[0]), 5);
    expectNumbers(readSpool(spools[1]), 7);
    EXPECT_EQ(readSpool(spools[1]).header.pid, child);
}

TEST(KilledProcess, HasLostNothingThatWasRecordedAndDoubledNothing)
{
    auto* const returned =
        static_cast<std::atomic<std::uint64_t>*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::mt19937 random(20260101);
    for (int round = 0; round < 50; ++round) {
        const TemporaryFolder folder;
        *returned = 0;
        const int child = startVictim({.folder = folder.path()}, [&] {
            for (std::uint64_t number = 0;; ++number) {
                buffer::record(numbered(number));
                returned->store(number + 1, std::memory_order_release);
                if (number % 512 == 0 && number > 20'000) ::usleep(50);  // the drain keeps up
            }
        });
        while (*returned == 0) ::usleep(10);
        ::usleep(static_cast<useconds_t>(random() % 60'000));
        ::kill(child, SIGKILL);
        ASSERT_EQ(statusOf(child), SIGKILL);
        const SpoolFile file = onlySpool(folder.path());
        ASSERT_EQ(file.problems, std::vector<std::string>{});
        const auto events = file.events(Kind::FileRead);
        std::uint64_t lost = 0;
        for (const std::uint64_t count : file.lost) lost += count;
        // At most one more than was returned: record() may have been at its last instruction.
        const std::uint64_t found = events.size() + lost;
        ASSERT_TRUE(found == *returned || found == *returned + 1) << found << " of " << *returned;
        for (std::size_t i = 1; i < events.size(); ++i) ASSERT_LT(numberOf(events[i - 1]), numberOf(events[i]));
    }
}

TEST(ClosedDescriptors, AreNotMissedAndTheProgramSeesNoneOfOurs)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [&] {
                            const int before = ::open("/dev/null", O_RDONLY);
                            ::close(before);
                            recordNumbers(10);
                            VICTIM_EXPECT(::open("/dev/null", O_RDONLY) == before);
                            VICTIM_EXPECT(::syscall(SYS_close_range, 0U, ~0U, 0U) == 0);
                            // Every number may now be a file of the program's; none of our bytes may land in it.
                            const std::string mine = (folder.path() / "mine").string();
                            const int fd = ::open(mine.c_str(), O_RDWR | O_CREAT, 0600);
                            for (int number = 3; number < 300; ++number) VICTIM_EXPECT(::dup2(fd, number) == number);
                            recordNumbers(10, 10);
                            std::thread([] { recordNumbers(10, 20); }).join();
                            VICTIM_EXPECT(buffer::flush(5000));
                            VICTIM_EXPECT(::lseek(fd, 0, SEEK_END) == 0);
                        }),
              0);
    expectNumbers(onlySpool(folder.path()), 30);
}

TEST(SizeLimit, LosesWhatWouldPassItAndKeepsTheRest)
{
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path(), .maxSpoolBytes = 100'000, .ringBytes = 16384},
                        [] {
                            for (int batch = 0; batch < 100; ++batch, (void)buffer::flush(20)) recordNumbers(100, batch * 100U);
                        }),
              0);
    const SpoolFile file = onlySpool(folder.path());
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    EXPECT_LE(file.spoolBytes, 100'000U);
    EXPECT_GT(file.lostFor(DropReason::SizeLimit), 0U);
    EXPECT_EQ(file.events(Kind::FileRead).size() + file.lostFor(DropReason::SizeLimit), 10'000U);
}

TEST(FullDisk, LosesEventsCountsThemAndLeavesAWholeFile)
{
    const TemporaryFolder mountPoint;
    if (::mount("tmpfs", mountPoint.path().c_str(), "tmpfs", 0, "size=2m") != 0) GTEST_SKIP() << "mounting a small tmpfs needs root";
    ASSERT_EQ(runVictim({.folder = mountPoint.path() / "spool"},
                        [] {
                            for (int batch = 0; batch < 1000; ++batch, ::usleep(100)) recordNumbers(100, batch * 100U);
                        }),
              0);
    const SpoolFile file = onlySpool(mountPoint.path() / "spool");
    ::umount2(mountPoint.path().c_str(), MNT_DETACH);
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    EXPECT_GT(file.lostFor(DropReason::SpoolFull), 0U);
    EXPECT_EQ(file.events(Kind::FileRead).size() + file.lostFor(DropReason::SpoolFull) + file.lostFor(DropReason::RingFull), 100'000U);
}

TEST(FullDisk, GoesOnRecordingWhenThereIsRoomAgain)
{
    const TemporaryFolder mountPoint;
    if (::mount("tmpfs", mountPoint.path().c_str(), "tmpfs", 0, "size=2m") != 0) GTEST_SKIP() << "mounting a small tmpfs needs root";
    ASSERT_EQ(runVictim({.folder = mountPoint.path() / "spool"},
                        [&] {
                            const std::string ballast = (mountPoint.path() / "ballast").string();
                            recordNumbers(1);
                            VICTIM_EXPECT(buffer::flush(5000));  // the drain has its ring
                            const int fd = ::open(ballast.c_str(), O_WRONLY | O_CREAT, 0600);
                            const std::string zeros(4096, '\0');
                            while (::write(fd, zeros.data(), zeros.size()) > 0) {
                            }
                            ::close(fd);
                            for (int batch = 0; batch < 100; ++batch, ::usleep(1000)) recordNumbers(100, 1 + batch * 100U);
                            VICTIM_EXPECT(!buffer::flush(2000));
                            ::unlink(ballast.c_str());
                            VICTIM_EXPECT(buffer::flush(5000) || buffer::flush(5000));
                            recordNumbers(100, 10'001);
                        }),
              0);
    const SpoolFile file = onlySpool(mountPoint.path() / "spool");
    ::umount2(mountPoint.path().c_str(), MNT_DETACH);
    EXPECT_EQ(file.problems, std::vector<std::string>{});
    EXPECT_EQ(numberOf(file.events(Kind::FileRead).back()), 10'100U);
    EXPECT_EQ(file.events(Kind::FileRead).size() + file.lostFor(DropReason::SpoolFull) + file.lostFor(DropReason::RingFull), 10'101U);
}

TEST(Start, ThatFailsLeavesTheProgramAlone)
{
    ASSERT_EQ(runVictim({.folder = "/dev/null/nowhere"},
                        [] {
                            recordNumbers(10);
                            VICTIM_EXPECT(!buffer::enabled() && !buffer::wants(Kind::FileRead));
                            VICTIM_EXPECT(buffer::name(NameClass::File, "x") == 0);
                            VICTIM_EXPECT(buffer::flush(10));
                        }),
              0);
    const TemporaryFolder folder;
    ASSERT_EQ(runVictim({.folder = folder.path()},
                        [] {
                            const rlimit none{0, 0};
                            VICTIM_EXPECT(::setrlimit(RLIMIT_NOFILE, &none) == 0);
                            recordNumbers(10);
                            VICTIM_EXPECT(!buffer::enabled());
                        }),
              0);
    EXPECT_TRUE(spoolsIn(folder.path()).empty());
}

TEST(Start, RespectsTheFileSizeLimitWithoutASignal)
{
    for (const rlim_t limit : {rlim_t{1000}, rlim_t{100'000}, rlim_t{1'000'000}}) {
        const TemporaryFolder folder;
        ASSERT_EQ(runVictim({.folder = folder.path()},
                            [limit] {
                                const rlimit files{limit, limit};
                                VICTIM_EXPECT(::setrlimit(RLIMIT_FSIZE, &files) == 0);
                                for (int batch = 0; batch < 200; ++batch, ::usleep(200)) recordNumbers(100, batch * 100U);
                                (void)buffer::flush(1000);
                            }),
                  0)
            << limit;
    }
}
