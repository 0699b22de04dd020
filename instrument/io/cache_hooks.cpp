// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

namespace flowgauge::io {
namespace {

struct Advice {
    std::int64_t offset;
    std::uint64_t bytes;
    int advice;
};

template <typename Real>
auto advised(int fd, const Advice& advice, Real real)
{
    if (!watching()) return real();
    const File file = table::fileOf(fd);
    if (!file.isData()) return real();
    const Ticks begin = now();
    const auto result = real();
    const raw::KeepErrno keep;
    note(fileAdvise({begin, now()}, file.key, advice.offset, advice.bytes, advice.advice));
    return result;
}

template <typename Real>
int synced(int fd, Real real)
{
    if (!watching()) return real();
    const File file = table::fileOf(fd);
    if (!file.isData()) return real();
    const Ticks begin = now();
    const int result = real();
    const raw::KeepErrno keep;
    note(fileSync({begin, now()}, file.key, result < 0 ? -errno : 0));
    return result;
}

}  // namespace
}  // namespace flowgauge::io

namespace io = flowgauge::io;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT int posix_fadvise(int fd, off_t offset, off_t bytes, int advice) noexcept
{
    return io::advised(fd, {offset, static_cast<std::uint64_t>(bytes), advice},
                       [&] { return real::posix_fadvise.get()(fd, offset, bytes, advice); });
}

FLOWGAUGE_EXPORT int posix_fadvise64(int fd, off64_t offset, off64_t bytes, int advice) noexcept
{
    return io::advised(fd, {offset, static_cast<std::uint64_t>(bytes), advice},
                       [&] { return real::posix_fadvise64.get()(fd, offset, bytes, advice); });
}

FLOWGAUGE_EXPORT ssize_t readahead(int fd, off64_t offset, size_t bytes) noexcept
{
    return io::advised(fd, {offset, bytes, POSIX_FADV_WILLNEED}, [&] { return real::readahead.get()(fd, offset, bytes); });
}

FLOWGAUGE_EXPORT int fsync(int fd)
{
    return io::synced(fd, [&] { return real::fsync.get()(fd); });
}

FLOWGAUGE_EXPORT int fdatasync(int fd)
{
    return io::synced(fd, [&] { return real::fdatasync.get()(fd); });
}

}  // extern "C"
