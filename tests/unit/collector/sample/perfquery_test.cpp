// SPDX-License-Identifier: MIT
#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flowgauge::sample {
namespace {

namespace fs = std::filesystem;

/// What `perfquery -x` calls a number, what sysfs calls it, and as what we keep it.
struct Row {
    const char *perfquery, *file;
    Counter counter;
};
constexpr Row rows[] = {{"PortXmitData", "port_xmit_data", Counter::IbTxBytes},
                        {"PortRcvData", "port_rcv_data", Counter::IbRxBytes},
                        {"PortXmitPkts", "port_xmit_packets", Counter::IbTxPackets},
                        {"PortRcvPkts", "port_rcv_packets", Counter::IbRxPackets},
                        {"PortXmitWait", "port_xmit_wait", Counter::IbTxWait},
                        {"SymbolErrorCounter", "symbol_error", Counter::IbSymbolErrors},
                        {"LinkErrorRecoveryCounter", "link_error_recovery", Counter::IbLinkRecoveries},
                        {"LinkDownedCounter", "link_downed", Counter::IbLinkDowned},
                        {"PortRcvErrors", "port_rcv_errors", Counter::IbRxErrors},
                        {"PortXmitDiscards", "port_xmit_discards", Counter::IbTxDiscards}};

using Values = std::map<std::string, std::uint64_t>;

/// The ports of one output: "Name:.....value" behind a line that begins with '#'.
std::vector<Values> portsOf(std::istream& output)
{
    std::vector<Values> ports;
    for (std::string line; std::getline(output, line);) {
        if (line.starts_with('#')) ports.emplace_back();
        const std::size_t colon = line.find(':'), value = line.find_last_not_of("0123456789") + 1;
        if (!ports.empty() && colon != std::string::npos && value < line.size() && line.find("0x") == std::string::npos)
            ports.back()[line.substr(0, colon)] = std::stoull(line.substr(value));
    }
    return ports;
}

/// The same port as its own host's sysfs would show it, sampled into the notebook that is open.
void samplePort(const Values& port)
{
    const fs::path root = fs::temp_directory_path() / ("flowgauge-perfquery-" + std::to_string(::getpid()));
    const fs::path folder = root / "sys/class/infiniband/mlx5_0/ports/1";
    fs::create_directories(folder / "counters");
    fs::create_directories(root / "sys/class/infiniband/mlx5_0/device");
    fs::create_symlink("../../../bus/pci/drivers/mlx5_core", root / "sys/class/infiniband/mlx5_0/device/driver");
    std::ofstream(folder / "state") << "4: ACTIVE\n";
    for (const Row& row : rows)
        if (port.contains(row.perfquery)) std::ofstream(folder / "counters" / row.file) << port.at(row.perfquery) << '\n';
    sampleOnce(root.native());
    fs::remove_all(root);
}

void expectTheSame(const Values& port)
{
    Notebook notebook;
    samplePort(port);
    for (const Row& row : rows)
        if (port.contains(row.perfquery)) {
            EXPECT_EQ(notebook.value("mlx5_0/1", row.counter), port.at(row.perfquery)) << row.perfquery;
        }
}

/// Where perfquery misleads whoever takes its numbers as they stand, shown on a port of the same shape as the public recordings.
const char* const output = R"(# Port extended counters: Lid 21 port 1 (CapMask: 0x1600 CapMask2: 0x0000000)
PortSelect:......................1
PortXmitData:....................2341975277576
PortRcvData:.....................13672645927
PortXmitPkts:....................2467501178
PortRcvPkts:.....................1352112415
PortUnicastXmitPkts:.............2467494386
PortMulticastXmitPkts:...........6779
PortXmitWait:....................4294967295
SymbolErrorCounter:..............65535
LinkDownedCounter:...............255
)";

TEST(Perfquery, TellsTheNumbersThatWeKeep)
{
    std::istringstream text(output);
    expectTheSame(portsOf(text).at(0));
}

TEST(Perfquery, CallsDataWhatAreWordsOfFourBytes)
{
    std::istringstream text(output);
    const Values port = portsOf(text).at(0);
    const double eachPacket = static_cast<double>(port.at("PortXmitData")) / static_cast<double>(port.at("PortXmitPkts"));
    EXPECT_LT(eachPacket, 4096) << "taken for bytes, bulk packets of 4 KiB would hold a quarter of that";
    EXPECT_NEAR(eachPacket * rowOf(Counter::IbTxBytes).scale, 3796, 1);
}

TEST(Perfquery, ShowsStuckCountersAsIfTheyWereCounts)
{
    std::istringstream text(output);
    const Values port = portsOf(text).at(0);
    for (const auto& [name, counter] : {std::pair{"PortXmitWait", Counter::IbTxWait},
                                        {"SymbolErrorCounter", Counter::IbSymbolErrors},
                                        {"LinkDownedCounter", Counter::IbLinkDowned}}) {
        EXPECT_EQ(rowOf(counter).shape, CounterShape::Saturating) << name;
        EXPECT_EQ(port.at(name), (std::uint64_t{1} << rowOf(counter).bits) - 1)
            << name << " stands at its largest value: at least that many";
    }
}

TEST(Perfquery, KindsOfPacketsDoNotAddUpToAllOfThem)
{
    std::istringstream text(output);
    const Values port = portsOf(text).at(0);
    EXPECT_EQ(port.at("PortXmitPkts") - port.at("PortUnicastXmitPkts") - port.at("PortMulticastXmitPkts"), 13U)
        << "read at different instants: the total is what we keep";
}

TEST(PerfqueryFixtures, TellTheNumbersThatWeKeep)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    int ports = 0;
    for (const auto& file : fs::directory_iterator(fs::path(fixtures()) / "ib/perfquery_edr/perfquery")) {
        std::ifstream text(file.path());
        for (const Values& port : portsOf(text)) {
            expectTheSame(port);
            ++ports;
        }
    }
    EXPECT_GT(ports, 0);
    std::printf("perfquery beside ours: %d ports, every number the same; its data x 4 are bytes\n", ports);
}

}  // namespace
}  // namespace flowgauge::sample
