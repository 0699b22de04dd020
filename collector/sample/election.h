// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/descriptor.h"

#include <string_view>

namespace flowgauge::sample {

/// One process of a host holds the lock of the file "sampler.lock" in the spool folder. It is a POSIX record lock: the
/// kernel releases it when the thread that took it, or its process, ends in whatever way, and a forked child does not
/// inherit it (a lock of the open file, flock or OFD, would live on in children that only have the descriptor). It belongs
/// to the descriptor table of the thread that took it: only threads with that table may ask and give up.
class Election {
public:
    constexpr Election() = default;
    /// True when somebody else holds the lock, or nobody can. For threads that do not want it themselves.
    [[nodiscard]] static bool isTaken(std::string_view folder);
    /// True when this process holds the lock now. No waiting; a few system calls.
    bool tryWin(std::string_view folder);
    /// False when the program has closed our descriptor, and with it the lock.
    [[nodiscard]] bool stillHeld() const;
    void giveUp();

private:
    int m_fd = -1;
    buffer::FileIdentity m_file{};
};

}  // namespace flowgauge::sample
