// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/sys_root.h"

#include <cstdint>
#include <string_view>

namespace flowgauge::sample {

/// What may be done with a file on a mount: opening one to look at it is no matter of course.
struct MountRules {
    bool cachestat = true;
    bool network = false;  ///< a server answers: fewer files are looked at, and it may keep whoever asks waiting
    std::string_view why;  ///< not empty: its files are left alone. Lives forever
};

/// The rules of the mount that a file lies on: by its device, else (btrfs and overlayfs show others) by the longest mount point that its
/// path begins with. mountInfo: the text of /proc/self/mountinfo.
[[nodiscard]] MountRules rulesOf(std::string_view mountInfo, std::uint64_t device, std::string_view path);

}  // namespace flowgauge::sample
