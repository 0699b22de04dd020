// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"
#include "instrument/mpi/call.h"
#include "instrument/mpi/communicators.h"

namespace flowgauge::mpi {

/// Bytes of one element of a type, from a cache that forgetType keeps true.
[[nodiscard]] std::uint64_t typeBytes(const Library& library, Word type);

/// The type was freed: its handle may come back as another type.
void forgetType(Word type);

/// Bytes of a collective by the sentence of its kind in kinds.def. `communicator` may be nullptr (its table was full): then
/// what needs a rank or a size is 0.
[[nodiscard]] std::uint64_t collectiveBytes(const Arguments& given, const Communicator* communicator);

/// count x type size of the side that a send or receive moves; `countLetter` is n or m.
[[nodiscard]] std::uint64_t bufferBytes(const Arguments& given, char countLetter);

/// What a status says about a receive.
struct Received {
    std::uint64_t bytes;
    int source, tag;
    bool known;      ///< false: nothing could be read from it
    bool cancelled;  ///< the operation was cancelled and moved nothing
};
[[nodiscard]] Received readStatus(const Library& library, const char* status, bool mayBeCancelled);

/// What a send, receive or one-sided event says.
[[nodiscard]] inline PointToPoint pointToPointOf(const Event& event)
{
    return {event.arg[0], event.arg[1], static_cast<std::int64_t>(event.arg[2]), static_cast<std::int64_t>(event.arg[3])};
}

/// A rank argument as it is recorded: -1 for any source and for no process.
[[nodiscard]] std::int64_t peerOf(const Abi& abi, int rank);

}  // namespace flowgauge::mpi
