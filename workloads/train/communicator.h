// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include "workloads/ledger.h"

namespace flowgauge::workloads {

/// The collectives a data-parallel trainer needs. Each call is entered in the ledger with the bytes of this rank's buffer.
/// One thread at a time may call.
class Communicator {
public:
    virtual ~Communicator() = default;
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// "Open MPI v4.1.4 ..."
    [[nodiscard]] virtual std::string library() const = 0;
    /// Whether a thread other than the one that started MPI may communicate.
    [[nodiscard]] virtual bool threads() const = 0;
    virtual void sum(std::span<float> values) = 0;
    virtual void sum(std::span<double> values) = 0;
    virtual void broadcast(std::span<float> values) = 0;
    virtual void barrier() = 0;
    /// Ends all ranks; for a rank that failed, whose partners would wait for ever.
    [[noreturn]] virtual void abort(int status) = 0;
};

/// Sums gradients its own way; the rest goes through the communicator below, which must live longer.
class GradientCommunicator : public Communicator {
public:
    explicit GradientCommunicator(Communicator& below) : m_below(below) {}
    using Communicator::sum;
    [[nodiscard]] int rank() const final { return m_below.rank(); }
    [[nodiscard]] int size() const final { return m_below.size(); }
    [[nodiscard]] std::string library() const final { return m_below.library(); }
    [[nodiscard]] bool threads() const final { return m_below.threads(); }
    void sum(std::span<double> values) final { m_below.sum(values); }
    void broadcast(std::span<float> values) final { m_below.broadcast(values); }
    void barrier() final { m_below.barrier(); }
    [[noreturn]] void abort(int status) final
    {
        m_below.abort(status);
        std::_Exit(status);
    }

private:
    Communicator& m_below;
};

/// Starts MPI; the object's end finalizes it. Once a process.
[[nodiscard]] std::unique_ptr<Communicator> startMpi(Ledger& ledger);

/// `below` with gradients summed by the grouped scheme over MPI's point-to-point calls; entered in the ledger as "grouped". Every rank
/// adds in one order, so that all hold the same bits; two ranks hold those of MPI_Allreduce. Throws Failure without thread safety.
[[nodiscard]] std::unique_ptr<Communicator> summingGrouped(Communicator& below, Ledger& ledger);

/// `below` with gradients summed by NCCL on each rank's GPU, to which they are copied and from which they come back; entered in the
/// ledger as "nccl". Throws Failure where no GPU, driver or NCCL is to be had.
[[nodiscard]] std::unique_ptr<Communicator> summingByNccl(Communicator& below, Ledger& ledger);

}  // namespace flowgauge::workloads
