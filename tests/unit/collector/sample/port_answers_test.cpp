// SPDX-License-Identifier: MIT
#include "collector/sample/infiniband.h"
#include "tests/unit/collector/sample/notebook.h"
#include "tests/unit/collector/sample/stand_in_kernel.h"

#include <unistd.h>
#include <filesystem>
#include <fstream>

namespace flowgauge::sample {
namespace {

namespace fs = std::filesystem;

constexpr Nanos second = 1'000'000'000;

/// A device as a network namespace sees it that shares it: without counters and without hw_counters.
class SharedDevice : public testing::Test {
protected:
    SharedDevice() : m_folder(fs::temp_directory_path() / ("flowgauge-shared-" + std::to_string(::getpid())))
    {
        fs::remove_all(m_folder);
        m_sources.create(64);
    }
    ~SharedDevice() override
    {
        m_sampler.close();
        m_sources.release();
        m_scratch.release();
        fs::remove_all(m_folder);
    }
    void put(const std::string& device, const std::string& file, const std::string& text)
    {
        const fs::path path = m_folder / "sys/class/infiniband" / device / "ports/1" / file;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    /// One port, seen as such; what the kernel tells of it.
    void share(const std::string& device, const std::vector<Value>& values)
    {
        put(device, "state", "4: ACTIVE");
        m_kernel.devices.push_back({device, {{RDMA_COUNTER_MODE_NONE, 0, values}}});
    }
    Availability openAndSample()
    {
        m_sink.beginPass(m_now);
        const Availability found = m_sampler.open(m_pass);
        m_sampler.sample(m_pass);
        return found;
    }

    fs::path m_folder;
    StandInKernel m_kernel;
    Notebook m_notebook;
    SysRoot m_root{m_folder.native()};
    Scratch m_scratch;
    SourceTable m_sources;
    CounterSink m_sink{Notebook::outlet, hostFactMark};
    Pass m_pass{m_root, m_scratch, m_sources, m_sink};
    InfinibandSampler m_sampler{StandInKernel::kernel};
    Nanos m_now = second;
};

TEST_F(SharedDevice, IsReadByNetlinkAsItsFilesWouldBe)
{
    for (const PortFile& row : portFiles) {
        if (!startsWith(row.path, "hw_counters/")) continue;
        const auto nameOf = [](std::string_view path) { return std::string(path.substr(path.find('/') + 1)); };
        std::vector<Value> values{{nameOf(row.path), 7}};
        if (!row.alsoAdded.empty()) values.push_back({nameOf(row.alsoAdded), 50});
        share("efa_" + nameOf(row.path), values);  // of bytes in hw_counters, so that all are known
        EXPECT_TRUE(openAndSample().present) << row.path;
        EXPECT_EQ(m_notebook.value("efa_" + nameOf(row.path) + "/1", row.counter), row.alsoAdded.empty() ? 7U : 57U) << row.path;
        m_kernel.devices.clear();
        fs::remove_all(m_folder);
    }
}

TEST_F(SharedDevice, TheLedgerTellsTheWayAndWhatItDoesNotTell)
{
    share("mlx5_0", {{"out_of_sequence", 1}, {"packet_seq_err", 2}, {"lifespan", 10}});
    share("rxe_near", {{"rcvd_pkts", 3}, {"sent_pkts", 4}});
    share("mlx5_1", {});
    EXPECT_TRUE(openAndSample().present);
    EXPECT_EQ(m_notebook.value("mlx5_0/1", Counter::IbOutOfSequence), 1U);
    EXPECT_EQ(m_notebook.value("mlx5_0/1", Counter::IbSequenceNaks), 2U);
    EXPECT_EQ(m_notebook.value("rxe_near/1", Counter::IbRxPackets), 3U);
    EXPECT_EQ(m_notebook.value("rxe_near/1", Counter::IbTxPackets), 4U);
    EXPECT_EQ(m_notebook.found("infiniband mlx5_0/1 hw_counters"),
              "measured\tasked of the kernel by netlink: /sys does not show them (a network namespace that shares the device)");
    EXPECT_EQ(m_notebook.found("infiniband mlx5_0/1 bytes"),
              "absent\t/sys does not show its counters/, and netlink does not tell them: show the host's /sys to the container, or give it "
              "the device (rdma system set netns exclusive)");
    EXPECT_EQ(m_notebook.found("infiniband rxe_near/1 bytes"), "") << "its driver counts none anyway";
    EXPECT_EQ(m_notebook.found("infiniband mlx5_1/1 hw_counters"), "");
}

TEST_F(SharedDevice, FilesGoBeforeAnswers)
{
    share("mlx5_0", {{"out_of_sequence", 1}});
    put("mlx5_0", "hw_counters/out_of_sequence", "9");
    EXPECT_TRUE(openAndSample().present);
    EXPECT_EQ(m_notebook.value("mlx5_0/1", Counter::IbOutOfSequence), 9U);
    EXPECT_EQ(m_kernel.questions, 0);
}

TEST_F(SharedDevice, IsAskedOnceASecondAndTenTimesWhereItTellsTraffic)
{
    share("mlx5_0", {{"out_of_sequence", 1}});
    openAndSample();
    const auto asked = [&] {
        const int before = m_kernel.questions;
        for (int beat = 0; beat < 100; ++beat) {
            m_sink.beginPass(m_now += second / 100);
            m_sampler.sample(m_pass);
        }
        return m_kernel.questions - before;
    };
    EXPECT_EQ(asked(), 1);
    m_kernel.devices.clear();
    share("efa_0", {{"rx_bytes", 1}});
    openAndSample();
    EXPECT_GE(asked(), 8);
}

TEST_F(SharedDevice, OneThatIsGoneIsLeftAlone)
{
    share("mlx5_0", {{"out_of_sequence", 1}});
    openAndSample();
    m_kernel.devices.clear();
    for (int beat = 0; beat < 10; ++beat) {
        m_sink.beginPass(m_now += second);
        m_sampler.sample(m_pass);
    }
    EXPECT_EQ(m_kernel.questions, 2) << "at its opening, and at its first reading";
}

}  // namespace
}  // namespace flowgauge::sample
