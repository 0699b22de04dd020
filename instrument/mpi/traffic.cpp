// SPDX-License-Identifier: MIT
#include "instrument/mpi/traffic.h"

#include <cstring>

namespace flowgauge::mpi {

namespace {

constexpr std::size_t typePlaces = 128;
constexpr unsigned sizeBits = 16;  // user addresses have 47 bits: handle and size fit into one word, which no one can tear

/// handle << 16 | size. Small sizes only: they are what predefined types have.
constinit std::array<std::atomic<Word>, typePlaces> typeCache{};

std::atomic<Word>& placeOf(Word type) { return typeCache[(type ^ (type >> 8)) % typePlaces]; }

std::uint64_t askTypeSize(const Library& library, Word type)
{
    long long wide = 0;
    if (library.call.typeSizeX != nullptr)
        return library.call.typeSizeX(type, &wide) == 0 && wide > 0 ? static_cast<std::uint64_t>(wide) : 0;
    int narrow = 0;
    if (library.call.typeSize == nullptr || library.call.typeSize(type, &narrow) != 0 || narrow < 0) return 0;
    return static_cast<std::uint64_t>(narrow);
}

/// One side of a collective, by its letters.
struct Side {
    char buffer, count, counts, type, types;
};
constexpr Side sending{'s', 'n', 'N', 't', 'T'};
constexpr Side receiving{'r', 'm', 'M', 'u', 'U'};

bool receives(Kind kind) { return kind == Kind::Scatter || kind == Kind::ReduceScatter; }
bool toEveryone(Kind kind) { return kind == Kind::Alltoall || kind == Kind::Neighbor; }
bool hasCount(const Arguments& given, const Side& side) { return given.has(side.count) || given.has(side.counts); }

/// A side that is MPI_IN_PLACE has no count of its own: the other side's holds.
const Side& sideOf(const Arguments& given)
{
    const Side& usual = receives(given.call().kind) ? receiving : sending;
    const Side& other = receives(given.call().kind) ? sending : receiving;
    return (given.inPlace(usual.buffer) || !hasCount(given, usual)) && hasCount(given, other) ? other : usual;
}

std::uint64_t positive(std::int64_t count) { return count > 0 ? static_cast<std::uint64_t>(count) : 0; }

std::uint64_t sumOf(const Arguments& given, const Side& side, std::size_t partners)
{
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < partners; ++i) {
        const std::uint64_t count = positive(given.countAt(side.counts, i));
        if (count == 0) continue;  // its type need not be a valid one
        bytes += count * typeBytes(given.library(), given.has(side.types) ? given.typeAt(side.types, i) : given.type(side.type));
    }
    return bytes;
}

/// In an intercommunicator the root passes MPI_ROOT and its fellows MPI_PROC_NULL, both negative: they neither contribute to a
/// gather nor receive from a scatter, and their fellows take no part in anything.
bool takesNoPart(const Arguments& given)
{
    if (!given.has('x')) return false;
    const int root = given.integer('x');
    if (root >= 0) return false;
    const Kind kind = given.call().kind;
    return root == given.library().abi.procNull || kind == Kind::Gather || kind == Kind::Scatter;
}

}  // namespace

std::uint64_t typeBytes(const Library& library, Word type)
{
    std::atomic<Word>& place = placeOf(type);
    const Word kept = place.load(std::memory_order_relaxed);
    if (kept >> sizeBits == type && kept != 0) return kept & ((Word{1} << sizeBits) - 1);
    const std::uint64_t bytes = askTypeSize(library, type);
    if (bytes < (Word{1} << sizeBits) && type < (Word{1} << (64 - sizeBits)))
        place.store(type << sizeBits | bytes, std::memory_order_relaxed);
    return bytes;
}

void forgetType(Word type)
{
    std::atomic<Word>& place = placeOf(type);
    if (place.load(std::memory_order_relaxed) >> sizeBits == type) place.store(0, std::memory_order_relaxed);
}

std::uint64_t bufferBytes(const Arguments& given, char countLetter)
{
    const char typeLetter = countLetter == 'n' ? 't' : 'u';
    if (!given.has(countLetter)) return 0;
    const std::uint64_t count = positive(given.count(countLetter));
    return count == 0 ? 0 : count * typeBytes(given.library(), given.type(typeLetter));
}

std::uint64_t collectiveBytes(const Arguments& given, const Communicator* communicator)
{
    const Side& side = sideOf(given);
    if (!hasCount(given, side) || takesNoPart(given)) return 0;
    const Kind kind = given.call().kind;
    const std::size_t partners = communicator == nullptr ? 0 : kind == Kind::Neighbor ? communicator->outdegree : communicator->peers;
    if (given.has(side.count)) return bufferBytes(given, side.count) * (toEveryone(kind) ? partners : 1);
    if (toEveryone(kind)) return sumOf(given, side, partners);
    if (communicator == nullptr || communicator->rank < 0) return 0;
    return positive(given.countAt(side.counts, static_cast<std::size_t>(communicator->rank))) *
           typeBytes(given.library(), given.type(side.type));
}

Received readStatus(const Library& library, const char* status, bool mayBeCancelled)
{
    Received received{0, -1, 0, false, false};
    int flag = 0;
    if (mayBeCancelled && library.call.testCancelled != nullptr && library.call.testCancelled(status, &flag) == 0 && flag != 0) {
        received.known = received.cancelled = true;
        return received;
    }
    long long bytes = -1;
    if (library.call.getElements == nullptr || library.call.getElements(status, library.abi.byte, &bytes) != 0 || bytes < 0)
        return received;
    std::memcpy(&received.source, status + library.abi.sourceOffset, sizeof(int));
    std::memcpy(&received.tag, status + library.abi.sourceOffset + sizeof(int), sizeof(int));
    received.bytes = static_cast<std::uint64_t>(bytes);
    received.known = true;
    return received;
}

std::int64_t peerOf(const Abi& abi, int rank) { return rank == abi.anySource || rank == abi.procNull || rank < 0 ? -1 : rank; }

}  // namespace flowgauge::mpi
