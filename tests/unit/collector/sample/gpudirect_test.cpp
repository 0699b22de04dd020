// SPDX-License-Identifier: MIT
#include "collector/sample/gpudirect.h"

#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>

namespace flowgauge::sample {
namespace {

namespace fs = std::filesystem;

/// A machine's /sys with some PCI devices, as links.
class Machine {
public:
    Machine() : m_root(fs::temp_directory_path() / ("flowgauge_gpudirect_" + std::to_string(::getpid())))
    {
        fs::remove_all(m_root);
        fs::create_directories(m_root / "sys/bus/pci/devices");
    }
    ~Machine() { fs::remove_all(m_root); }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    void device(const std::string& below)
    {
        const fs::path place = m_root / "sys/devices" / below;
        fs::create_directories(place);
        fs::create_symlink("../../../devices/" + below, m_root / "sys/bus/pci/devices" / place.filename());
    }
    void gpu(const std::string& below)
    {
        device(below);
        fs::create_directories(m_root / "sys/bus/pci/drivers/nvidia");
        fs::create_symlink("../../../../devices/" + below, m_root / "sys/bus/pci/drivers/nvidia" / fs::path(below).filename());
    }
    void card(const std::string& name, const std::string& below)
    {
        device(below);
        fs::create_directories(m_root / "sys/class/infiniband" / name);
        fs::create_symlink("../../../devices/" + below, m_root / "sys/class/infiniband" / name / "device");
    }
    void file(const std::string& path)
    {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << "1\n";
    }
    /// Lines of the ledger about GPUDirect.
    [[nodiscard]] std::vector<std::string> noted() const
    {
        Notebook notebook;
        const std::string folder = m_root.string();
        const SysRoot root(folder);
        Scratch scratch;
        SourceTable sources;
        CounterSink sink(Notebook::outlet, hostFactMark);
        noteGpuDirect({root, scratch, sources, sink});
        std::vector<std::string> lines;
        const std::string head = "ledger of the host\tgpudirect\tmeasured\t";
        for (const std::string& line : notebook.ledger)
            if (line.rfind(head, 0) == 0) lines.push_back(line.substr(head.size()));
        std::sort(lines.begin(), lines.end());
        return lines;
    }

private:
    fs::path m_root;
};

TEST(GpuDirect, EachGpuIsToldItsNearestCard)
{
    Machine machine;
    machine.gpu("pci0000:16/0000:16:00.0/0000:17:00.0/0000:18:00.0");
    machine.gpu("pci0000:64/0000:64:01.0/0000:65:00.0");
    machine.card("mlx5_0", "pci0000:16/0000:16:00.0/0000:17:01.0/0000:19:00.0");
    machine.card("mlx5_1", "pci0000:64/0000:64:02.0/0000:66:00.0");
    machine.file("sys/module/nvidia_peermem/version");
    EXPECT_EQ(machine.noted(), (std::vector<std::string>{
                                   "GPU 0000:18:00.0: its nearest network card is mlx5_0, below one PCIe switch or root port (PIX or PXB)",
                                   "GPU 0000:65:00.0: its nearest network card is mlx5_1, through the host bridge (PHB)",
                                   "peer memory client found: /sys/module/nvidia_peermem/version"}));
}

TEST(GpuDirect, AMissingModuleIsToldAsWhatItIs)
{
    Machine machine;
    machine.gpu("pci0000:16/0000:16:00.0/0000:18:00.0");
    machine.card("mlx5_0", "pci0000:c0/0000:c0:01.0/0000:c1:00.0");
    EXPECT_EQ(machine.noted(),
              (std::vector<std::string>{"GPU 0000:18:00.0: its nearest network card is mlx5_0, across host bridges (NODE or SYS)",
                                        "no peer memory client (nvidia_peermem, nv_mem) is loaded; DMA-BUF needs none"}));
}

TEST(GpuDirect, NothingIsSaidWhereThereIsNoGpuOrNoCard)
{
    Machine onlyGpu;
    onlyGpu.gpu("pci0000:16/0000:16:00.0/0000:18:00.0");
    EXPECT_EQ(onlyGpu.noted(), std::vector<std::string>{});
}

TEST(GpuDirect, DistanceIsWhatTheirPathsShare)
{
    EXPECT_EQ(pciDistance("../devices/pci0000:00/0000:00:01.0/0000:01:00.0", "../devices/pci0000:00/0000:00:01.0/0000:01:00.1"),
              PciDistance::OneSwitch);
    EXPECT_EQ(pciDistance("../devices/pci0000:00/0000:00:01.0", "../devices/pci0000:00/0000:00:02.0"), PciDistance::HostBridge);
    EXPECT_EQ(pciDistance("../devices/pci0000:00/0000:00:01.0", "../devices/pci0000:80/0000:80:01.0"), PciDistance::FarAway);
    EXPECT_EQ(pciDistance("", ""), PciDistance::FarAway);
}

}  // namespace
}  // namespace flowgauge::sample
