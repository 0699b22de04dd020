// SPDX-License-Identifier: MIT
#include "collector/spool/writer.h"

#include "collector/record/raw.h"

#include <sys/resource.h>
#include <sys/uio.h>
#include <algorithm>

namespace flowgauge::spool {
namespace {

constexpr std::uint64_t smallestStep = std::uint64_t{256} << 10;
constexpr std::uint64_t largestStep = std::uint64_t{16} << 20;
constexpr std::array<std::byte, pageBytes> zeros{};

Append outcomeOf(long error)
{
    if (error == -ENOSPC || error == -EDQUOT) return Append::DiskFull;
    return error == -EFBIG ? Append::LimitReached : Append::Failed;
}

/// fallocate answers one of these where it cannot work at all (NFS before 4.2, FUSE, old kernels, a security filter).
bool cannotReserve(long error) { return error == -EOPNOTSUPP || error == -ENOSYS || error == -EPERM || error == -EINVAL; }

/// Reserved ahead in steps that grow with the file: one system call for many chunks, little waste in a small file.
std::uint64_t stepAfter(std::uint64_t used) { return std::clamp(used / 4 & ~(smallestStep - 1), smallestStep, largestStep); }

}  // namespace

bool fileLimitAllows(std::uint64_t bytes)
{
    rlimit limit{};
    if (raw::call(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) != 0) return true;
    return limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

long reserveSpace(int fd, std::uint64_t at, std::uint64_t bytes)
{
    if (!fileLimitAllows(at + bytes)) return -EFBIG;
    const long result = raw::allocate(fd, static_cast<off_t>(at), static_cast<off_t>(bytes));
    if (!cannotReserve(result)) return result;
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t piece = std::min<std::uint64_t>(zeros.size(), bytes - done);
        const ssize_t put = raw::pwrite(fd, zeros.data(), piece, static_cast<off_t>(at + done));
        if (put <= 0) return put < 0 ? put : -ENOSPC;
        done += static_cast<std::uint64_t>(put);
    }
    return 0;
}

long writeHeader(int fd, const SpoolHeader& header)
{
    std::array<std::byte, pageBytes> page{};
    __builtin_memcpy(page.data(), &header, sizeof header);
    if (!fileLimitAllows(page.size())) return -EFBIG;
    const ssize_t put = raw::pwrite(fd, page.data(), page.size(), 0);
    if (put < 0) return put;
    return put == static_cast<ssize_t>(page.size()) ? 0 : -ENOSPC;
}

Append SpoolWriter::reserve(int fd, std::uint64_t end)
{
    if (m_limit != 0 && end > m_limit) return Append::LimitReached;
    if (end <= m_reserved) return Append::Done;
    if (!fileLimitAllows(end)) return Append::LimitReached;
    if (!m_canReserve) return Append::Done;
    const auto from = static_cast<off_t>(m_reserved);
    std::uint64_t until = end + stepAfter(m_used);
    if (m_limit != 0 && until > m_limit) until = m_limit;
    long result = fileLimitAllows(until) ? raw::allocate(fd, from, static_cast<off_t>(until) - from) : -ENOSPC;
    if (result == -ENOSPC || result == -EDQUOT) {  // perhaps there is room for this one
        until = end;
        result = raw::allocate(fd, from, static_cast<off_t>(until) - from);
    }
    if (cannotReserve(result)) return m_canReserve = false, Append::Done;
    if (result != 0) return outcomeOf(result);
    m_reserved = until;
    return Append::Done;
}

Append SpoolWriter::append(int fd, const Chunk& chunk)
{
    const std::uint64_t bytes = chunk.pieces[0].size + chunk.pieces[1].size;
    const std::uint64_t padding = (slotBytes - bytes % slotBytes) % slotBytes;
    const std::uint64_t total = sizeof(ChunkHeader) + bytes + padding;
    if (const Append space = reserve(fd, m_used + total); space != Append::Done) return space;

    Checksum sum;
    for (const Chunk::Piece& piece : chunk.pieces) sum.add(piece.bytes, piece.size);
    ChunkHeader header{chunkMagic, chunk.type, chunk.ring, chunk.firstSequence, chunk.count, bytes, sum.value(), {}};
    const auto writable = [](const void* at) { return const_cast<void*>(at); };  // iovec knows no const
    const std::array<iovec, 4> parts{iovec{&header, sizeof header}, iovec{writable(chunk.pieces[0].bytes), chunk.pieces[0].size},
                                     iovec{writable(chunk.pieces[1].bytes), chunk.pieces[1].size}, iovec{writable(zeros.data()), padding}};
    const long put = raw::call(SYS_pwritev, fd, parts.data(), parts.size(), m_used, 0L);
    if (put < 0) return outcomeOf(put);
    if (static_cast<std::uint64_t>(put) != total) return Append::DiskFull;
    m_used += total;
    m_reserved = std::max(m_reserved, m_used);
    return Append::Done;
}

}  // namespace flowgauge::spool
