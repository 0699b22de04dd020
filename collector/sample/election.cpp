// SPDX-License-Identifier: MIT
#include "collector/sample/election.h"

#include "collector/record/raw.h"
#include "collector/sample/sys_root.h"

namespace flowgauge::sample {

namespace {

int openLockFile(std::string_view folder)
{
    Path path(folder);
    path.add("/sampler.lock");
    const int low = path.fits() ? raw::open(path.text(), O_RDWR | O_CREAT, 0600) : -1;
    return low < 0 ? low : buffer::moveHigh(low);
}

struct flock wholeFile()
{
    struct flock wish = {};
    wish.l_type = F_WRLCK;
    wish.l_whence = SEEK_SET;
    return wish;
}

}  // namespace

bool Election::isTaken(std::string_view folder)
{
    const int fd = openLockFile(folder);
    if (fd < 0) return true;
    struct flock wish = wholeFile();
    const bool taken = raw::call(SYS_fcntl, fd, F_GETLK, &wish) != 0 || wish.l_type != F_UNLCK;
    raw::close(fd);
    return taken;
}

bool Election::tryWin(std::string_view folder)
{
    if (m_fd >= 0) return true;
    const int fd = openLockFile(folder);
    if (fd < 0) return false;
    const struct flock wish = wholeFile();
    if (raw::call(SYS_fcntl, fd, F_SETLK, &wish) == 0 && buffer::identify(fd, m_file)) {
        m_fd = fd;
        return true;
    }
    raw::close(fd);
    return false;
}

bool Election::stillHeld() const { return m_fd >= 0 && buffer::isFile(m_fd, m_file); }

void Election::giveUp()
{
    if (stillHeld()) raw::close(m_fd);
    m_fd = -1;
}

}  // namespace flowgauge::sample
