// SPDX-License-Identifier: MIT
#include "collector/sample/data_mounts.h"

#include "collector/sample/mountstats.h"

#include <sys/sysmacros.h>

namespace flowgauge::sample {
namespace {

struct TypeRow {
    std::string_view type;  ///< '*' at its end stands for anything
    MountRules rules;
};

/// Types without a row are local: an open is a few microseconds, and pages lie in the page cache.
constexpr std::array typeRows{
    // Their waits end when the process does (TASK_KILLABLE), so that a thread that hangs there keeps nobody from ending.
    TypeRow{"nfs", {true, true, {}}},
    TypeRow{"nfs4", {true, true, {}}},
    TypeRow{"ceph", {true, true, {}}},
    TypeRow{"cifs", {true, true, {}}},
    TypeRow{"smb3", {true, true, {}}},
    TypeRow{"9p", {true, true, {}}},
    TypeRow{"overlay", {false, false, {}}},
    TypeRow{"fuse*", {true, true, "on FUSE, an open may throw the file's pages away (FOPEN_KEEP_CACHE)"}},
    TypeRow{"virtiofs", {true, true, "on virtiofs, an open may throw the file's pages away (FOPEN_KEEP_CACHE)"}},
    TypeRow{"gpfs", {true, true, "GPFS keeps data in a pool of its own"}},
    TypeRow{"zfs", {true, false, "ZFS keeps data in a cache of its own (ARC)"}},
    TypeRow{"lustre", {true, true, "a thread that asks a Lustre that does not answer may not be ended"}},
    TypeRow{"beegfs", {true, true, "a thread that asks a BeeGFS that does not answer may not be ended"}},
    TypeRow{"wekafs", {true, true, "WEKA keeps data in a cache of its own"}},
};

MountRules rulesOfType(std::string_view type)
{
    for (const TypeRow& row : typeRows) {
        const std::size_t star = row.type.find('*');
        if (star == std::string_view::npos ? row.type == type : startsWith(type, upTo(row.type, star))) return row.rules;
    }
    return {};
}

/// "8:1" of a device's number.
std::string_view superblockOf(std::uint64_t device, std::array<char, 48>& into)
{
    std::array<char, 20> digits;
    std::size_t length = 0;
    const auto add = [&](std::string_view piece) {
        for (const char letter : piece) into[length++] = letter;
    };
    add(decimal(major(device), digits));
    add(":");
    add(decimal(minor(device), digits));
    return {into.data(), length};
}

bool liesUnder(std::string_view path, std::string_view folder)
{
    if (!startsWith(path, folder)) return false;
    return path.size() == folder.size() || folder == "/" || path[folder.size()] == '/';
}

}  // namespace

MountRules rulesOf(std::string_view mountInfo, std::uint64_t device, std::string_view path)
{
    std::array<char, 48> text;
    const std::string_view superblock = superblockOf(device, text);
    MountInfoLines mounts(mountInfo);
    MountRules byPath;
    std::size_t longest = 0;
    for (MountInfo mount; mounts.next(mount);) {
        if (mount.superblock == superblock) return rulesOfType(mount.type);
        std::array<char, 1024> decoded;
        const std::string_view folder(decoded.data(), decodeOctal(mount.path, decoded.data(), decoded.size()));
        if (folder.size() < longest || !liesUnder(path, folder)) continue;  // of two mounts on one folder the later one covers the other
        longest = folder.size();
        byPath = rulesOfType(mount.type);
    }
    return byPath;
}

}  // namespace flowgauge::sample
