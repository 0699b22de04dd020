// SPDX-License-Identifier: MIT
#include "collector/run/doctor/doctor.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace flowgauge::run::doctor {
namespace {

namespace fs = std::filesystem;

struct DoctorTest : testing::Test {
    fs::path root;
    DoctorTest()
    {
        std::string pattern = (fs::temp_directory_path() / "doctor_test_XXXXXX").string();
        root = mkdtemp(pattern.data());
    }
    ~DoctorTest() override { fs::remove_all(root); }
    void put(const std::string& file, const std::string& text) const
    {
        fs::create_directories((root / file).parent_path());
        std::ofstream(root / file) << text;
    }
    Place place() const { return {root, {}, root}; }
};

struct SamplerRow {
    std::string what, question;
};
const std::vector<SamplerRow> samplers{
#define FLOWGAUGE_SAMPLER(member, type, what, leastMs, question) {#what, question},
#include "collector/sample/samplers.def"
#undef FLOWGAUGE_SAMPLER
};

Row rowOf(const std::vector<Row>& rows, const std::string& what)
{
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.what == what; });
    return found == rows.end() ? Row{"", State::Degraded, "no such row"} : *found;
}

TEST_F(DoctorTest, EverySamplerHasARowAndAnAbsentOneSaysWhatIsNotAnswered)
{
    const std::vector<Row> rows = checkSamplers(place());
    ASSERT_EQ(rows.size(), samplers.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].what, samplers[i].what);
        EXPECT_EQ(rows[i].state, State::Absent) << rows[i].what;
        EXPECT_TRUE(rows[i].detail.ends_with("; not answered: " + samplers[i].question)) << rows[i].detail;
    }
    EXPECT_EQ(rowOf(rows, "nfs").detail,
              "/proc/self/mountstats cannot be opened; not answered: What was fetched from NFS servers, and did they answer?");
}

TEST_F(DoctorTest, NfsMountsAreNamedAndOthersAreNot)
{
    put("proc/self/mountstats",
        "device proc mounted on /proc with fstype proc\ndevice isilon:/ifs/data mounted on /data with fstype nfs4 statvers=1.1\n");
    EXPECT_EQ(nfsMounts(place()), "/data (nfs4 of isilon:/ifs/data)");
}

TEST_F(DoctorTest, WhatACapturedMachineHasIsToldInTheLedgersWords)
{
    const std::vector<Row> rows = checkSamplers({std::string(FLOWGAUGE_SYSROOTS) + "/mlx5-ib", {}, root});
    EXPECT_EQ(rowOf(rows, "infiniband").state, State::Ok);
    EXPECT_TRUE(rowOf(rows, "infiniband").detail.ends_with(": ports that are up; others are down")) << rowOf(rows, "infiniband").detail;
    EXPECT_TRUE(rowOf(rows, "infiniband").detail.starts_with("mlx5_0, ")) << rowOf(rows, "infiniband").detail;
    EXPECT_EQ(rowOf(rows, "disk").detail, "whole block devices");
}

TEST_F(DoctorTest, AParallelFileSystemThatCannotBeReadIsNamedWithWhatToRunInstead)
{
    put("proc/self/mountinfo", "36 35 0:45 / /scratch rw,relatime shared:1 - beegfs beegfs_nodev rw,cfgFile=/etc/beegfs/client.conf\n");
    const Row row = rowOf(checkSamplers(place()), "file systems");
    EXPECT_EQ(row.state, State::Absent);
    EXPECT_NE(row.detail.find("beegfs /scratch: its client keeps no counter that can be read: run beegfs-ctl"), std::string::npos)
        << row.detail;
    const Row lustre = rowOf(checkSamplers({std::string(FLOWGAUGE_SYSROOTS) + "/lustre", {}, root}), "file systems");
    EXPECT_EQ(lustre.state, State::Ok) << lustre.detail;
}

TEST_F(DoctorTest, AnEmptyMachineHasNothing)
{
    EXPECT_EQ(checkCupti(place()).state, State::Absent);
    EXPECT_EQ(checkLibrary(place()).state, State::Absent);
}

TEST_F(DoctorTest, ADriverWithoutADeviceIsDegraded)
{
    put("usr/lib64/libcuda.so.1", "");
    EXPECT_EQ(checkCuda(place()).state, State::Degraded);
    put("dev/nvidia0", "");
    EXPECT_EQ(checkCuda(place()).state, State::Ok);
}

TEST_F(DoctorTest, InfiniBandDevicesAreListedInOrder)
{
    fs::create_directories(root / "sys/class/infiniband/mlx5_1");
    fs::create_directories(root / "sys/class/infiniband/mlx5_0");
    EXPECT_EQ(infinibandNames(place()), "mlx5_0, mlx5_1");
}

TEST_F(DoctorTest, InterfacesOfHardwareAreNamedAndOnlyWithoutAnyTheOthers)
{
    for (const char* name : {"lo", "veth7", "eth0"}) fs::create_directories(root / "sys/class/net" / name);
    EXPECT_EQ(interfaceNames(place()), "eth0, veth7");
    fs::create_directories(root / "sys/class/net/eth0/device");
    EXPECT_EQ(interfaceNames(place()), "eth0");
}

TEST_F(DoctorTest, PortsOfAFabricTakeADeviceALibraryAndAPermission)
{
    const std::string device = (root / "dev/infiniband/umad0").native();
    EXPECT_EQ(checkFabricPorts(place()).state, State::Absent);
    put("dev/infiniband/umad0", "");
    EXPECT_EQ(checkFabricPorts(place()).state, State::Absent);
    put("usr/lib64/libibumad.so.3", "");
    EXPECT_EQ(checkFabricPorts(place()).state, State::Ok);
    EXPECT_EQ(checkFabricPorts(place()).detail, device + ", " + (root / "usr/lib64/libibumad.so.3").native());
    // Root may open what nobody may: for a moment this is somebody else, who may enter the folders.
    fs::permissions(device, fs::perms::none);
    for (const char* folder : {"", "dev", "dev/infiniband", "usr", "usr/lib64"})
        fs::permissions(root / folder, static_cast<fs::perms>(0755));
    const bool isRoot = ::geteuid() == 0;
    ASSERT_TRUE(!isRoot || ::seteuid(65534) == 0);
    const Row refused = checkFabricPorts(place());
    ASSERT_TRUE(!isRoot || ::seteuid(0) == 0);
    EXPECT_EQ(refused.state, State::Degraded);
    EXPECT_EQ(refused.detail.find("no permission for " + device), 0U) << refused.detail;
}

TEST_F(DoctorTest, ASpoolFolderThatIsNotThereIsTold)
{
    const Row row = checkSpoolDisk({root, {}, root / "none"});
    EXPECT_EQ(row.state, State::Absent);
    EXPECT_EQ(row.detail, (root / "none").string() + ": No such file or directory; set FLOWGAUGE_SPOOL");
}

TEST_F(DoctorTest, EveryRowOfThisMachineHasADetail)
{
    const std::vector<Row> rows = examine({"/", {}, root});
    EXPECT_EQ(rows.size(), 11 + samplers.size());
    for (const Row& row : rows) EXPECT_FALSE(row.detail.empty()) << row.what;
}

}  // namespace
}  // namespace flowgauge::run::doctor
