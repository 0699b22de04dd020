// SPDX-License-Identifier: MIT
#pragma once
#include "collector/remote/umad.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>

/// A STAND-IN for libibumad, the kernel behind it and the performance agents behind that: for what the fabric simulator (ibsim) cannot
/// play.
namespace flowgauge::stand_in {

/// One node's agent.
struct Agent {
    std::uint16_t capabilityMask = 0;
    std::uint32_t secondMask = 0;
    bool silent = false;       ///< it never answers
    bool gone = false;         ///< the kernel gives up on it: the request comes back with ETIMEDOUT
    bool late = false;         ///< an answer to an older question comes first
    std::uint16_t status = 0;  ///< of its answers' common header
    /// By attribute and place in it: numbers of so many bytes.
    std::map<std::pair<int, std::size_t>, std::pair<std::size_t, std::uint64_t>> numbers;
};

struct Fabric {
    int openResult = 0, openErrno = 0, enlistResult = 0, sendResult = 0;
    std::map<int, Agent> agents;  ///< by LID
    int opened = 0, closed = 0;
    int asked = 0;
    bool onlyReads = true;  ///< false once anything but a Get was asked
};
Fabric& fabric();

/// Its functions, as the library's.
remote::Umad umad();

}  // namespace flowgauge::stand_in
