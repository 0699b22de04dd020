// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/memory.h"
#include "collector/sample/text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge::sample {

/// The columns of a per-op line; a ninth, the errors, came with 5.3.
enum class OpColumn : std::uint8_t { Operations, Transmissions, Timeouts, BytesSent, BytesReceived, QueueMs, RttMs, ExecuteMs };
inline constexpr std::size_t opColumns = 8;

/// The fields of a "bytes:" line.
enum class BytesField : std::uint8_t {
    NormalRead,
    NormalWritten,
    DirectRead,
    DirectWritten,
    ServerRead,
    ServerWritten,
    ReadPages,
    WrittenPages
};
inline constexpr std::size_t bytesFields = 8;

/// A number that the kernel printed as 2^63 or more is a negative sum: unknown (queue_ms underflows in the field).
inline constexpr std::uint64_t unknownFrom = 1ULL << 63;

/// One NFS mount of /proc/self/mountstats. The counters are its superblock's: mounts that share one show the same numbers.
struct NfsMount {
    std::string_view device, path;  ///< as printed: octal escapes still in
    std::array<MaybeNumber, bytesFields> bytes;
    std::array<MaybeNumber, opColumns> reads;  ///< READ and READ_PLUS together
    MaybeNumber invalidations, releases;       ///< events 2 and 17

    [[nodiscard]] const MaybeNumber& of(BytesField field) const { return bytes[static_cast<std::size_t>(field)]; }
    [[nodiscard]] const MaybeNumber& of(OpColumn column) const { return reads[static_cast<std::size_t>(column)]; }
};

/// The NFS mounts of a mountstats text of any kernel since 2.6.16, in its order. Decides by the number of columns, not by
/// the version that a line claims; skips what it does not know; takes what is there from a text that ends in the middle.
class NfsMounts {
public:
    explicit constexpr NfsMounts(std::string_view text) : m_lines(text) {}
    bool next(NfsMount& into);

private:
    Lines m_lines;
    std::string_view m_header;  ///< a record's first line that was met while the one before was read
};

/// A line of /proc/self/mountinfo.
struct MountInfo {
    std::string_view superblock;  ///< "major:minor"
    std::string_view path, type;
};

/// The mounts of a mountinfo text, in its order, which is that of mountstats.
class MountInfoLines {
public:
    explicit constexpr MountInfoLines(std::string_view text) : m_lines(text) {}
    bool next(MountInfo& into);

private:
    Lines m_lines;
};

/// Undoes the octal escapes of a path (\040 \011 \012 \134 \043). Returns the length; a longer text is cut to `size`.
std::size_t decodeOctal(std::string_view text, char* into, std::size_t size);

[[nodiscard]] constexpr bool isNfsType(std::string_view type) { return type == "nfs" || type == "nfs4"; }

}  // namespace flowgauge::sample
