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

using namespace flowgauge;
using flowgauge::io::opened;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT int open(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = io::carriesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags, [&] { return real::open.get()(path, flags, mode); });
}

FLOWGAUGE_EXPORT int open64(const char* path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = io::carriesMode(flags) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened(path, flags | O_LARGEFILE, [&] { return real::open64.get()(path, flags, mode); });
}

}  // extern "C"
