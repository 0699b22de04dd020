// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

using namespace flowgauge;
using flowgauge::io::atPosition;
using flowgauge::io::transferred;
using flowgauge::io::transferredVector;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT ssize_t write(int fd, const void* from, size_t count)
{
    return transferred(fd, {Kind::FileWrite, atPosition, count, 0}, [=] { return real::write.get()(fd, from, count); });
}

FLOWGAUGE_EXPORT ssize_t pwrite(int fd, const void* from, size_t count, off_t at)
{
    return transferred(fd, {Kind::FileWrite, at, count, flagPositional}, [=] { return real::pwrite.get()(fd, from, count, at); });
}

FLOWGAUGE_EXPORT ssize_t pwrite64(int fd, const void* from, size_t count, off64_t at)
{
    return transferred(fd, {Kind::FileWrite, at, count, flagPositional}, [=] { return real::pwrite64.get()(fd, from, count, at); });
}

FLOWGAUGE_EXPORT ssize_t writev(int fd, const iovec* buffers, int count)
{
    return transferredVector(fd, {Kind::FileWrite, atPosition, buffers, count}, [&] { return real::writev.get()(fd, buffers, count); });
}

FLOWGAUGE_EXPORT ssize_t pwritev(int fd, const iovec* buffers, int count, off_t at)
{
    return transferredVector(fd, {Kind::FileWrite, at, buffers, count}, [&] { return real::pwritev.get()(fd, buffers, count, at); });
}

FLOWGAUGE_EXPORT ssize_t pwritev64(int fd, const iovec* buffers, int count, off64_t at)
{
    return transferredVector(fd, {Kind::FileWrite, at, buffers, count}, [&] { return real::pwritev64.get()(fd, buffers, count, at); });
}

FLOWGAUGE_EXPORT ssize_t pwritev2(int fd, const iovec* buffers, int count, off_t at, int flags)
{
    return transferredVector(fd, {Kind::FileWrite, at == -1 ? atPosition : at, buffers, count},
                             [&] { return real::pwritev2.get()(fd, buffers, count, at, flags); });
}

FLOWGAUGE_EXPORT ssize_t pwritev64v2(int fd, const iovec* buffers, int count, off64_t at, int flags)
{
    return transferredVector(fd, {Kind::FileWrite, at == -1 ? atPosition : at, buffers, count},
                             [&] { return real::pwritev64v2.get()(fd, buffers, count, at, flags); });
}

}  // extern "C"
