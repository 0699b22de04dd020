// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"
#include "instrument/io/stream.h"

#include <linux/close_range.h>
#include <climits>

namespace flowgauge::io {
namespace {

/// The table lets go of the number before the kernel does: another thread may be given it at once.
template <typename Real>
int closed(const File& file, Real real)
{
    if (file.fileClass() == FileClass::Unknown || inVforkChild()) return real();
    table::forget(file.fd);
    const Ticks begin = now();
    const int result = real();
    if (file.isData()) {
        const raw::KeepErrno keep;
        note(fileClose({begin, now()}, file.key, file.fd, result < 0 ? -errno : 0));
    }
    return result;
}

/// One event for each data file in the range, all with the time of the whole call.
template <typename Real>
auto closedRange(unsigned first, unsigned last, Real real)
{
    tell(&DescriptorWatch::closingRange, first, last);
    if (!watching() || inVforkChild()) return real();
    const Ticks begin = now();
    table::forgetRange(first, last, [&](const File& file) { note(fileClose({begin, now()}, file.key, file.fd, 0)); });
    return real();
}

}  // namespace
}  // namespace flowgauge::io

using namespace flowgauge;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT int close(int fd)
{
    io::tell(&io::DescriptorWatch::closing, fd);
    if (!io::watching()) return real::close.get()(fd);
    return io::closed(io::table::cached(fd), [&] { return real::close.get()(fd); });
}

FLOWGAUGE_EXPORT int fclose(_IO_FILE* stream)
{
    const int fd = fileno(stream);
    io::tell(&io::DescriptorWatch::closing, fd);
    if (!io::watching()) return real::fclose.get()(stream);
    const io::File file = io::table::cached(fd);
    if (file.isData()) io::noteUnseen(file, stream);
    return io::closed(file, [&] { return real::fclose.get()(stream); });
}

FLOWGAUGE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept
{
    const auto call = [&] { return real::close_range.get()(first, last, flags); };
    return (static_cast<unsigned>(flags) & CLOSE_RANGE_CLOEXEC) != 0 ? call() : io::closedRange(first, last, call);
}

FLOWGAUGE_EXPORT void closefrom(int first) noexcept
{
    io::closedRange(first < 0 ? 0U : static_cast<unsigned>(first), UINT_MAX, [&] { real::closefrom.get()(first); });
}

}  // extern "C"
