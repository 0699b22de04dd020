// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/kind.h"
#include "collector/record/time.h"

#include <array>
#include <cstdint>
#include <type_traits>

namespace flowgauge {

/// Bits of Event::flags. The low byte says how it was called, the high byte what the source is.
enum EventFlag : std::uint16_t {
    flagNonblocking = 0x0001,  ///< the operation was started by one call and completed by another
    flagPersistent = 0x0002,   ///< started by MPI_Start(all)
    flagStdio = 0x0004,        ///< through FILE*: the C library may have read more, or nothing, from the kernel
    flagVector = 0x0008,       ///< readv and its kin: one event, several buffers
    flagPositional = 0x0010,   ///< pread and its kin: the file position did not move
    flagIncomplete = 0x0020,   ///< the end was never seen; end is the last moment known
    flagFailed = 0x0040,       ///< the call returned an error
    flagMpi = 0x0100,
    flagNccl = 0x0200,
};

/// One thing that happened. The only shape that crosses hook, buffer and spool; one cache line.
/// The four arguments mean what the kind's row in kinds.def says; only the makers (makers.h) fill them.
struct alignas(64) Event {
    Ticks begin;
    Ticks end;             ///< equal to begin for an instant
    std::uint64_t link;    ///< ties a launch to its GPU work, a request to its completion; 0 stands alone
    std::uint32_t thread;  ///< kernel thread id; the recorder fills it
    Kind kind;
    std::uint16_t flags;
    std::array<std::uint64_t, 4> arg;
};
static_assert(sizeof(Event) == 64 && std::is_trivially_copyable_v<Event>);

/// What a text that was given a key is: decides the table it lands in.
enum class NameClass : std::uint8_t { File, Phase, Source, Communicator, Thread, Other, Kernel };  // a kernel's is mangled

/// Key of a text within one process: never 0 for a text that exists.
using NameKey = std::uint64_t;

}  // namespace flowgauge
