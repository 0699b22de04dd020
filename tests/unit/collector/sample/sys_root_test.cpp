// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include "collector/record/raw.h"
#include "collector/sample/dated.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

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

/// A call that is slow the first time.
struct SlowOnce {
    int calls = 0;
    Ticks firstBegan = 0, firstEnded = 0;
    bool operator()(bool mayRepeat)
    {
        if (++calls > 1) return mayRepeat;
        firstBegan = now();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        firstEnded = now();
        return mayRepeat;
    }
};

TEST(Dated, ACallInWhichTheThreadWasStoppedIsMadeAgain)
{
    chooseClock();
    SlowOnce call;
    const Ticks at = dated([&] { return call(true); });
    EXPECT_EQ(call.calls, 2);
    EXPECT_GE(at, call.firstEnded);
}

TEST(Dated, OneThatMayTakeLongIsMadeOnce)
{
    chooseClock();
    SlowOnce call;
    const Ticks at = dated([&] { return call(false); });
    EXPECT_EQ(call.calls, 1);
    EXPECT_GT(at, call.firstBegan);
    EXPECT_LT(at, call.firstEnded);
}

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
    EXPECT_EQ(notebook.ledger.back(), "ledger of the host\tnfs\tmeasured\tmounted during the run");
    write("proc/self/mountinfo", "40 1 0:40 / /new rw - nfs s:/x rw\n41 1 0:41 / /data rw - nfs s:/x rw\n");
    write("proc/self/mountstats", mount("/new", 1) + mount("/data", 6));
    samplers->sample(2'100'000'000);
    EXPECT_EQ(notebook.value("/new", Counter::NfsAskedBytes), 1U);
    EXPECT_EQ(notebook.value("/data", Counter::NfsAskedBytes), 6U);
    HostSamplers::discard(samplers);
}

/// A record with an age, the bytes that were fetched, and as many operations as a kernel of today prints.
std::string mountRecord(const std::string& path, int age, std::uint64_t fetched)
{
    std::string text = "device s:/x" + path + " mounted on " + path +
                       " with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4.2,proto=tcp\n\tage:\t" + std::to_string(age) +
                       "\n\tbytes:\t0 0 0 0 " + std::to_string(fetched) +
                       " 0 0 0 \n\txprt:\ttcp 0 0 1 0 0 5 5 0 5 0 1 0 0\n\tper-op statistics\n\t        READ: 1 1 0 1 1 1 1 1 0\n";
    for (int operation = 0; operation < 69; ++operation) text += "\t  OPERATION" + std::to_string(operation) + ": 1 1 0 200 300 4 5 6 0\n";
    return text + "\n";
}

std::string mountLine(const std::string& path, int minor)
{
    return std::to_string(minor + 30) + " 1 0:" + std::to_string(minor) + " / " + path + " rw - nfs4 s:/x rw,addr=192.0.2.1\n";
}

