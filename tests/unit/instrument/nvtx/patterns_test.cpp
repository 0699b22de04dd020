// SPDX-License-Identifier: MIT
#include "instrument/nvtx/patterns.h"
#include "instrument/nvtx/nccl_payload.h"

#include <gtest/gtest.h>
#include <array>
#include <string>

namespace flowgauge::nvtx {
namespace {

TEST(Patterns, EachBuiltInOneIsMetByANameOfItsKind)
{
    const auto means = [](std::string_view name) {
        const Meaning found = meaningOf(name);
        const std::string number = found.numbered ? std::to_string(found.number) : "";
        switch (found.role) {
            case Role::Epoch:
                return "epoch " + number;
            case Role::Step:
                return "step " + number;
            case Role::Phase:
                return std::string(found.phase);
            case Role::Range:
                return std::string("range");
        }
        return std::string();
    };
    for (const char* const name : {"epoch 7", "Epoch_7", "epoch:7", "EPOCH#7", "epoch=7", "epoch7", "train_epoch_7", "Training Epoch: 7"})
        EXPECT_EQ(means(name), "epoch 7") << name;
    for (const char* const name : {"ProfilerStep#12", "step 12", "train_step/12", "training-step 12", "iteration_12", "iter12", "Batch 12"})
        EXPECT_EQ(means(name), "step 12") << name;
    EXPECT_EQ(means("train_step"), "step ");
    for (const char* const name : {"forward", "Forward pass", "fwd", "## forward ##"}) EXPECT_EQ(means(name), "forward") << name;
    for (const char* const name : {"BACKWARD", "backward_pass", "bwd", "## backward ##"}) EXPECT_EQ(means(name), "backward") << name;
    for (const char* const name : {"optimizer", "optimizer_step", "Optimizer.step#SGD.step"}) EXPECT_EQ(means(name), "optimizer") << name;
    for (const char* const name : {"data_loading", "DataLoader", "load batch", "enumerate(DataLoader)#_SingleProcess.__next__"})
        EXPECT_EQ(means(name), "input") << name;
    for (const char* const name : {"eval", "evaluate", "Validation", "validate"}) EXPECT_EQ(means(name), "evaluation") << name;
    for (const char* const name : {"checkpoint", "save_checkpoint"}) EXPECT_EQ(means(name), "checkpoint") << name;
    EXPECT_EQ(means("shuffle"), "shuffle");
    for (const char* const name : {"", "epoch", "epochs 7", "forward_hook", "aten::add", "7", "step 7 of 9", "stepping 7"})
        EXPECT_EQ(means(name), "range") << name;
}

TEST(Patterns, NumbersOfAnyLengthDoNotOverflow)
{
    EXPECT_EQ(meaningOf("step 123456789012345678").number, 123456789012345678);
    EXPECT_EQ(meaningOf("step 1234567890123456789012").role, Role::Range);
}

TEST(NcclPayload, BytesStandBehindTheHashOrInFront)
{
    const std::array<std::uint64_t, 3> withHash{0xABCD, 4096, 0}, without{1024, 0, 0};
    const auto bytes = [](std::uint64_t operation, std::size_t size, const void* data) {
        return ncclBytes({(1U << 24) + operation, size, data});
    };
    EXPECT_EQ(bytes(5, 24, withHash.data()), 4096U);   // allreduce {hash, bytes, op} of 2.25
    EXPECT_EQ(bytes(5, 16, without.data()), 1024U);    // {bytes, op} of 2.16
    EXPECT_EQ(bytes(4, 16, withHash.data()), 4096U);   // allgather {hash, bytes}
    EXPECT_EQ(bytes(4, 8, without.data()), 1024U);     // {bytes}
    EXPECT_EQ(bytes(16, 16, withHash.data()), 4096U);  // alltoall, never without the hash
    EXPECT_EQ(bytes(0, 24, withHash.data()), 0U);      // a communicator's initialisation moves nothing
    EXPECT_EQ(bytes(5, 24, nullptr), 0U);
    EXPECT_EQ(ncclBytes({5, 24, withHash.data()}), 0U);
}

}  // namespace
}  // namespace flowgauge::nvtx
