// SPDX-License-Identifier: MIT
#include "instrument/hook/patch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <array>
#include <bit>
#include <cstring>

namespace flowgauge::hook {
namespace {

/// A page of machine code that a test may write: functions that return a number, 16 bytes apart.
class PatchedFunctionTest : public testing::Test {
protected:
    PatchedFunctionTest()
    {
        m_code = static_cast<unsigned char*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    }
    ~PatchedFunctionTest() override { ::munmap(m_code, 4096); }
    void SetUp() override
    {
#if !defined(__x86_64__)
        GTEST_SKIP() << "only x86-64 has near jumps";
#endif
    }

    /// mov eax, answer; ret: behind eight bytes that do nothing where `first` says how those look.
    void* function(std::size_t number, unsigned char answer, std::uint64_t first)
    {
        unsigned char* const at = m_code + number * 16;
        const std::array<unsigned char, 6> rest{0xb8, answer, 0, 0, 0, 0xc3};
        std::memcpy(at, &first, sizeof first);
        std::memcpy(at + sizeof first, rest.data(), rest.size());
        return at;
    }
    /// What a communication library does to the function that it found.
    static void jump(void* from, const void* to)
    {
        auto* const at = static_cast<unsigned char*>(from);
        const auto distance = static_cast<std::int32_t>(static_cast<const unsigned char*>(to) - at - 5);
        *at = 0xe9;
        std::memcpy(at + 1, &distance, sizeof distance);
    }
    static int call(void* function) { return std::bit_cast<int (*)()>(function)(); }

    static constexpr std::uint64_t nops = 0x9090909090909090, longNop = 0x0000000000841f0f;
    unsigned char* m_code;
};

TEST_F(PatchedFunctionTest, AJumpAtOursIsHandedOnToTheRealOne)
{
    for (const std::uint64_t first : {nops, longNop}) {
        void* const ours = function(0, 1, first);
        void* const real = function(1, 2, nops);
        void* const theirs = function(2, 3, nops);
        PatchedFunction watched;
        watched.watch(ours);
        EXPECT_FALSE(watched.isPatched());
        jump(ours, theirs);
        EXPECT_TRUE(watched.isPatched());
        EXPECT_EQ(call(ours), 3);
        watched.handOn(real);
        ::mprotect(m_code, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
        EXPECT_FALSE(watched.isPatched());
        EXPECT_EQ(call(ours), 1);
        EXPECT_EQ(call(real), 3);
        std::uint64_t found = 0;
        std::memcpy(&found, ours, sizeof found);
        EXPECT_EQ(found, first);
    }
}

TEST_F(PatchedFunctionTest, OneThatWasPatchedBeforeItWasWatchedIsKnown)
{
    void* const ours = function(0, 1, nops);
    void* const real = function(1, 2, nops);
    jump(ours, function(2, 3, nops));
    PatchedFunction watched;
    watched.watch(ours);
    EXPECT_TRUE(watched.isPatched());
    watched.handOn(real);
    EXPECT_EQ(call(ours), 1);
    EXPECT_EQ(call(real), 3);
}

TEST_F(PatchedFunctionTest, WithoutAPatchNothingIsWritten)
{
    void* const ours = function(0, 1, nops);
    void* const real = function(1, 2, nops);
    PatchedFunction watched;
    watched.watch(ours);
    watched.handOn(real);
    EXPECT_EQ(call(ours), 1);
    EXPECT_EQ(call(real), 2);
}

TEST_F(PatchedFunctionTest, UnknownFirstBytesAndOddPlacesAreLeftAlone)
{
    void* const other = function(0, 1, 0x4811223344556677);
    PatchedFunction watched;
    watched.watch(other);
    EXPECT_FALSE(watched.isPatched());
    watched.handOn(function(1, 2, nops));
    watched.watch(static_cast<unsigned char*>(function(2, 3, nops)) + 1);
    EXPECT_FALSE(watched.isPatched());
}

}  // namespace
}  // namespace flowgauge::hook
