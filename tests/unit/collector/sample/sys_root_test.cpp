// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include "collector/record/raw.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>

namespace flowgauge::sample {
namespace {

/// A folder of this test's own that plays the machine.
class SysRootTest : public testing::Test {
protected:
    SysRootTest()
    {
        std::string pattern = testing::TempDir() + "sysrootXXXXXX";
        m_folder = ::mkdtemp(pattern.data());
    }
    ~SysRootTest() override
    {
        m_scratch.release();
        std::filesystem::remove_all(m_folder);
    }
    void write(const std::string& path, const std::string& text) const
    {
        std::filesystem::create_directories(std::filesystem::path(m_folder + "/" + path).parent_path());
        std::ofstream(m_folder + "/" + path) << text;
    }

    std::string m_folder;
    Scratch m_scratch;
};

TEST_F(SysRootTest, AFileIsReadAgainFromItsBeginning)
{
    write("proc/x", "one\n");
    const SysRoot root(m_folder);
    RereadFile file;
    ASSERT_EQ(file.open(root, "proc/x", FileShape::OneRead), 0);
    EXPECT_EQ(file.read(root, m_scratch).text, "one\n");
    write("proc/x", "three\n");
    EXPECT_EQ(file.read(root, m_scratch).text, "three\n");
    file.close();
}

TEST_F(SysRootTest, AFileLargerThanTheBufferIsReadWhole)
{
    const std::string text(300'000, 'x');
    write("proc/x", text);
    const SysRoot root(m_folder);
    for (const FileShape shape : {FileShape::OneRead, FileShape::ToEnd}) {
        RereadFile file;
        ASSERT_EQ(file.open(root, "proc/x", shape), 0);
        EXPECT_EQ(file.read(root, m_scratch).text, text);
        file.close();
        m_scratch.release();
    }
}

TEST_F(SysRootTest, ADescriptorThatTheProgramClosedIsOpenedAgain)
{
    write("proc/x", "one\n");
    const SysRoot root(m_folder);
    RereadFile file;
    ASSERT_EQ(file.open(root, "proc/x", FileShape::OneRead), 0);
    for (int fd = 100; fd < 1000; ++fd) raw::close(fd);
    EXPECT_EQ(file.read(root, m_scratch).text, "one\n");
    file.close();
}

TEST_F(SysRootTest, WhatCannotBeReadIsAnError)
{
    std::filesystem::create_directories(m_folder + "/proc/folder");
    const SysRoot root(m_folder);
    RereadFile file;
    EXPECT_EQ(file.open(root, "proc/absent", FileShape::OneRead), ENOENT);
    EXPECT_EQ(file.read(root, m_scratch).error, ENOENT);
    ASSERT_EQ(file.open(root, "proc/folder", FileShape::OneRead), 0);
    EXPECT_EQ(file.read(root, m_scratch).error, EISDIR);
    file.close();
    EXPECT_EQ(file.open(root, std::string(600, 'x'), FileShape::OneRead), ENAMETOOLONG);
}

TEST_F(SysRootTest, AnIoThatTheDriverRefusesCostsThatCounterOnly)
{
    constexpr const char* refused = "/sys/class/net/lo/speed";
    std::ifstream probe(refused);
    std::string line;
    if (!probe.is_open() || std::getline(probe, line)) GTEST_SKIP() << refused << " does not refuse to be read here";
    const std::string port = "sys/class/infiniband/mlx5_0/ports/1/";
    write(port + "state", "4: ACTIVE\n");
    write(port + "counters/port_rcv_data", "7\n");
    std::filesystem::create_symlink(refused, m_folder + "/" + port + "counters/symbol_error");
    const Notebook notebook;
    sampleOnce(m_folder);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxBytes), 7U);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbSymbolErrors), std::nullopt);
}

