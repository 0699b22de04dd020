// SPDX-License-Identifier: MIT
#include "collector/sample/ethtool.h"

#include "tests/unit/collector/sample/notebook.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flowgauge::sample {
namespace {

/// A driver that answers with the text that `ethtool -S` prints: "     rx_bytes: 74420", a statistic a line.
class Driver {
public:
    explicit Driver(const std::string& text)
    {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t begin = line.find_first_not_of(' '), colon = line.rfind(": ");
            if (begin == std::string::npos || colon == std::string::npos) continue;  // the heading
            std::string name = line.substr(begin, colon - begin);
            name.resize(EthtoolStrings::bytesEach);
            m_names += name;
            m_values.push_back(std::stoull(line.substr(colon + 2)));
        }
    }
    [[nodiscard]] EthtoolStrings names() const { return EthtoolStrings(m_names); }
    [[nodiscard]] const std::vector<std::uint64_t>& values() const { return m_values; }

private:
    std::string m_names;
    std::vector<std::uint64_t> m_values;
};

class Ethtool : public testing::Test {
protected:
    Ethtool() { m_sources.create(64); }
    ~Ethtool() override
    {
        m_sources.release();
        m_scratch.release();
    }
    /// What is kept of that driver's statistics.
    void read(const std::string& text)
    {
        const Driver driver(text);
        EthtoolPort port;
        port.learn("eth0", driver.names());
        m_sink.beginPass(1);
        EXPECT_TRUE(port.put(m_pass, 1, driver.values()));
    }
    void readFixture(const std::string& path)
    {
        std::ostringstream text;
        text << std::ifstream(fixtures() + "/ib/" + path).rdbuf();
        ASSERT_FALSE(text.str().empty()) << path;
        read(text.str());
    }
    [[nodiscard]] std::optional<std::uint64_t> value(Counter counter, const std::string& place = "eth0") const
    {
        return m_notebook.value(place, counter);
    }

    Notebook m_notebook;
    SysRoot m_root;
    Scratch m_scratch;
    SourceTable m_sources;
    CounterSink m_sink{Notebook::outlet, hostFactMark};
    Pass m_pass{m_root, m_scratch, m_sources, m_sink};
};

