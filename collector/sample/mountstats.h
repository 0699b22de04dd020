// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/memory.h"
#include "collector/sample/text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flowgauge::sample {

/// The columns of a per-op line; the ninth came with 5.3 (and to some older kernels by their vendors).
enum class OpColumn : std::uint8_t { Operations, Transmissions, Timeouts, BytesSent, BytesReceived, QueueMs, RttMs, ExecuteMs, Errors };
inline constexpr std::size_t opColumns = 9, leastOpColumns = 8;

/// Sums of the columns of some operations; a column that one of them does not know is unknown in the sum.
class OpSums {
public:
    [[nodiscard]] const MaybeNumber& of(OpColumn column) const { return m_columns[static_cast<std::size_t>(column)]; }
    void add(std::string_view numbers);

private:
    std::array<MaybeNumber, opColumns> m_columns{};
    bool m_any = false;
};

/// The "xprt:" lines of a record, one a connection, added up. They belong to the client's connection to the server: every
/// mount of that server shows them again.
struct TransportSums {
    std::uint64_t connections = 0;
    std::uint64_t connects = 0, sends = 0, receives = 0, badXids = 0, inFlight = 0, backlog = 0;
    std::uint64_t rdmaRequestBytes = 0, rdmaReplyBytes = 0;
    bool known = false;  ///< at least one line of a protocol whose columns we know
    bool rdma = false;
    /// Takes what follows "xprt:". A line that is too short adds a connection and no numbers.
    void add(std::string_view line);
};

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
    std::string_view options;       ///< after "opts:": rw,vers=3,rsize=...
    std::string_view layout;        ///< pnfs=...; "" where there is none, or none is used
    MaybeNumber ageSeconds;
    std::array<MaybeNumber, bytesFields> bytes;
    OpSums reads, writes, others;                            ///< READ and READ_PLUS together, WRITE, the rest
    MaybeNumber invalidations, releases, delays, pnfsReads;  ///< events 2, 17, 24, 25
    MaybeNumber cachePages;                                  ///< first number of "fsc:"
    TransportSums transport;

    [[nodiscard]] const MaybeNumber& of(BytesField field) const { return bytes[static_cast<std::size_t>(field)]; }
    [[nodiscard]] const MaybeNumber& of(OpColumn column) const { return reads.of(column); }
    /// The value of an option ("rsize" -> "65536"), or "" when it is not there. A bare word has no value: see hasOption.
    [[nodiscard]] std::string_view option(std::string_view name) const;
    [[nodiscard]] bool hasOption(std::string_view name) const;
};

/// The value of `name=value` in a comma-separated list, where blanks may stand behind the commas; "" when it is not there.
[[nodiscard]] std::string_view valueOfOption(std::string_view list, std::string_view name);

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
    std::string_view device;   ///< "server:/path", "10.0.0.1@o2ib:/scratch", "/dev/sda1"
    std::string_view options;  ///< of the superblock: "rw,vers=4.2,...,addr=192.0.2.1"
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
