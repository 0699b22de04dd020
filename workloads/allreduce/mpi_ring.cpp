// SPDX-License-Identifier: MIT
#include <mpi.h>
#include <mutex>
#include "workloads/allreduce/ring_link.h"

namespace flowgauge::workloads::allreduce {
namespace {

/// The first and the last group of a process have a thread each that talks to MPI, which asks for one at a time.
std::mutex& oneAtATime()
{
    static std::mutex mutex;
    return mutex;
}

/// To one rank, or from one.
class MpiChannel final : public Channel {
public:
    explicit MpiChannel(int partner) : m_partner(partner) {}
    void send(std::span<const float> values, int tag) override
    {
        const std::lock_guard lock(oneAtATime());
        MPI_Isend(values.data(), static_cast<int>(values.size()), MPI_FLOAT, m_partner, tag, MPI_COMM_WORLD, &m_request);
    }
    [[nodiscard]] bool sent() override { return done(); }
    void receive(std::span<float> into, int tag) override
    {
        const std::lock_guard lock(oneAtATime());
        MPI_Irecv(into.data(), static_cast<int>(into.size()), MPI_FLOAT, m_partner, tag, MPI_COMM_WORLD, &m_request);
    }
    [[nodiscard]] bool received() override { return done(); }

private:
    [[nodiscard]] bool done()
    {
        const std::lock_guard lock(oneAtATime());
        int is = 0;
        MPI_Test(&m_request, &is, MPI_STATUS_IGNORE);
        return is != 0;
    }
    int m_partner;
    MPI_Request m_request = MPI_REQUEST_NULL;
};

}  // namespace

std::vector<RingLink> ringOverMpi(std::size_t groupsOfRank)
{
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1) return ringInMemory(groupsOfRank);
    const auto number = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(ranks);
    std::vector<RingLink> links = stretchInMemory(number * groupsOfRank, groupsOfRank, all * groupsOfRank);
    links.front().fromPrevious = std::make_shared<MpiChannel>((rank + ranks - 1) % ranks);
    links.back().toNext = std::make_shared<MpiChannel>((rank + 1) % ranks);
    return links;
}

}  // namespace flowgauge::workloads::allreduce
