// SPDX-License-Identifier: MIT
#pragma once
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/// System calls that never pass through the symbols we interpose, and never touch the caller's errno. Whatever the injected
/// rooms do for themselves goes this way; a failure is the negative error number, as the kernel returns it.
namespace flowgauge::raw {

/// Keeps the foreign program's errno across a piece of our own work.
class KeepErrno {
public:
    KeepErrno() : m_saved(errno) {}
    ~KeepErrno() { errno = m_saved; }
    KeepErrno(const KeepErrno&) = delete;
    KeepErrno& operator=(const KeepErrno&) = delete;

private:
    int m_saved;
};

template <typename... Arguments>
long call(long number, Arguments... arguments)
{
    const KeepErrno keep;
    const long result = ::syscall(number, arguments...);
    return result == -1 ? -static_cast<long>(errno) : result;
}

inline int open(const char* path, int flags, mode_t mode = 0)
{
    return static_cast<int>(call(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode));
}
inline int close(int fd) { return static_cast<int>(call(SYS_close, fd)); }
inline ssize_t read(int fd, void* into, std::size_t bytes) { return call(SYS_read, fd, into, bytes); }
inline ssize_t pread(int fd, void* into, std::size_t bytes, off_t at) { return call(SYS_pread64, fd, into, bytes, at); }
inline ssize_t write(int fd, const void* from, std::size_t bytes) { return call(SYS_write, fd, from, bytes); }
inline ssize_t pwrite(int fd, const void* from, std::size_t bytes, off_t at) { return call(SYS_pwrite64, fd, from, bytes, at); }
inline int mkdir(const char* path, mode_t mode) { return static_cast<int>(call(SYS_mkdirat, AT_FDCWD, path, mode)); }
/// Reserves blocks, so that neither a store into a mapping nor a write can meet a full disk. -EOPNOTSUPP where the file system cannot.
inline int allocate(int fd, off_t at, off_t bytes) { return static_cast<int>(call(SYS_fallocate, fd, 0, at, bytes)); }
/// Length of the text, without a terminating zero, or an error number.
inline ssize_t readlink(const char* path, char* into, std::size_t size) { return call(SYS_readlinkat, AT_FDCWD, path, into, size); }

/// nullptr when it fails.
inline void* map(std::size_t bytes, int protection, int flags, int fd, off_t at)
{
    const long result = call(SYS_mmap, nullptr, bytes, protection, flags, fd, at);
    return result < 0 && result > -4096 ? nullptr : reinterpret_cast<void*>(result);
}
inline int unmap(void* at, std::size_t bytes) { return static_cast<int>(call(SYS_munmap, at, bytes)); }

[[nodiscard]] inline int threadId() { return static_cast<int>(call(SYS_gettid)); }
[[nodiscard]] inline int processId() { return static_cast<int>(call(SYS_getpid)); }

}  // namespace flowgauge::raw
