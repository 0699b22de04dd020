// SPDX-License-Identifier: MIT
#include "collector/sample/queue_pairs.h"

#include "collector/sample/queue_pair_names.h"
#include "tests/unit/collector/sample/notebook.h"
#include "tests/unit/collector/sample/stand_in_kernel.h"

#include <gtest/gtest.h>
#include <algorithm>

namespace flowgauge::sample {
namespace {

using namespace answers;

constexpr Nanos second = 1'000'000'000;

constexpr StandInKernel::Port byProcess{RDMA_COUNTER_MODE_AUTO, RDMA_COUNTER_MASK_PID};

class QueuePairs : public testing::Test {
protected:
    QueuePairs() { m_sources.create(128); }
    ~QueuePairs() override
    {
        m_sampler.close();
        m_sources.release();
        m_scratch.release();
    }
    Availability open()
    {
        m_sink.beginPass(m_now);
        return m_sampler.open(m_pass);
    }
    /// A second later.
    void sample()
    {
        m_sink.beginPass(m_now += second);
        m_sampler.sample(m_pass);
    }
    /// Of one device that has its counters bound by process.
    void bind(const std::vector<Bound>& counters)
    {
        if (m_kernel.devices.empty()) m_kernel.devices.push_back({"mlx5_0", {byProcess, byProcess}});
        m_kernel.devices[0].parts = {counters};
    }
    [[nodiscard]] std::optional<std::uint64_t> value(const std::string& place, Counter counter = Counter::QpSequenceNaks) const
    {
        return m_notebook.value(place, counter);
    }
    /// What was stored of that counter, in order.
    [[nodiscard]] std::vector<std::uint64_t> stored(const std::string& place, Counter counter = Counter::QpSequenceNaks) const
    {
        std::vector<std::uint64_t> all;
        for (const Event& event : m_notebook.events)
            if (m_notebook.names.at(event.arg[1] - 1) == place && static_cast<Counter>(event.arg[0]) == counter)
                all.push_back(event.arg[2]);
        return all;
    }

