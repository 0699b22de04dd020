// SPDX-License-Identifier: MIT
#include "workloads/train/checkpoint.h"
#include <gtest/gtest.h>
#include <vector>
#include "tests/unit/workloads/scratch_folder.h"

using namespace flowgauge::workloads;

TEST(Checkpoint, IsWholeOrAbsent)
{
    const ScratchFolder scratch;
    Ledger ledger;
    const std::vector<float> state(2'000'000, 1.0F);
    writeCheckpoint(scratch.path() / "new", 7, state, ledger);
    EXPECT_EQ(std::filesystem::file_size(scratch.path() / "new/epoch-0007.ckpt"), 8'000'000U);
    EXPECT_FALSE(std::filesystem::exists(scratch.path() / "new/epoch-0007.ckpt.part"));
}

TEST(Checkpoint, SaysWhenTheDiskRefuses)
{
    Ledger ledger;
    const std::vector<float> state(10);
    EXPECT_THROW(writeCheckpoint("/dev/null/x", 1, state, ledger), std::exception);
}
