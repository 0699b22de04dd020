// SPDX-License-Identifier: MIT
#include "workloads/allreduce/grouped.h"
#include "workloads/failure.h"
#include "workloads/train/communicator.h"

namespace flowgauge::workloads {

/// Gradients go through the grouped scheme of workloads/allreduce, each rank a group of one member.
class GroupedCommunicator final : public GradientCommunicator {
public:
    GroupedCommunicator(Communicator& below, Ledger& ledger)
        : GradientCommunicator(below),
          m_ledger(ledger),
          m_shape{static_cast<std::size_t>(size()), 1},
          m_member(m_shape),
          m_engine(m_shape, allreduce::ringOverMpi(1).front(), m_member)
    {
    }

    using GradientCommunicator::sum;
    void sum(std::span<float> values) override
    {
        m_ledger.collective("grouped", values.size_bytes());
        const std::span<const float> from = values;
        m_member.use(std::span(&from, 1), std::span(&values, 1));
        const std::string wrong = m_engine.run(values.size());
        if (!wrong.empty()) throw Failure("grouped allreduce", wrong);
    }

private:
    Ledger& m_ledger;
    allreduce::Shape m_shape;
    allreduce::HostGroup m_member;
    allreduce::GroupedAllreduce m_engine;
};

std::unique_ptr<Communicator> summingGrouped(Communicator& below, Ledger& ledger)
{
    if (!below.threads()) throw Failure(below.library(), "gives no thread safety for the threads of the grouped scheme; use --comm mpi");
    return std::make_unique<GroupedCommunicator>(below, ledger);
}

}  // namespace flowgauge::workloads