TEST_F(SysRootTest, AMountThatWasMountedAnewBeginsAtZero)
{
    write("proc/self/mountinfo", mountLine("/data", 40));
    write("proc/self/mountstats", mountRecord("/data", 100, 5000));
    Notebook notebook;
    HostSamplers* const samplers = HostSamplers::make(m_folder, Notebook::outlet);
    samplers->open(1);
    samplers->sample(2);
    write("proc/self/mountstats", mountRecord("/data", 3, 7000));
    samplers->sample(5'000'000'000);
    std::vector<std::uint64_t> fetched;
    for (const Event& event : notebook.events)
        if (event.arg[0] == static_cast<std::uint64_t>(Counter::NfsFetchedBytes)) fetched.push_back(event.arg[2]);
    EXPECT_EQ(fetched, (std::vector<std::uint64_t>{5000, 0, 7000})) << "7000 more, not 2000";
    HostSamplers::discard(samplers);
}

TEST_F(SysRootTest, TheLastReadingTakesWhatIsNotDueYet)
{
    write("proc/self/mountinfo", mountLine("/data", 40));
    write("proc/self/mountstats", mountRecord("/data", 100, 5000));
    Notebook notebook;
    HostSamplers* const samplers = HostSamplers::make(m_folder, Notebook::outlet);
    samplers->open(1);
    samplers->sample(2);
    write("proc/self/mountstats", mountRecord("/data", 100, 7000));
    samplers->sample(3);
    EXPECT_EQ(notebook.value("/data", Counter::NfsFetchedBytes), 5000U);
    samplers->sampleLast(4);
    EXPECT_EQ(notebook.value("/data", Counter::NfsFetchedBytes), 7000U);
    HostSamplers::discard(samplers);
}

TEST_F(SysRootTest, AMountThatMovesOrGoesIsFollowed)
{
    write("proc/self/mountinfo", mountLine("/data", 40) + mountLine("/gone", 41));
    write("proc/self/mountstats", mountRecord("/data", 10, 1) + mountRecord("/gone", 10, 2));
    write("proc/fs/nfsfs/volumes", "NV SERVER   PORT DEV FSID FSC\nv4 c0000201 801 0:40 1:0 no\nv4 c0000201 801 0:41 1:0 no\n");
    Notebook notebook;
    HostSamplers* const samplers = HostSamplers::make(m_folder, Notebook::outlet);
    samplers->open(1);
    samplers->sample(2);
    EXPECT_EQ(notebook.found("nfs"), "measured\tNFS mounts, each superblock once");
    // umount -l of one, mount --move of the other.
    write("proc/self/mountinfo", mountLine("/moved", 40));
    write("proc/self/mountstats", mountRecord("/moved", 20, 9));
    samplers->sample(5'000'000'000);
    EXPECT_EQ(notebook.value("/moved", Counter::NfsFetchedBytes), 9U);
    EXPECT_EQ(notebook.value("/gone", Counter::NfsFetchedBytes), 2U) << "no reading after it went";
    EXPECT_EQ(notebook.ledger.back(),
              "ledger of the host\tnfs\tdegraded\ta file system without a mount is in use (umount -l): its traffic is not counted");
    HostSamplers::discard(samplers);
}

/// 4,000 automounts, 11 MB of text: bounded memory and places, and the sampler rests in between.
TEST_F(SysRootTest, ThousandsOfMountsDoNotTakeTheProcessor)
{
    constexpr int mounts = 4000;
    std::string info, stats;
    for (int at = 0; at < mounts; ++at) {
        const std::string path = "/home/user" + std::to_string(at);
        info += mountLine(path, 100 + at);
        stats += mountRecord(path, 10, 1000 + static_cast<std::uint64_t>(at));
    }
    EXPECT_GT(stats.size(), 11'000'000U);
    write("proc/self/mountinfo", info);
    write("proc/self/mountstats", stats);
    Notebook notebook;
    HostSamplers* const samplers = HostSamplers::make(m_folder, Notebook::outlet);
    samplers->open(1);
    samplers->sample(2);
    const auto fetched = [&] {
        return std::count_if(notebook.events.begin(), notebook.events.end(),
                             [](const Event& event) { return event.arg[0] == static_cast<std::uint64_t>(Counter::NfsFetchedBytes); });
    };
    const auto once = fetched();
    EXPECT_EQ(once, 1023) << "half of the places, their server's among them: the rest is for other kinds";
    EXPECT_EQ(notebook.value("/home/user0", Counter::NfsFetchedBytes), 1000U);
    EXPECT_EQ(notebook.value("192.0.2.1 v4.2 tcp", Counter::NfsSends), 5U) << "one server, whatever the mounts";
    EXPECT_EQ(notebook.found("nfs"), "degraded\tmore mounts than can be sampled: the later ones are not");
    write("proc/self/mountstats", "");
    samplers->sample(2 + 20'000'000);
    EXPECT_EQ(fetched(), once) << "a pass over 11 MB takes more than a millisecond, so that it rests for more than twenty";
    write("proc/self/mountstats", stats);
    samplers->sample(3'600'000'000'000);
    EXPECT_EQ(fetched(), 2 * once);
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
