// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

#include <cstdarg>

namespace flowgauge::io {
namespace {

/// The mode stands in the call only when a file may be made; reading it otherwise would read whatever lies there.
bool carriesMode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

template <typename Real>
int opened(const char* path, int flags, Real real)
{
    if (!watching()) return real();
    const Ticks begin = now();
    const int fd = real();
    noteOpen({begin, now()}, path, flags, fd);
    return fd;
}

}  // namespace
}  // namespace flowgauge::io

using flowgauge::io::carriesMode;
using flowgauge::io::opened;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT int open(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = carriesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, [&] { return real::open.get()(path, flags, mode); });
}

FLOWGAUGE_EXPORT int open64(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = carriesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, [&] { return real::open64.get()(path, flags, mode); });
}

FLOWGAUGE_EXPORT int openat(int folder, const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = carriesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, [&] { return real::openat.get()(folder, path, flags, mode); });
}

FLOWGAUGE_EXPORT int openat64(int folder, const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = carriesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, [&] { return real::openat64.get()(folder, path, flags, mode); });
}

FLOWGAUGE_EXPORT int creat(const char* path, mode_t mode)
{
    return opened(path, O_CREAT | O_WRONLY | O_TRUNC, [&] { return real::creat.get()(path, mode); });
}

FLOWGAUGE_EXPORT int creat64(const char* path, mode_t mode)
{
    return opened(path, O_CREAT | O_WRONLY | O_TRUNC, [&] { return real::creat64.get()(path, mode); });
}

FLOWGAUGE_EXPORT int __open_2(const char* path, int flags)
{
    return opened(path, flags, [&] { return real::__open_2.get()(path, flags); });
}

FLOWGAUGE_EXPORT int __open64_2(const char* path, int flags)
{
    return opened(path, flags, [&] { return real::__open64_2.get()(path, flags); });
}

FLOWGAUGE_EXPORT int __openat_2(int folder, const char* path, int flags)
{
    return opened(path, flags, [&] { return real::__openat_2.get()(folder, path, flags); });
}

FLOWGAUGE_EXPORT int __openat64_2(int folder, const char* path, int flags)
{
    return opened(path, flags, [&] { return real::__openat64_2.get()(folder, path, flags); });
}

}  // extern "C"
