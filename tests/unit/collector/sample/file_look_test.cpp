// SPDX-License-Identifier: MIT
// What is said of pages in memory equals what was read into it, on this machine's own kernel.
#include "collector/sample/file_look.h"

#include "tests/unit/collector/sample/page_file.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <array>
#include <cerrno>

namespace flowgauge::sample {
namespace {

constexpr std::int64_t mebi = 1 << 20;
constexpr LookRules anyWay{}, mincoreAlone{false, true}, cachestatAlone{true, false};

std::string fileName(const std::string& name) { return testing::TempDir() + name + std::to_string(::getpid()); }

bool hasCachestat() { return ::syscall(451, -1, nullptr, nullptr, 0) < 0 && errno != ENOSYS; }

class Looks : public testing::TestWithParam<LookMethod> {
protected:
    void SetUp() override
    {
        if (GetParam() == LookMethod::Cachestat && !hasCachestat()) GTEST_SKIP() << "this kernel has no cachestat (Linux 6.5)";
        m_page = ::getpagesize();
    }
    [[nodiscard]] FileLook look(const PageFile& file, std::uint64_t turn = 1) const
    {
        const struct stat about = file.status();
        return lookAt(file.fd(), {about.st_dev, about.st_ino}, GetParam() == LookMethod::Cachestat ? cachestatAlone : mincoreAlone, turn);
    }
    std::int64_t m_page = 4096;
};

TEST_P(Looks, CountThePagesThatWereReadAndNoOther)
{
    const PageFile file(fileName("pages"), 100 * m_page + 1);
    if (!file.trouble().empty()) GTEST_SKIP() << file.trouble();
    EXPECT_EQ(look(file).resident, 0);
    file.read(0, 1);
    file.read(10 * m_page, 17 * m_page);
    const FileLook found = look(file);
    ASSERT_TRUE(file.whole());
    EXPECT_EQ(found.method, GetParam());
    EXPECT_EQ(found.resident, static_cast<double>(8 * m_page));
    EXPECT_EQ(found.bytes, static_cast<double>(100 * m_page + 1));
    EXPECT_EQ(found.piecesVariance, 0);
    file.read(0, 100 * m_page + 1);
    EXPECT_EQ(look(file).resident, static_cast<double>(100 * m_page + 1)) << "the last page holds one byte of the file";
}

TEST_P(Looks, OfALargeFileGoByPiecesAndSayHowSureTheyAre)
{
    const PageFile file(fileName("large"), 128 * mebi);
    if (!file.trouble().empty()) GTEST_SKIP() << file.trouble();
    EXPECT_EQ(look(file).resident, 0);
    for (std::int64_t at = 0; at < 64; ++at) file.read(at * mebi, (at + 1) * mebi);
    ASSERT_TRUE(file.whole());
    for (const std::uint64_t turn : {1U, 2U, 3U}) {
        const FileLook found = look(file, turn);
        EXPECT_EQ(found.resident, static_cast<double>(64 * mebi)) << "8 of 16 pieces";
        // 16 pieces of 0 or 1 with mean 1/2: variance of the mean 16 * 1/4 / 15 / 16 = 1/60
        EXPECT_DOUBLE_EQ(found.piecesVariance, 128.0 * mebi * 128.0 * mebi / 60);
    }
}

TEST_P(Looks, AnEmptyFileHoldsNothing)
{
    const FileLook found = look(PageFile(fileName("empty"), 0));
    EXPECT_EQ(found.method, GetParam());
    EXPECT_EQ(found.bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, Looks, testing::Values(LookMethod::Cachestat, LookMethod::Mincore),
                         [](const auto& test) { return test.param == LookMethod::Cachestat ? "cachestat" : "mincore"; });

TEST(FileLook, AnotherFileUnderTheNameIsNotLookedAt)
{
    const PageFile file(fileName("other"), 1);
    const struct stat about = file.status();
    EXPECT_EQ(lookAt(file.fd(), {about.st_dev, about.st_ino + 1}, anyWay, 1).method, LookMethod::None);
    EXPECT_EQ(lookAt(file.fd(), {about.st_dev + 1, about.st_ino}, anyWay, 1).method, LookMethod::None);
    EXPECT_NE(lookAt(file.fd(), {}, anyWay, 1).method, LookMethod::None) << "any";
}

TEST(FileLook, WhatIsNoFileIsNotLookedAt)
{
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    EXPECT_EQ(lookAt(ends[0], {}, anyWay, 1).method, LookMethod::None);
    for (const int end : ends) ::close(end);
    EXPECT_EQ(lookAt(ends[0], {}, anyWay, 1).method, LookMethod::None) << "closed";
}

/// What mincore itself says of a file to a user who neither owns it nor may write it, and what we say.
TEST(FileLook, TheLieOfMincoreIsNotTakenForTheTruth)
{
    if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
    const PageFile file(fileName("lie"), 10 * ::getpagesize());
    if (!file.trouble().empty()) GTEST_SKIP() << file.trouble();
    const pid_t child = ::fork();
    if (child == 0) {
        const int fd = ::open(file.path().c_str(), O_RDONLY);
        if (fd < 0 || ::syscall(SYS_setresuid, 65534, 65534, 65534) != 0) ::_exit(1);
        void* const at = ::mmap(nullptr, 10 * ::getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
        std::array<unsigned char, 10> states{};
        if (::mincore(at, 10 * ::getpagesize(), states.data()) != 0 || (states[0] & 1) == 0) ::_exit(2);  // it does not lie here
        const FileLook found = lookAt(fd, {}, anyWay, 1);
        ::_exit(found.method == LookMethod::None && !found.why.empty() ? 0 : 3);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0) << "1: no other user, 2: mincore told the truth, 3: its lie was believed";
}

}  // namespace
}  // namespace flowgauge::sample
