// SPDX-License-Identifier: MIT
#include "collector/buffer/descriptor.h"

#include "collector/record/raw.h"

#include <sched.h>
#include <sys/stat.h>

#ifndef SYS_close_range
#define SYS_close_range 436  // Linux 5.9; the same number on all architectures
#endif

namespace flowgauge::buffer {
namespace {

constexpr unsigned closeRangeUnshare = 1U << 1;
constexpr unsigned lastDescriptor = ~0U;
/// Above what programs commonly look at, below the usual soft limit of 256 on other systems and 1,024 on Linux.
constexpr int firstHigh = 200;
/// Without close_range the copies are closed one by one, up to the soft limit of all but the oddest programs.
constexpr int mostClosed = 65536;

constinit thread_local bool ownTable = false;

void closeAll()
{
    if (raw::call(SYS_close_range, 0U, lastDescriptor, 0U) == 0) return;
    for (int fd = 0; fd < mostClosed; ++fd) raw::close(fd);
}

}  // namespace

int moveHigh(int fd)
{
    const long high = raw::call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, firstHigh);
    if (high < 0) return fd;
    raw::close(fd);
    return static_cast<int>(high);
}

bool identify(int fd, FileIdentity& into)
{
    struct stat status = {};
    if (raw::call(SYS_newfstatat, fd, "", &status, AT_EMPTY_PATH) != 0) return false;
    into = {status.st_dev, status.st_ino};
    return true;
}

bool isFile(int fd, const FileIdentity& file)
{
    FileIdentity found{};
    return identify(fd, found) && found.device == file.device && found.inode == file.inode;
}

bool ownDescriptorTable()
{
    // One call that copies nothing it would close again; before Linux 5.9 a copy is made and emptied.
    if (raw::call(SYS_close_range, 0U, lastDescriptor, closeRangeUnshare) == 0) return ownTable = true;
    if (raw::call(SYS_unshare, CLONE_FILES) != 0) return false;
    closeAll();
    return ownTable = true;
}

bool hasOwnTable() { return ownTable; }

}  // namespace flowgauge::buffer
