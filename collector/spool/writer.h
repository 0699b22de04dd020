// SPDX-License-Identifier: MIT
#pragma once
#include "collector/spool/format.h"

#include <cstddef>
#include <cstdint>

/// The writing half of the spool format. One writer per file: first the thread that starts the recorder, then the drain thread.
namespace flowgauge::spool {

/// What became of a chunk.
enum class Append : std::uint8_t {
    Done,
    DiskFull,      ///< ENOSPC or EDQUOT: try again later, the file is as before
    LimitReached,  ///< it would pass the size limit, or RLIMIT_FSIZE
    Failed,        ///< another error; the file may be gone
};

/// A chunk about to be written: its payload in two pieces, since a ring wraps. Pieces but the last are multiples of 64 bytes.
struct Chunk {
    struct Piece {
        const void* bytes;
        std::size_t size;
    };
    ChunkType type;
    std::uint32_t ring;
    std::uint64_t firstSequence;
    std::uint64_t count;
    std::array<Piece, 2> pieces;
};

/// Appends chunks at a known end. It owns no descriptor: the caller keeps one and may change it (after a program closed it).
class SpoolWriter {
public:
    /// used: bytes of the file that are in use, header page included; limit: most bytes of the file, 0 for none.
    constexpr SpoolWriter(std::uint64_t used, std::uint64_t limit) : m_used(used), m_reserved(used), m_limit(limit) {}

    /// Writes one chunk behind the last. Until it returns Done the chunk counts as not written: the next append overwrites it.
    [[nodiscard]] Append append(int fd, const Chunk& chunk);

    [[nodiscard]] std::uint64_t used() const { return m_used; }

private:
    [[nodiscard]] Append reserve(int fd, std::uint64_t end);

    std::uint64_t m_used;
    std::uint64_t m_reserved;
    std::uint64_t m_limit;
    bool m_canReserve = true;
};

/// Writes the header page. 0 or the negative error number.
[[nodiscard]] long writeHeader(int fd, const SpoolHeader& header);

/// True when RLIMIT_FSIZE allows a file of that length. Asked first, since a write beyond it sends SIGXFSZ, which kills the program.
[[nodiscard]] bool fileLimitAllows(std::uint64_t bytes);

/// Reserves [at, at + bytes) of a file: fallocate, or zeros where the file system has none. 0 or the negative error number.
[[nodiscard]] long reserveSpace(int fd, std::uint64_t at, std::uint64_t bytes);

}  // namespace flowgauge::spool
