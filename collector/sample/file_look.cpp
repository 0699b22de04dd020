// SPDX-License-Identifier: MIT
#include "collector/sample/file_look.h"

#include "collector/record/raw.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <array>

#ifndef SYS_cachestat
#define SYS_cachestat 451  // Linux 6.5; the same number on all architectures that we build for
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439  // Linux 5.8
#endif

namespace flowgauge::sample {
namespace {

constexpr std::uint64_t wholeUpTo = 64ULL << 20, pieceBytes = 4ULL << 20;
constexpr std::uint64_t piecesOfALarge = wholeUpTo / pieceBytes;

/// struct cachestat of linux/mman.h, which Debian 12 does not have yet.
struct PagesFound {
    std::uint64_t cached, dirty, writeback, evicted, recentlyEvicted;
};
struct ByteRange {
    std::uint64_t at, bytes;
};

/// A file that is being looked at.
struct Looked {
    int fd;
    std::uint64_t size, page;
};

std::uint64_t pagesOf(const Looked& file, const ByteRange& range)
{
    const std::uint64_t end = range.at + range.bytes < file.size ? range.at + range.bytes : file.size;
    return end > range.at ? (end - range.at + file.page - 1) / file.page : 0;
}

/// Pages of the range in memory, or -errno.
long countByCachestat(const Looked& file, const ByteRange& range)
{
    PagesFound found = {};
    const long error = raw::call(SYS_cachestat, file.fd, &range, &found, 0U);
    return error < 0 ? error : static_cast<long>(found.cached);
}

/// The mapping is never touched: a file that is cut meanwhile harms nobody.
long countByMincore(const Looked& file, const ByteRange& range)
{
    std::array<unsigned char, pieceBytes / 4096> states;
    long count = 0;
    for (std::uint64_t done = 0; done < range.bytes && range.at + done < file.size; done += pieceBytes) {
        const std::uint64_t rest = (file.size < range.at + range.bytes ? file.size : range.at + range.bytes) - range.at - done;
        const std::uint64_t bytes = rest < pieceBytes ? rest : pieceBytes;
        void* const at = raw::map(bytes, PROT_READ, MAP_SHARED, file.fd, static_cast<off_t>(range.at + done));
        if (at == nullptr) return -ENODEV;
        const long error = raw::call(SYS_mincore, at, bytes, states.data());
        raw::unmap(at, bytes);
        if (error < 0) return error;
        for (std::uint64_t page = 0; page < (bytes + file.page - 1) / file.page; ++page) count += states[page] & 1;
    }
    return count;
}

using CountPages = long (*)(const Looked&, const ByteRange&);

/// Begin of the n-th piece: somewhere in the n-th of as many equal stretches, at another place each turn.
std::uint64_t beginOf(const Looked& file, std::uint64_t piece, std::uint64_t turn)
{
    const std::uint64_t stretch = file.size / piecesOfALarge;
    const std::uint64_t free = (stretch - pieceBytes) / file.page + 1;
    const std::uint64_t random = (turn * piecesOfALarge + piece + 1) * 0x9E3779B97F4A7C15ULL;
    return (piece * stretch / file.page + (random >> 20) % free) * file.page;
}

bool countPieces(const Looked& file, CountPages count, std::uint64_t turn, FileLook& into)
{
    double sum = 0, squares = 0;
    for (std::uint64_t piece = 0; piece < piecesOfALarge; ++piece) {
        const ByteRange range{beginOf(file, piece, turn), pieceBytes};
        const long found = count(file, range);
        if (found < 0) return false;
        const double share = static_cast<double>(found) / static_cast<double>(pagesOf(file, range));
        sum += share;
        squares += share * share;
    }
    constexpr auto pieces = static_cast<double>(piecesOfALarge);
    const double mean = sum / pieces, spread = squares - pieces * mean * mean;
    into.resident = mean * into.bytes;
    into.piecesVariance = (spread > 0 ? spread : 0) / (pieces - 1) / pieces * into.bytes * into.bytes;
    return true;
}

bool countAll(const Looked& file, CountPages count, std::uint64_t turn, FileLook& into)
{
    if (file.size > wholeUpTo) return countPieces(file, count, turn, into);
    const long found = file.size == 0 ? 0 : count(file, {0, file.size});
    const double bytes = static_cast<double>(found) * static_cast<double>(file.page);
    into.resident = bytes < into.bytes ? bytes : into.bytes;
    return found >= 0;
}

/// CAP_FOWNER; of files whose owner has no name here it says nothing.
bool mayAsOwner()
{
    struct {
        std::uint32_t version;
        int pid;
    } header{0x20080522, 0};
    std::array<std::array<std::uint32_t, 3>, 2> sets{};  // effective, permitted, inheritable
    constexpr std::uint32_t fileOwner = 1U << 3;
    return raw::call(SYS_capget, &header, sets.data()) == 0 && (sets[0][0] & fileOwner) != 0;
}

/// The kernel's can_do_mincore.
bool mincoreTellsTruth(int fd, std::uint32_t owner)
{
    constexpr std::uint32_t nobody = 65534;
    if (owner != nobody && (raw::call(SYS_geteuid) == static_cast<long>(owner) || mayAsOwner())) return true;
    return raw::call(SYS_faccessat2, fd, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) == 0;
}

FileLook unknown(std::string_view why) { return {LookMethod::None, why}; }

/// Asks for nothing that a file server would have to be asked for.
bool statusOf(int fd, struct statx& status)
{
    constexpr unsigned wanted = STATX_TYPE | STATX_SIZE | STATX_INO | STATX_UID;
    return raw::call(SYS_statx, fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, wanted, &status) == 0;
}

}  // namespace

FileLook lookAt(int fd, const FileNumbers& expected, const LookRules& rules, std::uint64_t turn)
{
    struct statx status = {};
    if (!statusOf(fd, status) || !S_ISREG(status.stx_mode)) return unknown("a file cannot be looked at");
    const bool same = status.stx_ino == expected.inode && makedev(status.stx_dev_major, status.stx_dev_minor) == expected.device;
    if (expected.inode != 0 && !same)
        return unknown(
            "from where counters are read, other files stand under the names that the job uses (another container, or replaced)");
    FileLook look{LookMethod::Cachestat, {}, static_cast<double>(status.stx_size)};
    const Looked file{fd, status.stx_size, static_cast<std::uint64_t>(::getpagesize())};
    if (rules.cachestat && countAll(file, countByCachestat, turn, look)) return look;
    if (!rules.mincore) return unknown("the kernel has no cachestat (Linux 6.5), or refuses it");
    if (!mincoreTellsTruth(fd, status.stx_uid))
        return unknown("of files that another user owns and that cannot be written the kernel does not tell");
    look.method = LookMethod::Mincore;
    return countAll(file, countByMincore, turn, look) ? look : unknown("a file cannot be mapped");
}

}  // namespace flowgauge::sample
