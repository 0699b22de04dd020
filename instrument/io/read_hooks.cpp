// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

using namespace flowgauge;
using flowgauge::io::atPosition;
using flowgauge::io::transferred;
using flowgauge::io::transferredVector;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT ssize_t read(int fd, void* into, size_t count)
{
    return transferred(fd, {Kind::FileRead, atPosition, count, 0}, [=] { return real::read.get()(fd, into, count); });
}

FLOWGAUGE_EXPORT ssize_t pread(int fd, void* into, size_t count, off_t at)
{
    return transferred(fd, {Kind::FileRead, at, count, flagPositional}, [=] { return real::pread.get()(fd, into, count, at); });
}

FLOWGAUGE_EXPORT ssize_t pread64(int fd, void* into, size_t count, off64_t at)
{
    return transferred(fd, {Kind::FileRead, at, count, flagPositional}, [=] { return real::pread64.get()(fd, into, count, at); });
}

FLOWGAUGE_EXPORT ssize_t __read_chk(int fd, void* into, size_t count, size_t room)
{
    return transferred(fd, {Kind::FileRead, atPosition, count, 0}, [=] { return real::__read_chk.get()(fd, into, count, room); });
}

FLOWGAUGE_EXPORT ssize_t __pread_chk(int fd, void* into, size_t count, off_t at, size_t room)
{
    return transferred(fd, {Kind::FileRead, at, count, flagPositional}, [=] { return real::__pread_chk.get()(fd, into, count, at, room); });
}

FLOWGAUGE_EXPORT ssize_t __pread64_chk(int fd, void* into, size_t count, off64_t at, size_t room)
{
    return transferred(fd, {Kind::FileRead, at, count, flagPositional},
                       [=] { return real::__pread64_chk.get()(fd, into, count, at, room); });
}

FLOWGAUGE_EXPORT ssize_t readv(int fd, const iovec* buffers, int count)
{
    return transferredVector(fd, {Kind::FileRead, atPosition, buffers, count}, [&] { return real::readv.get()(fd, buffers, count); });
}

FLOWGAUGE_EXPORT ssize_t preadv(int fd, const iovec* buffers, int count, off_t at)
{
    return transferredVector(fd, {Kind::FileRead, at, buffers, count}, [&] { return real::preadv.get()(fd, buffers, count, at); });
}

FLOWGAUGE_EXPORT ssize_t preadv64(int fd, const iovec* buffers, int count, off64_t at)
{
    return transferredVector(fd, {Kind::FileRead, at, buffers, count}, [&] { return real::preadv64.get()(fd, buffers, count, at); });
}

FLOWGAUGE_EXPORT ssize_t preadv2(int fd, const iovec* buffers, int count, off_t at, int flags)
{
    return transferredVector(fd, {Kind::FileRead, at == -1 ? atPosition : at, buffers, count},
                             [&] { return real::preadv2.get()(fd, buffers, count, at, flags); });
}

FLOWGAUGE_EXPORT ssize_t preadv64v2(int fd, const iovec* buffers, int count, off64_t at, int flags)
{
    return transferredVector(fd, {Kind::FileRead, at == -1 ? atPosition : at, buffers, count},
                             [&] { return real::preadv64v2.get()(fd, buffers, count, at, flags); });
}

}  // extern "C"
