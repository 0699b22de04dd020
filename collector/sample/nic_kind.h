// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/sys_root.h"

namespace flowgauge::sample {

/// What a network interface is, as far as /sys tells: whose bytes it shows once more must be known before any are added up.
enum class NicKind : unsigned char {
    Hardware,     ///< a port or a function of an adapter
    Function,     ///< a virtual function (SR-IOV): the port's own interface does not show its traffic
    Representor,  ///< of a virtual function, in the host: its traffic once more
    Loopback,
    Bond,    ///< shows what its slaves show
    Bridge,  ///< shows what its ports show
    Vlan,    ///< shows a part of what the interface below shows
    Pair,    ///< veth, macvlan and their like: on top of another interface, or the other end of one
    Virtual  ///< made by software, or /sys does not show it
};

[[nodiscard]] NicKind nicKind(const SysRoot& root, std::string_view name);
/// A few words for the ledger; they live forever.
[[nodiscard]] std::string_view nicKindText(NicKind kind);

}  // namespace flowgauge::sample
