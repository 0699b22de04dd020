// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

using namespace flowgauge;
using flowgauge::io::atPosition;
using flowgauge::io::transferred;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT ssize_t read(int fd, void* into, size_t count)
{
    return transferred(fd, {Kind::FileRead, atPosition, count, 0}, [&] { return real::read.get()(fd, into, count); });
}

FLOWGAUGE_EXPORT ssize_t pread(int fd, void* into, size_t count, off_t at)
{
    return transferred(fd, {Kind::FileRead, at, count, flagPositional}, [&] { return real::pread.get()(fd, into, count, at); });
}

FLOWGAUGE_EXPORT ssize_t pread64(int fd, void* into, size_t count, off64_t at)
{
    return transferred(fd, {Kind::FileRead, at, count, flagPositional}, [&] { return real::pread64.get()(fd, into, count, at); });
}

}  // extern "C"