TEST_F(Ethtool, AnAdaptersPortItsRdmaAndItsPrioritiesAreKeptApart)
{
    read(
        "NIC statistics:\n"
        "     rx_bytes: 74420\n"
        "     rx_vport_rdma_unicast_bytes: 325635607632\n"
        "     rx_bytes_phy: 2027206797\n"
        "     rx_pause_ctrl_phy: 12\n"
        "     rx_global_pause: 12\n"
        "     rx_prio3_pause: 9\n"
        "     rx_prio3_pause_duration: 700\n"
        "     rx_prio3_pause_transition: 4\n"
        "     rx_prio3_discards: 5\n");
    EXPECT_EQ(value(Counter::NicRdmaRxBytes), 325'635'607'632U);
    EXPECT_EQ(value(Counter::NicPortRxBytes), 2'027'206'797U);
    EXPECT_EQ(value(Counter::NicRxPauses), 12U);
    EXPECT_EQ(value(Counter::NicRxPauses, "eth0/prio3"), 9U);
    EXPECT_EQ(value(Counter::NicRxPausedUs, "eth0/prio3"), 700U);
    EXPECT_EQ(value(Counter::NicPortRxDiscards, "eth0/prio3"), 5U);
    EXPECT_EQ(value(Counter::NicRxBytes), std::nullopt) << "the interface's own counter has its own source";
    EXPECT_EQ(m_notebook.last.size(), 6U) << "and nothing twice";
}

TEST_F(Ethtool, TheFirstOfTwoNamesOfOneCounterIsKept)
{
    read("     port.rx_dropped: 7\n     rx_discards_phy: 8\n");
    EXPECT_EQ(value(Counter::NicPortRxDiscards), 7U);
}

TEST_F(Ethtool, ValuesOfOtherNamesAreNotTaken)
{
    const Driver driver("     a: 1\n     rx_bytes_phy: 2\n");
    EthtoolPort port;
    EXPECT_EQ(port.learn("eth0", driver.names()), 1U);
    const std::vector<std::uint64_t> more{1, 2, 3};
    EXPECT_FALSE(port.put(m_pass, 1, more)) << "a queue was added";
    EXPECT_TRUE(m_notebook.last.empty());
}

TEST(EthtoolNames, EachRowIsFoundByItsNameAndAStarByAPriorityAlone)
{
    for (const EthtoolName& row : ethtoolNames) {
        std::string name(row.name);
        const std::size_t star = name.find('*');
        if (star != std::string::npos) name[star] = '5';
        EthtoolMatch match;
        ASSERT_TRUE(matchEthtool(name, match)) << name;
        EXPECT_EQ(match.counter, row.counter) << name;
        EXPECT_EQ(match.priority, star == std::string::npos ? wholePort : 5) << name;
        EXPECT_EQ(rowOf(row.counter).family, CounterFamily::Nic) << name;
    }
    EthtoolMatch match;
    for (const std::string_view other : {"rx_prio8_pause", "rx_prio*_pause", "rx_prio_pause", "rx_bytes", "", "rx_prio3_pause_transition"})
        EXPECT_FALSE(matchEthtool(other, match)) << other;
}

TEST_F(Ethtool, RecordedAdaptersGiveTheirHandCheckedValues)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    readFixture("ethtool_mlx5_100g/ethtool-S/eth0");
    EXPECT_EQ(value(Counter::NicPortRxBytes), 2'027'206'797U);
    EXPECT_EQ(value(Counter::NicPortTxBytes), 865'069'388U);
    EXPECT_EQ(value(Counter::NicRdmaRxBytes), 0U);
    EXPECT_EQ(value(Counter::NicRdmaTxBytes), 0U);
    EXPECT_EQ(value(Counter::NicCrcErrors), 386U);
    EXPECT_EQ(value(Counter::NicSymbolErrors), 386U);
    EXPECT_EQ(value(Counter::NicPortRxDiscards), 0U);
    EXPECT_EQ(value(Counter::NicLinkDowned), 0U);
    EXPECT_EQ(value(Counter::NicTxPauses), 2U);
    EXPECT_EQ(value(Counter::NicPciStallsReading), 0U);
    EXPECT_EQ(value(Counter::NicPciStallsWriting), 0U);
    EXPECT_EQ(m_notebook.last.size(), 11U);
}

TEST_F(Ethtool, OneThatTellsPrioritiesBytesAloneGivesNothing)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    readFixture("ethtool_prio0_only/ethtool-S/eth0.t0");
    EXPECT_TRUE(m_notebook.last.empty());
}

TEST_F(Ethtool, OddAndDoubleNamesCostNothing)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    readFixture("netdev_ethtool_generic/ethtool-S/eth0");
    EXPECT_EQ(value(Counter::NicPortRxDiscards), 12'028U);
    EXPECT_EQ(m_notebook.last.size(), 1U);
}

TEST_F(Ethtool, RdmaOfTwoFunctionsIsTold)
{
    if (fixtures().empty()) GTEST_SKIP() << "FLOWGAUGE_FIXTURES is not set";
    readFixture("mlx5_roce_2x/ethtool-S/enp1s0f1np1");
    EXPECT_EQ(value(Counter::NicRdmaRxBytes), 325'635'607'632U);
}

/// Whatever drivers there are: as many values as names, and none for an interface that has no driver or does not exist.
TEST_F(Ethtool, ThisMachinesDriversAnswerWithAValueForEachName)
{
    EthtoolSocket socket;
    ASSERT_EQ(socket.open(), 0);
    EXPECT_EQ(socket.names("lo", m_scratch).size(), 0U);
    EXPECT_TRUE(socket.values("lo", m_scratch).empty());
    EXPECT_EQ(socket.names("no-such-link", m_scratch).size(), 0U);
    EXPECT_EQ(socket.names("a-name-longer-than-any-interface", m_scratch).size(), 0U);
    FolderNames interfaces(m_root, "sys/class/net");
    for (std::string_view name; interfaces.next(name);) {
        const EthtoolStrings names = socket.names(name, m_scratch);
        const std::size_t count = names.size();
        for (std::size_t at = 0; at < count; ++at) EXPECT_FALSE(names[at].empty()) << name << " " << at;
        EXPECT_EQ(socket.values(name, m_scratch).size(), count) << name;
        std::printf("%.*s: %zu statistics\n", static_cast<int>(name.size()), name.data(), count);
    }
    socket.close();
}

}  // namespace
}  // namespace flowgauge::sample
