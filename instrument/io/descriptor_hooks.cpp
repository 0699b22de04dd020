// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

#include <cstdarg>

namespace flowgauge::io {
namespace {

template <typename Real>
int duplicated(int fd, Real real)
{
    const int copy = real();
    if (copy < 0 || copy == fd) return copy;
    tell(&DescriptorWatch::duplicated, fd, copy);
    if (watching() && !inVforkChild()) table::duplicated(fd, copy);
    return copy;
}

/// What the number stood for is closed by the call: the table lets go of it first.
template <typename Real>
int duplicatedTo(int fd, int copy, Real real)
{
    if (fd != copy) tell(&DescriptorWatch::closing, copy);
    if (fd != copy && watching() && !inVforkChild()) table::forget(copy);
    return duplicated(fd, real);
}

template <typename Real>
auto sought(int fd, Real real)
{
    const auto position = real();
    if (watching()) noteSeek(table::cached(fd), position);
    return position;
}

template <typename Function>
int controlled(Function function, int fd, int command, void* argument)
{
    const auto call = [&] { return function(fd, command, argument); };
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, call) : call();
}

}  // namespace
}  // namespace flowgauge::io

namespace io = flowgauge::io;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT int dup(int fd) noexcept
{
    return io::duplicated(fd, [&] { return real::dup.get()(fd); });
}

FLOWGAUGE_EXPORT int dup2(int fd, int copy) noexcept
{
    return io::duplicatedTo(fd, copy, [&] { return real::dup2.get()(fd, copy); });
}

FLOWGAUGE_EXPORT int dup3(int fd, int copy, int flags) noexcept
{
    return io::duplicatedTo(fd, copy, [&] { return real::dup3.get()(fd, copy, flags); });
}

/// Whatever the third argument is (a number, a pointer, nothing), it travels in one register and is handed on as it came.
FLOWGAUGE_EXPORT int fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    return io::controlled(real::fcntl.get(), fd, command, argument);
}

FLOWGAUGE_EXPORT int fcntl64(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    return io::controlled(real::fcntl64.get(), fd, command, argument);
}

FLOWGAUGE_EXPORT off_t lseek(int fd, off_t offset, int whence) noexcept
{
    return io::sought(fd, [&] { return real::lseek.get()(fd, offset, whence); });
}

FLOWGAUGE_EXPORT off64_t lseek64(int fd, off64_t offset, int whence) noexcept
{
    return io::sought(fd, [&] { return real::lseek64.get()(fd, offset, whence); });
}

}  // extern "C"
