// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

namespace flowgauge::sample {

/// How it is found out which pages of a file lie in memory.
enum class LookMethod : std::uint8_t { None, Cachestat, Mincore };

/// What of a file lay in the page cache.
struct FileLook {
    LookMethod method = LookMethod::None;
    std::string_view why;       ///< of None: why it is not known. Lives forever
    double bytes = 0;           ///< the file's
    double resident = 0;        ///< of them, in memory
    double piecesVariance = 0;  ///< of `resident`, where only pieces of a large file were looked at
};

/// Which ways may be gone. cachestat(2) sees nothing of a file on overlayfs, whose pages belong to the file below: 0 of 245 pages where
/// mincore(2) saw all (6.18). Tests shut one to try the other.
struct LookRules {
    bool cachestat = true;
    bool mincore = true;
};

/// What an open file must be, so that nobody looks at another one under its name. inode 0: any.
struct FileNumbers {
    std::uint64_t device = 0, inode = 0;
};

/// Looks at an open regular file by cachestat (Linux 6.5 and later), else by mincore where that tells the truth: to who neither owns
/// a file nor may write it mincore says that all of it is in memory (mm/mincore.c), so it is not asked then. Files of more than 64 MiB are
/// looked at in pieces spread over them, others other ones by `turn`. Touches no page, reads nothing. May wait for a file server that does
/// not answer, which asks for the right to write it.
[[nodiscard]] FileLook lookAt(int fd, const FileNumbers& expected, const LookRules& rules, std::uint64_t turn);

}  // namespace flowgauge::sample
