// SPDX-License-Identifier: MIT
#include "analyzer/mpi/peers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include <mpi.h>

namespace flowgauge::mpi {
namespace {

constexpr int root = 0;
constexpr int tag = 1;
/// A count of MPI is an int; pieces of a power of two far below it.
constexpr std::size_t largestPiece = std::size_t{1} << 28U;

std::size_t pieceOf(std::size_t left) { return std::min(left, largestPiece); }

/// Made by all at once, in the constructor of Peers.
MPI_Comm hostOnly()
{
    static const MPI_Comm comm = [] {
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
        return made;
    }();
    return comm;
}

std::string broadcast(std::string text, int from, MPI_Comm among)
{
    std::uint64_t length = text.size();
    MPI_Bcast(&length, 1, MPI_UINT64_T, from, among);
    text.resize(length);
    for (std::span<char> left(text); !left.empty(); left = left.subspan(pieceOf(left.size())))
        MPI_Bcast(left.data(), static_cast<int>(pieceOf(left.size())), MPI_CHAR, from, among);
    return text;
}

}  // namespace

Peers::Peers(int* count, char*** arguments)
{
    MPI_Init(count, arguments);
    int number = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    m_number = static_cast<std::size_t>(number);
    m_size = static_cast<std::size_t>(size);
    MPI_Comm_rank(hostOnly(), &number);
    m_numberOnHost = static_cast<std::size_t>(number);
}

Peers::~Peers() { MPI_Finalize(); }

std::string Peers::fromRoot(std::string text) const { return broadcast(std::move(text), root, MPI_COMM_WORLD); }

std::string Peers::fromFirstOfHost(std::string text) const { return broadcast(std::move(text), root, hostOnly()); }

std::vector<std::string> Peers::everybodys(const std::string& text) const
{
    std::vector<std::string> all(m_size);
    for (std::size_t from = 0; from < m_size; ++from)
        all[from] = broadcast(from == m_number ? text : "", static_cast<int>(from), MPI_COMM_WORLD);
    return all;
}

facts::Agreement Peers::agree(const facts::Agreement& known) const
{
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    const bool any = known.recorded != Interval{};
    // The least of each: a begin as it is, an end and what is true negated.
    std::array<std::int64_t, 4> least{-std::int64_t{known.epochsMarked}, -std::int64_t{known.threadsMarked},
                                      any ? known.recorded.begin : never, any ? -known.recorded.end : never};
    MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    return {least[0] != 0, least[1] != 0, least[2] == never ? Interval{} : Interval{least[2], -least[3]}};
}

void Peers::send(std::span<const std::byte> bytes) const
{
    std::uint64_t length = bytes.size();
    MPI_Send(&length, 1, MPI_UINT64_T, root, tag, MPI_COMM_WORLD);
    for (; !bytes.empty(); bytes = bytes.subspan(pieceOf(bytes.size())))
        MPI_Send(bytes.data(), static_cast<int>(pieceOf(bytes.size())), MPI_BYTE, root, tag, MPI_COMM_WORLD);
}

std::vector<std::byte> Peers::receive(std::size_t from) const
{
    std::uint64_t length = 0;
    const int source = static_cast<int>(from);
    MPI_Recv(&length, 1, MPI_UINT64_T, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<std::byte> bytes(length);
    for (std::span<std::byte> left(bytes); !left.empty(); left = left.subspan(pieceOf(left.size())))
        MPI_Recv(left.data(), static_cast<int>(pieceOf(left.size())), MPI_BYTE, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return bytes;
}

std::vector<Effort> Peers::gather(const Effort& own) const
{
    std::vector<Effort> all(isRoot() ? m_size : 0);
    MPI_Gather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, root, MPI_COMM_WORLD);
    return all;
}

void Peers::giveUp(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
}

}  // namespace flowgauge::mpi
