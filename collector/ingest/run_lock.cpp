// SPDX-License-Identifier: MIT
#include "collector/ingest/run_lock.h"

#include "collector/ingest/liveness.h"
#include "collector/record/error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <string>

namespace flowgauge::ingest {
namespace {

/// The lock file's one line: "<host> <boot id> <pid>".
struct Holder {
    std::string host, boot;
    long pid = 0;
};

Holder readHolder(int fd)
{
    std::array<char, 512> text{};
    Holder holder;
    if (::pread(fd, text.data(), text.size() - 1, 0) > 0) std::istringstream(text.data()) >> holder.host >> holder.boot >> holder.pid;
    return holder;
}

/// True when the file was removed by its last holder between our open and our lock.
bool isRemoved(int fd)
{
    struct stat status = {};
    return ::fstat(fd, &status) != 0 || status.st_nlink == 0;
}

int openLocked(const std::filesystem::path& file)
{
    for (;;) {
        const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) throw Error(file.native(), "cannot be written: ", std::strerror(errno));
        // A file system without locks (ENOLCK, ENOTSUP) leaves the line in the file as the only guard.
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            const Holder holder = readHolder(fd);
            ::close(fd);
            throw Error(file.native(), "process ", holder.pid, " on ", holder.host,
                        " is writing this run's database; wait until it is done");
        }
        if (!isRemoved(fd)) return fd;
        ::close(fd);
    }
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& run) : m_file(run / "run.lock"), m_fd(openLocked(m_file))
{
    const Holder holder = readHolder(m_fd);
    if (!holder.host.empty() && holder.host != hostName()) {
        ::close(m_fd);
        throw Error(m_file.native(), "host ", holder.host, " (process ", holder.pid, ") is writing this run's database, this is ",
                    hostName(), "; a run is written by one host. If that host is gone, remove this file");
    }
    const std::string boot = bootId();
    const std::string line = hostName() + ' ' + (boot.empty() ? "-" : boot) + ' ' + std::to_string(::getpid()) + '\n';
    if (::ftruncate(m_fd, 0) != 0 || ::pwrite(m_fd, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size())) {
        const int problem = errno;
        ::close(m_fd);
        throw Error(m_file.native(), "cannot be written: ", std::strerror(problem));
    }
}

RunLock::~RunLock()
{
    ::unlink(m_file.c_str());
    ::close(m_fd);
}

}  // namespace flowgauge::ingest
