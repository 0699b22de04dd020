// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/recorder.h"
#include "instrument/socket/socket_table.h"

/// How a connection is read and told of: by the thread on its beat, and by whoever ends it.
namespace flowgauge::sockets {

namespace detail {
extern constinit std::atomic<bool> on;  ///< false in processes that are not recorded
}
[[nodiscard]] inline bool watching() { return detail::on.load(std::memory_order_relaxed) && buffer::enabled(); }

/// True once the process has files: what is told then starts nothing.
[[nodiscard]] inline bool recording() { return *buffer::spoolPath() != '\0'; }

/// True in a child of vfork, which borrows its parent's memory and has descriptors of its own.
[[nodiscard]] bool inVforkChild();
void rememberProcess();

enum class Moment : std::uint8_t {
    Beat,  ///< bytes that wait to be sent are not counted
    Last,  ///< they are: the kernel sends them without the program
};
/// Reads the connection and records what is news. False when the number is no connection any more.
bool tell(int fd, Slot& slot, Word word, Moment moment);
/// Of a connection that the thread came upon before the hook that made it could say so: a reading of nothing, which tells that all it
/// moves was moved while somebody looked.
void tellOfBegin(int fd, Ticks since);

/// What connections moved that ended before the process recorded anything, too little to begin for.
struct Unrecorded {
    std::atomic<std::uint64_t> connections{0}, bytes{0};
};
extern constinit Unrecorded unrecorded;

/// Of the thread (socket_thread.cpp). ensureThread: starts it when the process records and it is not there.
void setPeriod(std::uint32_t periodMs);
void ensureThread();
void forgetThread();

}  // namespace flowgauge::sockets
