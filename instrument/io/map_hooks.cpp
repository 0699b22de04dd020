// SPDX-License-Identifier: MIT
#include "instrument/hook/patch.h"
#include "instrument/io/access.h"
#include "instrument/io/address_table.h"
#include "instrument/io/io.h"
#include "instrument/io/real.h"

namespace flowgauge::io {
namespace {

struct Mapping {
    NameKey file;
    std::int64_t offset;
    std::int64_t bytes;
};
constinit AddressTable<Mapping, 1024> mappings;

void noteMapping(const File& file, Span span, const Mapping& mapping, int protection, void* at)
{
    const raw::KeepErrno keep;
    const bool failed = at == MAP_FAILED;
    note(fileMap(span, file.key, mapping.offset, failed ? -errno : mapping.bytes, static_cast<std::uint32_t>(protection)));
    if (!failed && !mappings.put(reinterpret_cast<std::uintptr_t>(at), mapping)) buffer::lose(DropReason::TableFull);
}

/// Memory without a file costs one test. Communication libraries patch the code of these functions in place (UCX), so the
/// call is handed on exactly as it came.
template <typename Real>
void* mapped(int fd, const Mapping& where, int protection, Real real)
{
    if (!watching()) return real();
    const File file = table::fileOf(fd);
    if (!file.isData()) return real();
    const Ticks begin = now();
    void* const at = real();
    noteMapping(file, {begin, now()}, {file.key, where.offset, where.bytes}, protection, at);
    return at;
}

/// The end of a whole mapping, by its first address; a piece that is cut out of one is not seen.
template <typename Real>
int unmapped(void* at, Real real)
{
    Mapping mapping;
    if (!watching() || !mappings.take(reinterpret_cast<std::uintptr_t>(at), mapping)) return real();
    const Ticks begin = now();
    const int result = real();
    const raw::KeepErrno keep;
    note(fileUnmap({begin, now()}, mapping.file, mapping.offset, mapping.bytes));
    return result;
}

constinit hook::PatchedFunction ourMap, ourMap64, ourUnmap;

}  // namespace

void forgetMappings() { mappings.clear(); }

void handOnPatches()
{
    if (ourMap.isPatched()) ourMap.handOn(reinterpret_cast<void*>(real::mmap.get()));
    if (ourMap64.isPatched()) ourMap64.handOn(reinterpret_cast<void*>(real::mmap64.get()));
    if (ourUnmap.isPatched()) ourUnmap.handOn(reinterpret_cast<void*>(real::munmap.get()));
}

}  // namespace flowgauge::io

namespace io = flowgauge::io;
namespace real = flowgauge::io::real;

extern "C" {

// The same functions by names that nobody can stand in front of.
[[gnu::visibility("hidden"), gnu::alias("mmap")]] void* flowgauge_mmap(void*, size_t, int, int, int, off_t) noexcept;
[[gnu::visibility("hidden"), gnu::alias("mmap64")]] void* flowgauge_mmap64(void*, size_t, int, int, int, off64_t) noexcept;
[[gnu::visibility("hidden"), gnu::alias("munmap")]] int flowgauge_munmap(void*, size_t) noexcept;

FLOWGAUGE_EXPORT FLOWGAUGE_PATCHABLE void* mmap(void* at, size_t bytes, int protection, int flags, int fd, off_t offset) noexcept
{
    const auto call = [&] { return real::mmap.get()(at, bytes, protection, flags, fd, offset); };
    if (fd < 0 || (flags & MAP_ANONYMOUS) != 0) return call();
    return io::mapped(fd, {0, offset, static_cast<std::int64_t>(bytes)}, protection, call);
}

FLOWGAUGE_EXPORT FLOWGAUGE_PATCHABLE void* mmap64(void* at, size_t bytes, int protection, int flags, int fd, off64_t offset) noexcept
{
    const auto call = [&] { return real::mmap64.get()(at, bytes, protection, flags, fd, offset); };
    if (fd < 0 || (flags & MAP_ANONYMOUS) != 0) return call();
    return io::mapped(fd, {0, offset, static_cast<std::int64_t>(bytes)}, protection, call);
}

FLOWGAUGE_EXPORT FLOWGAUGE_PATCHABLE int munmap(void* at, size_t bytes) noexcept
{
    return io::unmapped(at, [&] { return real::munmap.get()(at, bytes); });
}

}  // extern "C"

namespace {

/// In every process that has the library, recorded or not: it must not come between UCX and libc.
[[gnu::constructor]] void watchMapHooks()
{
    io::ourMap.watch(reinterpret_cast<void*>(&flowgauge_mmap));
    io::ourMap64.watch(reinterpret_cast<void*>(&flowgauge_mmap64));
    io::ourUnmap.watch(reinterpret_cast<void*>(&flowgauge_munmap));
    io::handOnPatches();
}

}  // namespace
