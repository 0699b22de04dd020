// SPDX-License-Identifier: MIT
#include "collector/run/doctor/doctor.h"

#include <gtest/gtest.h>
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

TEST_F(DoctorTest, NfsMountsAreNamedAndOthersAreNot)
{
    put("proc/self/mountstats",
        "device proc mounted on /proc with fstype proc\ndevice isilon:/ifs/data mounted on /data with fstype nfs4 statvers=1.1\n");
    const Row row = checkNfs(place());
    EXPECT_EQ(row.state, State::Ok);
    EXPECT_EQ(row.detail, "/data (nfs4 of isilon:/ifs/data)");
}

TEST_F(DoctorTest, AnEmptyMachineHasNothing)
{
    EXPECT_EQ(checkNfs(place()).state, State::Absent);
    EXPECT_EQ(checkInfiniBand(place()).state, State::Absent);
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
    EXPECT_EQ(checkInfiniBand(place()).detail, "mlx5_0, mlx5_1");
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
    EXPECT_EQ(rows.size(), 12U);
    for (const Row& row : rows) EXPECT_FALSE(row.detail.empty()) << row.what;
}

}  // namespace
}  // namespace flowgauge::run::doctor
