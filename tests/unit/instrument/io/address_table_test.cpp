// SPDX-License-Identifier: MIT
#include "instrument/io/address_table.h"

#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace flowgauge::io {
namespace {

TEST(AddressTable, GivesBackWhatWasPutOnce)
{
    AddressTable<int, 64> table;
    int found = 0;
    EXPECT_FALSE(table.take(4096, found));
    EXPECT_TRUE(table.put(4096, 7));
    EXPECT_TRUE(table.take(4096, found));
    EXPECT_EQ(found, 7);
    EXPECT_FALSE(table.take(4096, found));
}

TEST(AddressTable, SaysWhenItIsFullAndLosesNothingThatItTook)
{
    AddressTable<std::uintptr_t, 16> table;
    std::uintptr_t kept = 0, found = 0;
    for (std::uintptr_t address = 4096; address < 4096 * 33; address += 4096) kept += table.put(address, address) ? 1 : 0;
    EXPECT_EQ(kept, 16u);
    std::uintptr_t right = 0;
    for (std::uintptr_t address = 4096; address < 4096 * 33; address += 4096)
        right += table.take(address, found) && found == address ? 1 : 0;
    EXPECT_EQ(right, 16u);
    EXPECT_TRUE(table.put(4096, 1));
}

TEST(AddressTable, ClearForgetsEverything)
{
    AddressTable<int, 16> table;
    int found = 0;
    EXPECT_TRUE(table.put(64, 1));
    table.clear();
    EXPECT_FALSE(table.take(64, found));
    EXPECT_FALSE(table.take(0, found));
    EXPECT_FALSE(table.take(1, found));
}

TEST(AddressTable, ThreadsDoNotTakeEachOthersThings)
{
    const auto table = std::make_unique<AddressTable<std::uintptr_t, 1024>>();
    std::atomic<int> wrong{0};
    const auto work = [&](std::uintptr_t thread) {
        for (std::uintptr_t i = 0; i < 20'000; ++i) {
            const std::uintptr_t address = 0x100000 * thread + 64 * (i % 100) + 64;
            std::uintptr_t found = 0;
            if (!table->put(address, thread * 1'000'000 + i) || !table->take(address, found) || found != thread * 1'000'000 + i) ++wrong;
        }
    };
    std::thread first(work, 1), second(work, 2);
    first.join();
    second.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace flowgauge::io
