// SPDX-License-Identifier: MIT
#include <mpi.h>
#include <array>
#include <thread>
#include "workloads/allreduce/node_link.h"

namespace flowgauge::workloads::allreduce {
namespace {

class MpiLink final : public NodeLink {
public:
    MpiLink()
    {
        MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
        MPI_Comm_size(MPI_COMM_WORLD, &m_size);
    }
    [[nodiscard]] std::size_t node() const override { return static_cast<std::size_t>(m_rank); }
    [[nodiscard]] std::size_t nodes() const override { return static_cast<std::size_t>(m_size); }
    [[nodiscard]] bool shift(std::span<const float> toNext, std::span<float> fromPrevious, int tag, bool (*stop)(const void*),
                             const void* argument) override
    {
        std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        const int next = (m_rank + 1) % m_size, previous = (m_rank + m_size - 1) % m_size;
        if (!fromPrevious.empty())
            MPI_Irecv(fromPrevious.data(), static_cast<int>(fromPrevious.size()), MPI_FLOAT, previous, tag, MPI_COMM_WORLD, &requests[0]);
        if (!toNext.empty()) MPI_Isend(toNext.data(), static_cast<int>(toNext.size()), MPI_FLOAT, next, tag, MPI_COMM_WORLD, &requests[1]);
        for (int done = 0;;) {
            MPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE);
            if (done != 0) return true;
            if (stop(argument)) return false;
            std::this_thread::yield();
        }
    }

private:
    int m_rank = 0, m_size = 1;
};

}  // namespace

std::unique_ptr<NodeLink> mpiLink() { return std::make_unique<MpiLink>(); }

}  // namespace flowgauge::workloads::allreduce