    StandInKernel m_kernel;
    Notebook m_notebook;
    SysRoot m_root{sysroot("mlx5-ib")};
    Scratch m_scratch;
    SourceTable m_sources;
    CounterSink m_sink{Notebook::outlet, hostFactMark};
    Pass m_pass{m_root, m_scratch, m_sources, m_sink};
    QueuePairSampler m_sampler{StandInKernel::kernel};
    Nanos m_now = second;
};

TEST_F(QueuePairs, AreReadByDevicePortProcessAndCounter)
{
    bind({{1, 3, process(4711), {{"packet_seq_err", 12}, {"out_of_buffer", 3}, {"rx_write_requests", 9}}},
          {2, 4, process(4711), {{"packet_seq_err", 13}}},
          {1, 5, process(4712), {{"packet_seq_err", 14}}},
          {1, 6, text(RDMA_NLDEV_ATTR_RES_KERN_NAME, "nvme_rdma"), {{"packet_seq_err", 15}}}});
    EXPECT_TRUE(open().present);
    sample();
    EXPECT_EQ(value("mlx5_0/1/4711/3"), 12U);
    EXPECT_EQ(value("mlx5_0/1/4711/3", Counter::QpOutOfBuffer), 3U);
    EXPECT_EQ(value("mlx5_0/2/4711/4"), 13U);
    EXPECT_EQ(value("mlx5_0/1/4712/5"), 14U);
    EXPECT_EQ(value("mlx5_0/1/kernel/6"), 15U);
    EXPECT_EQ(m_notebook.last.size(), 5U) << "names that are not known are not kept";
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_0/1"), "measured\ta counter is bound to the queue pairs of each process (auto pid)");
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_0 hidden"), "");
}

TEST_F(QueuePairs, EveryNameOfTheTableIsKept)
{
    std::vector<Value> all;
    for (std::size_t at = 0; at < queuePairNames.size(); ++at) all.push_back({std::string(queuePairNames[at].name), 100 + at});
    bind({{1, 3, process(4711), all}});
    EXPECT_TRUE(open().present);
    sample();
    for (std::size_t at = 0; at < queuePairNames.size(); ++at)
        EXPECT_EQ(value("mlx5_0/1/4711/3", queuePairNames[at].counter), 100 + at) << queuePairNames[at].name;
    const auto rows =
        std::count_if(counterRows.begin(), counterRows.end(), [](const CounterRow& row) { return row.family == CounterFamily::QueuePair; });
    EXPECT_EQ(m_notebook.last.size(), static_cast<std::size_t>(rows)) << "every counter of the family has a name";
}

TEST_F(QueuePairs, ACounterThatWasBoundSinceTheLastLookBeganAtZeroThen)
{
    bind({{1, 3, process(4711), {{"packet_seq_err", 12}}}});
    EXPECT_TRUE(open().present);
    sample();
    bind({{1, 3, process(4711), {{"packet_seq_err", 13}}}, {1, 4, process(4712), {{"packet_seq_err", 7}}}});
    sample();
    EXPECT_EQ(stored("mlx5_0/1/4711/3"), (std::vector<std::uint64_t>{12, 13})) << "what it had counted before is not known to be new";
    EXPECT_EQ(stored("mlx5_0/1/4712/4"), (std::vector<std::uint64_t>{0, 7}));
    bind({{1, 4, process(4712), {{"packet_seq_err", 8}}}});
    sample();
    bind({{1, 3, process(4711), {{"packet_seq_err", 20}}}, {1, 4, process(4712), {{"packet_seq_err", 8}}}});
    sample();
    EXPECT_EQ(stored("mlx5_0/1/4711/3"), (std::vector<std::uint64_t>{12, 13, 0, 20})) << "its number was free in between: another counter";
    EXPECT_EQ(value("mlx5_0/1/4712/4"), 8U);
}

TEST_F(QueuePairs, AFirstLookThatFailedIsNoLook)
{
    bind({{1, 3, process(4711), {{"packet_seq_err", 12}}}});
    EXPECT_TRUE(open().present);
    m_kernel.refusesLists = EINVAL;
    sample();
    m_kernel.refusesLists = 0;
    sample();
    EXPECT_EQ(stored("mlx5_0/1/4711/3"), (std::vector<std::uint64_t>{12}));
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_0"), "degraded\tthe kernel refused to tell the counters of its queue pairs");
}

TEST_F(QueuePairs, AListInSeveralPartsIsReadToItsEnd)
{
    m_kernel.devices = {{"mlx5_0", {byProcess}}};
    auto& parts = m_kernel.devices[0].parts;
    parts = {{}};  // a first part for which the kernel had too little room
    for (std::uint32_t id = 0; id < 40; ++id) parts.push_back({{1, id, process(100 + id), {{"packet_seq_err", id}}, 200}});
    EXPECT_TRUE(open().present);
    sample();
    for (std::uint32_t id = 0; id < 40; ++id) EXPECT_EQ(value("mlx5_0/1/" + std::to_string(100 + id) + "/" + std::to_string(id)), id);
    EXPECT_EQ(m_kernel.opened, 1);
}

TEST_F(QueuePairs, AnEntryThatFitsIntoNoMessageDoesNotHoldUs)
{
    m_kernel.devices = {{"mlx5_0", {byProcess}}, {"mlx5_1", {byProcess}}};
    m_kernel.devices[0].parts = {{{1, 3, process(4711), {{"packet_seq_err", 12}}}}};
    for (int at = 0; at < 1000; ++at) m_kernel.devices[0].parts.emplace_back();
    m_kernel.devices[1].parts = {{{1, 3, process(4711), {{"packet_seq_err", 13}}}}};
    EXPECT_TRUE(open().present);
    sample();
    EXPECT_EQ(value("mlx5_0/1/4711/3"), 12U);
    EXPECT_EQ(value("mlx5_1/1/4711/3"), 13U);
    EXPECT_EQ(m_kernel.opened, 2) << "a list that is not read to its end blocks the next one on its socket";
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_0"),
              "degraded\ta counter of more queue pairs than the kernel can tell in one message, and those behind it");
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_1"), "");
}

TEST_F(QueuePairs, OfAProcessThatIsNotToldTheLedgerTells)
{
    bind({{1, 3, "", {{"packet_seq_err", 12}}}});
    EXPECT_TRUE(open().present);
    sample();
    sample();
    EXPECT_EQ(value("mlx5_0/1/-/3"), 12U);
    EXPECT_EQ(
        m_notebook.found("queue pairs mlx5_0 hidden"),
        "degraded\tof some counters the kernel does not tell the process: bound by type or by hand, ended, or of another pid namespace");
    EXPECT_EQ(std::count_if(m_notebook.ledger.begin(), m_notebook.ledger.end(),
                            [](const std::string& line) { return line.find("hidden") != std::string::npos; }),
              1);
}

TEST_F(QueuePairs, MoreCountersThanThereIsRoomForAreNotKept)
{
    std::vector<Bound> many;
    for (std::uint32_t id = 0; id < 200; ++id) many.push_back({1, id, process(4711), {{"packet_seq_err", id}}});
    bind(many);
    EXPECT_TRUE(open().present);
    sample();
    EXPECT_EQ(m_notebook.last.size(), 64U) << "half of the table: the rest is left to others";
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_0"),
              "degraded\tmore counters of queue pairs than there is room for: later ones are not kept");
}

