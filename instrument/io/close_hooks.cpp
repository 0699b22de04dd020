// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

using namespace flowgauge;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT int close(int fd)
{
    if (!io::watching()) return real::close.get()(fd);
    const io::File file = io::table::cached(fd);
    if (file.fileClass() == io::FileClass::Unknown || io::inVforkChild()) return real::close.get()(fd);
    const bool isData = file.isData();
    io::table::forget(fd);
    const Ticks begin = now();
    const int result = real::close.get()(fd);
    if (isData) {
        const raw::KeepErrno keep;
        buffer::record(fileClose({begin, now()}, file.key, fd, result < 0 ? -errno : 0));
    }
    return result;
}

}  // extern "C"
