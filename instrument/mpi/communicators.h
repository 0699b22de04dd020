// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/mpi/library.h"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace flowgauge::mpi {

/// What we know about a communicator. Its place is reused after MPI_Comm_free; the id is not.
struct Communicator {
    std::atomic<Word> key;  ///< the handle; 0 free, with the top bit while it is being filled
    std::uint64_t id;       ///< equal on all its ranks, made without a message
    std::uint64_t members;  ///< hash of the world ranks of its group(s), in any order
    std::int64_t rank;
    std::uint32_t size;                   ///< of the local group
    std::uint32_t peers;                  ///< ranks that a collective talks to: the remote group's where there is one
    std::uint32_t outdegree;              ///< neighbours it sends to, where it has a topology
    std::atomic<std::uint64_t> sequence;  ///< collectives so far
    std::atomic<std::uint64_t> children;  ///< communicators made from it so far
};

/// The communicators and windows of this process. An id is the hash of (members, parent's id, how many communicators the parent had
/// made before): making one is collective over the parent and so happens in the same order on all ranks, also when threads make
/// others from the same group meanwhile. One whose making we did not see counts among those of the same members instead.
namespace communicators {

/// The communicator of a handle that the library has just accepted; asks the library when it is new. nullptr when the table is full.
[[nodiscard]] Communicator* find(const Library& library, Word handle);

/// As find, but asks nobody: for handles that the library has refused.
[[nodiscard]] Communicator* findKnown(Word handle);

/// A copy of the parent (same members, rank, size, topology), made by MPI_Comm_dup or MPI_Comm_idup.
void addCopy(const Library& library, Word parent, Word handle);

/// A communicator made by a call that is collective over the parent. A handle of 0 or MPI_COMM_NULL is counted all the same.
/// Returns nullptr when there is none.
Communicator* addChild(const Library& library, Word parent, Word handle);

/// Takes a name and records it.
void rename(const Library& library, Word handle, std::string_view name);

/// The handle is no communicator any more.
void forget(Word handle);

/// Windows: which communicator they were opened on.
void openWindow(Word window, Word communicator);
[[nodiscard]] Word communicatorOfWindow(Word window);  ///< 0: unknown
void closeWindow(Word window);

/// Forgets everything; for tests.
void clear();

}  // namespace communicators

}  // namespace flowgauge::mpi