TEST_F(QueuePairs, AreAskedOnceASecond)
{
    bind({{1, 3, process(4711), {{"packet_seq_err", 12}}}});
    EXPECT_TRUE(open().present);
    for (int beat = 0; beat < 100; ++beat) {
        m_sink.beginPass(m_now += second / 100);
        m_sampler.sample(m_pass);
    }
    EXPECT_EQ(m_kernel.lists, 2) << "at its begin, and 0.95 s later";
}

TEST_F(QueuePairs, NothingIsBoundThoughTheDriverCould)
{
    m_kernel.devices = {{"mlx5_0", {{}, {}}}, {"mlx5_1", {{}}}};
    const Availability found = open();
    EXPECT_FALSE(found.present);
    EXPECT_EQ(found.reason, "nothing is bound to a counter; before the job, as root: rdma statistic qp set link DEV/PORT auto pid on");
    sample();
    EXPECT_EQ(m_kernel.lists, 0);
    // An administrator does so while the job runs: seen within a minute.
    m_kernel.devices[1].ports[0] = byProcess;
    m_kernel.devices[1].parts = {{{1, 3, process(4711), {{"packet_seq_err", 12}}}}};
    m_now += 60 * second;
    sample();
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_1/1"), "measured\ta counter is bound to the queue pairs of each process (auto pid)");
    EXPECT_EQ(value("mlx5_1/1/4711/3"), 12U);
}

TEST_F(QueuePairs, WhereOnePortIsBoundTheOthersSayWhatTheyLack)
{
    m_kernel.devices = {{"mlx5_0", {byProcess, {}, {RDMA_COUNTER_MODE_AUTO, RDMA_COUNTER_MASK_QP_TYPE}, {RDMA_COUNTER_MODE_MANUAL, 0}}},
                        {"rxe_near", {{}}},
                        {"acme0", {{}}}};
    EXPECT_TRUE(open().present);
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_0/2"),
              "absent\tnothing is bound; before the job, as root: rdma statistic qp set link mlx5_0/2 auto pid on");
    EXPECT_EQ(m_notebook.found("queue pairs mlx5_0/3"),
              "degraded\tcounters are bound by type of queue pair: whose they are the kernel does not tell; before the job, as root: rdma "
              "statistic qp set link mlx5_0/3 auto pid on");
    EXPECT_EQ(
        m_notebook.found("queue pairs mlx5_0/4"),
        "degraded\tcounters are bound by hand: whose they are the kernel does not tell; before the job, as root: rdma statistic qp set "
        "link mlx5_0/4 auto pid on");
    EXPECT_EQ(m_notebook.found("queue pairs rxe_near/1"), "absent\tits driver has no counters of single queue pairs");
    EXPECT_EQ(m_notebook.found("queue pairs acme0/1"),
              "absent\tnothing is bound, and whether its driver has counters of queue pairs the kernel does not tell");
}

/// Each way of having nothing says which it is.
TEST_F(QueuePairs, WhyThereIsNothing)
{
    m_kernel.devices = {{"rxe_near", {{}}}, {"siw0", {{}}}};
    EXPECT_EQ(open().reason, "no driver here has counters of single queue pairs");
    m_kernel.devices = {{"rxe_near", {{}}}, {"acme0", {{}}}};
    EXPECT_EQ(open().reason, "nothing is bound, and whether a driver here has counters of queue pairs the kernel does not tell");
    m_kernel.devices.clear();
    EXPECT_EQ(open().reason, "no RDMA device belongs to this network namespace");
    m_kernel.devices = {{"mlx5_0", {byProcess}}};
    m_kernel.refusesModes = EINVAL;
    EXPECT_EQ(open().reason, "the kernel knows no counters of queue pairs (it does since 5.3)");
    m_kernel.refusesModes = EPERM;
    EXPECT_EQ(open().reason, "this process may not ask about RDMA devices (seccomp or a security module)");
    m_kernel.refusesModes = 0;
    m_kernel.refusesToOpen = EPROTONOSUPPORT;
    EXPECT_EQ(open().reason, "the kernel has no RDMA netlink here (no RDMA subsystem, or one before 5.3 seen from a container)");
    m_kernel.refusesToOpen = EMFILE;
    EXPECT_EQ(open().reason, "the kernel did not answer about RDMA devices");
    sample();
    EXPECT_EQ(m_kernel.lists, 0);
    EXPECT_TRUE(m_notebook.ledger.empty());
}

TEST_F(QueuePairs, AKernelIsNotAskedAboutACapturedMachineNorWhereThereIsNoDevice)
{
    QueuePairSampler real;
    EXPECT_EQ(real.open(m_pass).reason, "a captured machine: its kernel cannot be asked");
    const SysRoot laptop{sysroot("laptop")};
    EXPECT_EQ(m_sampler.open({laptop, m_scratch, m_sources, m_sink}).reason, "no RDMA device in /sys/class/infiniband");
    EXPECT_EQ(m_kernel.opened, 0);
}

}  // namespace
}  // namespace flowgauge::sample
