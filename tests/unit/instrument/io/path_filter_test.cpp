// SPDX-License-Identifier: MIT
#include "instrument/io/path_filter.h"

#include <gtest/gtest.h>

namespace flowgauge::io {
namespace {

struct Case {
    const char* path;
    PathClass expected;
};

class PathFilter : public testing::Test {
protected:
    void TearDown() override { setPathRules({}); }
};

TEST_F(PathFilter, TellsCodeFromDataByNameAlone)
{
    constexpr Case cases[] = {
        {"/data/imagenet/train/n01440764/n01440764_10026.JPEG", PathClass::Data},
        {"/data/shard-00017.rec", PathClass::Data},
        {"relative/shard.bin", PathClass::Data},
        {"/home/u/train.py", PathClass::Code},
        {"train.pyc", PathClass::Code},
        {"/home/u/venv/pyvenv.cfg", PathClass::Code},
        {"/home/u/venv/lib/python3.11/os.pyi", PathClass::Code},
        {"/opt/conda/lib/python3.9/site-packages/torch/version.json", PathClass::Code},
        {"/home/u/.local/share/dist-packages/x/model.txt", PathClass::Code},
        {"/home/u/pkg/__pycache__/a.bin", PathClass::Code},
        {"/opt/app/libtorch_cpu.so", PathClass::Code},
        {"/opt/app/libcudart.so.11.0", PathClass::Code},
        {"/opt/app/notes.so.txt", PathClass::Data},
        {"/usr/share/zoneinfo/UTC", PathClass::Code},
        {"/usrdata/x", PathClass::Data},
        {"/etc/hosts", PathClass::Code},
        {"/proc/self/maps", PathClass::Code},
        {"/sys/devices/system/cpu/online", PathClass::Code},
        {"/dev/nvidia0", PathClass::Code},
        {"/dev/shm/imagenet/shard.rec", PathClass::Data},
        {"/dev/shm/torch_4711_2", PathClass::Code},
        {"/dev/shm/sem.mp-x", PathClass::Code},
        {"/dev/shm/nccl-AbCdEf", PathClass::Code},
        {"/tmp/cache/batch.npy", PathClass::Data},
        {"/tmp/ompi.node1.1000/pid.7/contact.txt", PathClass::Code},
        {"", PathClass::Data},
    };
    for (const Case& each : cases) EXPECT_EQ(classOfPath(each.path), each.expected) << each.path;
}

TEST_F(PathFilter, RulesAddCodeAndDataIsStrongest)
{
    setPathRules({.code = "*.idx:/scratch/env:", .data = "/scratch/env/data:/usr/local/sets/*", .ourFolders = {"/runs/r1", ""}});
    constexpr Case cases[] = {
        {"/data/a.idx", PathClass::Code},
        {"/scratch/env/bin/tool", PathClass::Code},
        {"/scratch/env", PathClass::Code},
        {"/scratch/environment", PathClass::Data},
        {"/scratch/env/data/x.py", PathClass::Data},
        {"/usr/local/sets/coco/1.jpg", PathClass::Data},
        {"/usr/local/bin/tool", PathClass::Code},
        {"/runs/r1/output.log", PathClass::Ignored},
        {"/runs/r10/output.log", PathClass::Data},
    };
    for (const Case& each : cases) EXPECT_EQ(classOfPath(each.path), each.expected) << each.path;
}

TEST_F(PathFilter, PatternsMatchAsTheirSentenceSays)
{
    EXPECT_TRUE(matchesPattern("*.rec", "/a/b/c.rec"));
    EXPECT_FALSE(matchesPattern("*.rec", "/a/b.rec/c"));
    EXPECT_TRUE(matchesPattern("shard-?.bin", "/x/shard-7.bin"));
    EXPECT_FALSE(matchesPattern("shard-?.bin", "/x/shard-17.bin"));
    EXPECT_TRUE(matchesPattern("*/cache/*", "/a/cache/b/c"));
    EXPECT_TRUE(matchesPattern("/data/", "/data/x"));
    EXPECT_TRUE(matchesPattern("/", "/anything"));
    EXPECT_FALSE(matchesPattern("/data", "/data2/x"));
    EXPECT_TRUE(matchesPattern("a*b*c", "aXbYbZc"));
    EXPECT_FALSE(matchesPattern("", "x"));
}

TEST_F(PathFilter, RulesThatAreTooLongAreCutAndNothingElse)
{
    const std::string longRules(10'000, 'x');
    setPathRules({.code = longRules, .data = {}, .ourFolders = {}});
    EXPECT_EQ(classOfPath("/data/a.bin"), PathClass::Data);
    EXPECT_EQ(classOfPath("/data/" + std::string(4096, 'x')), PathClass::Code);
}

}  // namespace
}  // namespace flowgauge::io
