// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <fstream>

namespace {
std::atomic<std::size_t> allocations{0};
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Every allocation of this program comes by here; sanitizers stand in this place themselves.
extern "C" {
void* __libc_malloc(std::size_t bytes) noexcept;
void* __libc_calloc(std::size_t count, std::size_t bytes) noexcept;
void* __libc_realloc(void* memory, std::size_t bytes) noexcept;
void* malloc(std::size_t bytes) noexcept
{
    ++allocations;
    return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept
{
    ++allocations;
    return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept
{
    ++allocations;
    return __libc_realloc(memory, bytes);
}
}
#endif

namespace flowgauge::sample {
namespace {

constexpr Nanos beat = 10'000'000, longest = 30'000'000'000;

/// Takes everything and keeps nothing.
constexpr Outlet silent{[](const Event&) {},
                        [](NameClass, std::string_view) -> NameKey {
                            static NameKey last = 0;
                            return ++last;
                        }};

std::size_t mappings()
{
    std::ifstream file("/proc/self/maps");
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
}

class NoAllocation : public testing::TestWithParam<const char*> {};

TEST_P(NoAllocation, APassTakesNoMemoryOnceEverythingWasSeen)
{
    const std::string root = *GetParam() == '\0' ? "" : sysroot(GetParam());
    HostSamplers* const samplers = HostSamplers::make(root, silent);
    samplers->open(1);
    Nanos now = 1;
    for (int pass = 0; pass < 3; ++pass) samplers->sample(now += longest);
    const std::size_t mapped = mappings(), allocated = allocations;
    for (int pass = 0; pass < 200; ++pass) samplers->sample(now += pass % 50 == 0 ? longest : beat);
    EXPECT_EQ(allocations, allocated);
    EXPECT_EQ(mappings(), mapped);
    HostSamplers::discard(samplers);
}

INSTANTIATE_TEST_SUITE_P(Machines, NoAllocation,
                         testing::Values("", "mlx5-ib", "mlx5-roce", "efa", "omnipath", "nfs-client", "nfs-rdma", "many-drivers", "laptop",
                                         "lustre"),
                         [](const auto& test) {
                             std::string name = *test.param == '\0' ? "this_one" : test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Allocations, AreSeenWhereThereAreAny)
{
    const std::size_t before = allocations;
    const std::string text(1000, 'x');
    EXPECT_EQ(text.size(), 1000U);
    EXPECT_GT(allocations, before);
}
#endif

}  // namespace
}  // namespace flowgauge::sample
