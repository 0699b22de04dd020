// SPDX-License-Identifier: MIT
#include <mpi.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include "workloads/train/communicator.h"

namespace flowgauge::workloads {

/// The world of MPI. Errors end the job (MPI's default), so return codes need no look.
class MpiCommunicator final : public Communicator {
public:
    explicit MpiCommunicator(Ledger& ledger) : m_ledger(ledger)
    {
        int provided = MPI_THREAD_SINGLE;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
        m_threads = provided >= MPI_THREAD_SERIALIZED;
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_size);
    }
    ~MpiCommunicator() override { MPI_Finalize(); }
    MpiCommunicator(const MpiCommunicator&) = delete;
    MpiCommunicator& operator=(const MpiCommunicator&) = delete;

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return m_size; }
    [[nodiscard]] bool threads() const override { return m_threads; }
    [[nodiscard]] std::string library() const override
    {
        std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
        int length = 0;
        MPI_Get_library_version(text.data(), &length);
        std::string name(text.data(), static_cast<std::size_t>(length));
        name.resize(std::min(name.size(), name.find_first_of(",\n")));  // what follows is a page of build settings
        std::replace(name.begin(), name.end(), '\t', ' ');
        return name;
    }
    void sum(std::span<float> values) override { reduce(values.data(), values.size(), MPI_FLOAT, values.size_bytes()); }
    void sum(std::span<double> values) override { reduce(values.data(), values.size(), MPI_DOUBLE, values.size_bytes()); }
    void broadcast(std::span<float> values) override
    {
        m_ledger.collective("broadcast", values.size_bytes());
        MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_FLOAT, 0, MPI_COMM_WORLD);
    }
    void barrier() override
    {
        m_ledger.collective("barrier", 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    [[noreturn]] void abort(int status) override
    {
        MPI_Abort(MPI_COMM_WORLD, status);
        std::_Exit(status);
    }

private:
    void reduce(void* values, std::size_t count, MPI_Datatype type, std::size_t bytes)
    {
        m_ledger.collective("allreduce", bytes);
        MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), type, MPI_SUM, MPI_COMM_WORLD);
    }

    Ledger& m_ledger;
    int m_rank = 0, m_size = 1;
    bool m_threads = false;
};

std::unique_ptr<Communicator> startMpi(Ledger& ledger) { return std::make_unique<MpiCommunicator>(ledger); }

}  // namespace flowgauge::workloads