TEST_F(SysRootTest, ADeviceThatGoesAwayAndComesBackIsReadAgain)
{
    const std::string file = "sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data";
    write(file, "7\n");
    Notebook notebook;
    HostSamplers* const samplers = HostSamplers::make(m_folder, Notebook::outlet);
    samplers->open(1);
    samplers->sample(2);
    write(file, "");  // what an adapter in reset answers
    samplers->sample(3);
    write(file, "9\n");
    samplers->sample(4);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxBytes), 7U) << "not tried with every beat";
    samplers->sample(61'000'000'000);
    EXPECT_EQ(notebook.value("mlx5_0/1", Counter::IbRxBytes), 9U);
    EXPECT_EQ(notebook.sources, std::vector<std::string>{"mlx5_0/1"}) << "the same place, one name";
    HostSamplers::discard(samplers);
}

TEST_F(SysRootTest, AMountThatComesDuringTheRunIsSampledFromThenOn)
{
    const auto mount = [](const char* path, int bytes) {
        return std::string("device s:/x mounted on ") + path + " with fstype nfs statvers=1.1\n\tbytes:\t" + std::to_string(bytes) +
               " 0 0 0 0 0 0 0\n\n";
    };
    write("proc/self/mountstats", "device tmpfs mounted on / with fstype tmpfs\n");
    write("proc/self/mountinfo", "");
    Notebook notebook;
    HostSamplers* const samplers = HostSamplers::make(m_folder, Notebook::outlet);
    samplers->open(1);
    EXPECT_EQ(notebook.found("nfs"), "absent\tno NFS mount in /proc/self/mountstats");
    write("proc/self/mountstats", mount("/data", 5));
    samplers->sample(2'000'000'000);
    EXPECT_EQ(notebook.value("/data", Counter::NfsAskedBytes), 5U);
    EXPECT_EQ(notebook.ledger.back(), "ledger\tnfs\tmeasured\tmounted during the run");
    write("proc/self/mountinfo", "40 1 0:40 / /new rw - nfs s:/x rw\n41 1 0:41 / /data rw - nfs s:/x rw\n");
    write("proc/self/mountstats", mount("/new", 1) + mount("/data", 6));
    samplers->sample(2'100'000'000);
    EXPECT_EQ(notebook.value("/new", Counter::NfsAskedBytes), 1U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsAskedBytes), 6U);
    HostSamplers::discard(samplers);
}

TEST_F(SysRootTest, AFileOfOneNumber)
{
    const SysRoot root(m_folder);
    ValueFile file;
    EXPECT_EQ(file.open(root, "sys/x"), ENOENT);
    EXPECT_EQ(file.read().error, EBADF);
    const std::map<std::string, bool> texts{{"7\n", true},    {"7\n\n", true},           {"", false},
                                            {"\n", false},    {"N/A (no PMA)\n", false}, {"-7\n", false},
                                            {"0x7\n", false}, {"7 7\n", false},          {std::string(80, '0') + "7\n", false}};
    for (const auto& [text, known] : texts) {
        write("sys/x", text);
        ASSERT_EQ(file.open(root, "sys/x"), 0);
        const ValueReading reading = file.read();
        EXPECT_EQ(reading.known, known) << text;
        EXPECT_EQ(reading.value, known ? 7U : 0U) << text;
        EXPECT_EQ(reading.error, 0);
    }
    write("sys/x", "18446744073709551615\n");
    EXPECT_EQ(file.read().value, UINT64_MAX);
    write("sys/x", "18446744073709551616\n");
    EXPECT_FALSE(file.read().known);
    file.close();
}

TEST_F(SysRootTest, NamesOfAFolder)
{
    for (int at = 0; at < 200; ++at) write("sys/many/name" + std::to_string(at), "");
    const SysRoot root(m_folder);
    FolderNames names(root, "sys/many");
    std::string_view name;
    int count = 0;
    while (names.next(name)) {
        EXPECT_TRUE(startsWith(name, "name"));
        ++count;
    }
    EXPECT_EQ(count, 200);
    FolderNames absent(root, "sys/none");
    EXPECT_FALSE(absent.opened());
    EXPECT_FALSE(absent.next(name));
}

}  // namespace
}  // namespace flowgauge::sample
