// SPDX-License-Identifier: MIT
#include "instrument/io/access.h"
#include "instrument/io/real.h"

namespace flowgauge::io {
namespace {

/// One end of a copy: where its offset is kept when the file's position is not used, nullptr when it is.
struct End {
    int fd;
    const off64_t* offset;
};

/// The kernel has moved the offset past what it copied. Only after a success: the pointer may be no memory of ours otherwise.
Transfer transferAt(const End& end, std::uint64_t requested, ssize_t got)
{
    if (end.offset == nullptr) return {Kind::FileCopy, atPosition, requested, 0};
    return {Kind::FileCopy, got < 0 ? -1 : *end.offset - got, requested, flagPositional};
}

/// A copy is told of the file it reads; of the file it writes where it reads from something that is none (a pipe).
template <typename Real>
ssize_t copied(const End& from, const End& to, std::uint64_t requested, Real real)
{
    if (!watching()) return real();
    const File source = table::fileOf(from.fd);
    const File target = table::fileOf(to.fd);
    if (!source.isData() && !target.isData()) return real();
    const Ticks begin = now();
    const ssize_t got = real();
    const Span span{begin, now()};
    noteTransfer(source.isData() ? source : target, span, transferAt(source.isData() ? from : to, requested, got), got);
    if (source.isData() && target.isData() && to.offset == nullptr) table::share(target);
    return got;
}

}  // namespace
}  // namespace flowgauge::io

namespace io = flowgauge::io;
namespace real = flowgauge::io::real;

extern "C" {

FLOWGAUGE_EXPORT ssize_t sendfile(int to, int from, off_t* offset, size_t count) noexcept
{
    return io::copied({from, offset}, {to, nullptr}, count, [&] { return real::sendfile.get()(to, from, offset, count); });
}

FLOWGAUGE_EXPORT ssize_t sendfile64(int to, int from, off64_t* offset, size_t count) noexcept
{
    return io::copied({from, offset}, {to, nullptr}, count, [&] { return real::sendfile64.get()(to, from, offset, count); });
}

FLOWGAUGE_EXPORT ssize_t copy_file_range(int from, off64_t* fromOffset, int to, off64_t* toOffset, size_t count, unsigned flags)
{
    return io::copied({from, fromOffset}, {to, toOffset}, count,
                      [&] { return real::copy_file_range.get()(from, fromOffset, to, toOffset, count, flags); });
}

FLOWGAUGE_EXPORT ssize_t splice(int from, off64_t* fromOffset, int to, off64_t* toOffset, size_t count, unsigned flags)
{
    return io::copied({from, fromOffset}, {to, toOffset}, count,
                      [&] { return real::splice.get()(from, fromOffset, to, toOffset, count, flags); });
}

}  // extern "C"
