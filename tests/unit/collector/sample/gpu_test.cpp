// SPDX-License-Identifier: MIT
// The sampler of GPUs on the stand-in for NVML (tests/fakes/cuda), which answers what a script says.
#include "collector/sample/gpu.h"
#include "tests/unit/collector/sample/notebook.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

namespace flowgauge::sample {
namespace {

constexpr Nanos second = 1'000'000'000;

class Gpu : public testing::Test {
protected:
    void SetUp() override
    {
        permitNvml();
        ASSERT_NE(m_library, nullptr) << dlerror();
        std::filesystem::create_directories(m_root + "/dev");
        std::ofstream(m_root + "/dev/nvidia0") << "";
        ASSERT_TRUE(m_sources.create(64));
    }
    void TearDown() override
    {
        m_sampler->close();
        std::filesystem::remove_all(m_root);
        unsetenv("STAND_IN_NVML");
    }
    Availability open(const char* script)
    {
        setenv("STAND_IN_NVML", script, 1);
        m_sink.beginPass(1);
        return m_sampler->open(pass());
    }
    void passes(int count)
    {
        for (int i = 0; i < count; ++i) {
            m_now += second / 10;
            m_sink.beginPass(m_now);
            m_sampler->sample(pass());
        }
    }
    Pass pass() { return {m_sysRoot, m_scratch, m_sources, m_sink}; }
    int users() { return reinterpret_cast<int (*)()>(dlsym(m_library, "stand_in_nvml_users"))(); }

    void* m_library = dlopen(FLOWGAUGE_STAND_IN_NVML, RTLD_NOW);  // found by its name from now on
    std::string m_root = testing::TempDir() + "flowgauge-gpu-" + std::to_string(getpid());
    SysRoot m_sysRoot{m_root};
    Scratch m_scratch;
    SourceTable m_sources;
    Notebook m_notebook;
    CounterSink m_sink{Notebook::outlet, hostFactMark};
    std::unique_ptr<GpuSampler> m_sampler = std::make_unique<GpuSampler>();
    Nanos m_now = second;
};

TEST_F(Gpu, EveryCounterOfEveryDeviceIsStoredUnderItsUuid)
{
    EXPECT_TRUE(open("slots=333").present);
    passes(25);
    const auto value = [this](Counter counter) { return m_notebook.value("GPU-stand-in-0", counter); };
    EXPECT_EQ(value(Counter::GpuBusy), 50U);
    EXPECT_EQ(value(Counter::GpuMemoryBusy), 20U);
    EXPECT_EQ(value(Counter::GpuMemoryUsed), 600000U);
    EXPECT_EQ(value(Counter::GpuPower), 300003U);
    EXPECT_EQ(value(Counter::GpuEnergy), 3000U);
    EXPECT_EQ(value(Counter::GpuTemperature), 60U);
    EXPECT_EQ(value(Counter::GpuSmClock), 1000U);
    EXPECT_EQ(value(Counter::GpuMemoryClock), 2000U);
    EXPECT_EQ(value(Counter::GpuThrottle), 4U);
    EXPECT_EQ(value(Counter::GpuPcieTx), std::uint64_t{197} << 32);
    EXPECT_EQ(value(Counter::GpuPcieRx), std::uint64_t{198} << 32);
    EXPECT_EQ(value(Counter::GpuNvlinkTx), 138U + 3);
    EXPECT_EQ(value(Counter::GpuNvlinkRx), 139U + 3);
    EXPECT_EQ(value(Counter::GpuPcieRate), 16U * 15'754);
    EXPECT_EQ(value(Counter::GpuNvlinkRate), 12U * 25'781 * 8);
    EXPECT_EQ(value(Counter::GpuSmActive), 25U);
    EXPECT_EQ(value(Counter::GpuTensorActive), std::nullopt) << "refused by itself";
    EXPECT_EQ(value(Counter::GpuDramActive), 105U);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-1", Counter::GpuBusy), 51U);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-1", Counter::GpuSmActive), std::nullopt);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-1", Counter::GpuPcieRate), 8U * 15'754);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-1", Counter::GpuNvlinkRate), std::nullopt) << "it has no NVLink";
    EXPECT_EQ(m_notebook.found("GPU-stand-in-0"), "measured\tStand-in GPU, with the counters of its SMs");
    EXPECT_EQ(m_notebook.found("GPU-stand-in-1"), "measured\tStand-in GPU, without counters of its SMs (GPM: Hopper and later)");
}

TEST_F(Gpu, OneDeviceAPassAndEachOnceASecond)
{
    ASSERT_TRUE(open("").present);
    passes(1);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-1", Counter::GpuBusy), std::nullopt);
    passes(1);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-1", Counter::GpuBusy), 51U);
    const std::size_t before = m_notebook.events.size();
    passes(7);
    EXPECT_EQ(m_notebook.events.size(), before);
}

TEST_F(Gpu, WhatIsRefusedIsNotStored)
{
    ASSERT_TRUE(open("old,mig").present);
    passes(25);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-0", Counter::GpuBusy), std::nullopt);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-0", Counter::GpuPcieTx), std::nullopt);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-0", Counter::GpuSmActive), std::nullopt);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-0", Counter::GpuPower), 300003U);
}

TEST_F(Gpu, ALostGpuStopsAloneAndKeepsItsLastReading)
{
    ASSERT_TRUE(open("lost").present);
    passes(60);
    EXPECT_EQ(m_notebook.value("GPU-stand-in-0", Counter::GpuPower), 300002U);
    EXPECT_GE(m_notebook.value("GPU-stand-in-1", Counter::GpuPower), 300005U);
}

TEST_F(Gpu, WithoutANodeNvmlIsNotTouched)
{
    std::filesystem::remove(m_root + "/dev/nvidia0");
    const Availability found = open("");
    EXPECT_FALSE(found.present);
    EXPECT_EQ(found.reason, "no GPU device node (/dev/nvidia*)");
    EXPECT_EQ(users(), 0);
}

TEST_F(Gpu, ARefusedStartIsOneLineAndIsTakenBack)
{
    for (const char* const code : {"init=9", "init=12", "init=17", "init=18", "init=999"}) EXPECT_FALSE(open(code).present);
    ASSERT_TRUE(open("").present);
    EXPECT_EQ(users(), 1);
    m_sampler->close();
    EXPECT_EQ(users(), 0);
}

}  // namespace
}  // namespace flowgauge::sample
