// SPDX-License-Identifier: MIT
#include <cstdlib>
#include "workloads/allreduce/grouped.h"
#include "workloads/failure.h"
#include "workloads/train/communicator.h"

namespace flowgauge::workloads {

/// Gradients go through the grouped scheme of workloads/allreduce, each rank a node with one member; the rest goes through the
/// communicator below.
class GroupedCommunicator final : public Communicator {
public:
    GroupedCommunicator(Communicator& below, Ledger& ledger)
        : m_below(below), m_ledger(ledger), m_link(allreduce::mpiLink()), m_engine({static_cast<std::size_t>(m_below.size()), 1}, *m_link)
    {
    }

    [[nodiscard]] int rank() const override { return m_below.rank(); }
    [[nodiscard]] int size() const override { return m_below.size(); }
    [[nodiscard]] std::string library() const override { return m_below.library(); }
    [[nodiscard]] bool threads() const override { return m_below.threads(); }
    void sum(std::span<float> values) override
    {
        m_ledger.collective("grouped", values.size_bytes());
        const std::span<const float> from = values;
        const std::string wrong = m_engine.run(std::span(&from, 1), std::span(&values, 1));
        if (!wrong.empty()) throw Failure("grouped allreduce", wrong);
    }
    void sum(std::span<double> values) override { m_below.sum(values); }
    void broadcast(std::span<float> values) override { m_below.broadcast(values); }
    void barrier() override { m_below.barrier(); }
    [[noreturn]] void abort(int status) override
    {
        m_below.abort(status);
        std::_Exit(status);
    }

private:
    Communicator& m_below;
    Ledger& m_ledger;
    std::unique_ptr<allreduce::NodeLink> m_link;
    allreduce::GroupedAllreduce m_engine;
};

std::unique_ptr<Communicator> summingGrouped(Communicator& below, Ledger& ledger)
{
    if (!below.threads()) throw Failure(below.library(), "gives no thread safety for the threads of the grouped scheme; use --comm mpi");
    return std::make_unique<GroupedCommunicator>(below, ledger);
}

}  // namespace flowgauge::workloads
