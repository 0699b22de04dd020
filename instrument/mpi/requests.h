// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"
#include "instrument/mpi/communicators.h"

#include <atomic>

namespace flowgauge::mpi {

/// An operation that was begun and whose end is still to be seen. Whoever has claimed it owns it until it is released or closed.
struct Request {
    std::atomic<Word> handle;
    std::atomic<std::uint32_t> state;
    bool active;                 ///< a persistent one sleeps between its completion and its next start
    bool message;                ///< a matched message of MPI_Mprobe, not an operation
    bool cancelled;              ///< MPI_Cancel was called: it may complete without having moved anything
    Communicator* communicator;  ///< of a collective, for its next sequence number
    Event event;                 ///< as it will be recorded, but for its end
};

/// The open requests of the process: fixed size, no lock. Several may carry the same handle, since the libraries hand out one
/// shared handle for operations that were over when they began; those may be taken in any order, they are alike.
/// A thread claims a request *before* it calls Wait or Test: once the library has freed the handle, another thread may be given it.
namespace requests {

inline constexpr std::size_t capacity = 4096;

/// A free place for that handle, to be filled and then released; nullptr when the table is full.
[[nodiscard]] Request* open(Word handle);

/// Takes the open request of that handle, or nullptr: it is not one that we know.
[[nodiscard]] Request* claim(Word handle);

/// Gives a claimed request back: it is not over.
void release(Request* request);

/// The request is over and forgotten.
void close(Request* request);

/// Takes every open request, shows it, and closes it.
void closeAll(void (*show)(const Request&));

}  // namespace requests

}  // namespace flowgauge::mpi
