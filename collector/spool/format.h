// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/clock.h"
#include "collector/record/drop_reason.h"
#include "collector/record/event.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

/// The format between the job and ingest. Two files per process and program image, in the run's spool folder:
///
///   <pid>-<start>.spool    SpoolHeader (one page), then chunks, appended by the drain thread
///   <pid>-<start>.rings    ProcessPage (one page), then ring segments: RingHeader (one page) + slots
///
/// What happened is in the ring from the moment its head moved on, and stays there until a chunk that holds it is
/// completely in the spool file and the ring's tail has moved on. Both survive a SIGKILL, since both files are mapped or
/// written through the page cache. A reader therefore takes, per ring, the chunks in order and then the slots from
/// (first sequence not in a chunk) to head: nothing is missing, nothing doubled, wherever the process died.
///
///   chunk:  [ChunkHeader 64 B][payload, payloadBytes long, padded to 64]
///   worked example: ring 0 drained 3 events (192 B) with sequences 5..7:
///   magic='FGCHUNK1' type=1 ring=0 firstSequence=5 count=3 payloadBytes=192 checksum=checksumOf(payload)
///
/// A chunk whose magic is 0 ends the file (space is reserved ahead and reads as zero); one that fails its checksum was
/// being written when the process died: it ends the file as well, and the ring still has what it held.
namespace flowgauge::spool {

/// Raise it when a struct below, or the meaning of a row in kinds.def, changes. A reader refuses other versions.
inline constexpr std::uint32_t spoolVersion = 1;
inline constexpr std::size_t pageBytes = 4096;
inline constexpr std::size_t slotBytes = sizeof(Event);

inline constexpr std::uint64_t spoolMagic = 0x314C4F4F50534746;    // "FGSPOOL1" in a little-endian file
inline constexpr std::uint64_t ringsMagic = 0x3153474E49524746;    // "FGRINGS1"
inline constexpr std::uint64_t segmentMagic = 0x31474E4952524746;  // "FGRRING1"
inline constexpr std::uint64_t chunkMagic = 0x314B4E5548434746;    // "FGCHUNK1"

enum class ChunkType : std::uint32_t {
    End = 0,
    Events = 1,       ///< count events of one ring, in ring order
    Environment = 2,  ///< zero-terminated "key=value" texts: exe, cwd, argv (one text per word), and variables of interest
};

/// First page of a .spool file.
struct SpoolHeader {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t headerBytes;  ///< pageBytes
    std::int32_t pid;
    std::int32_t parentPid;
    std::uint32_t userId;
    ClockSource clock;
    std::array<std::uint8_t, 3> reserved;
    std::uint64_t startTicks;      ///< activation of the recorder
    std::int64_t startRawNs;       ///< the same moment, CLOCK_MONOTONIC_RAW
    std::int64_t startRealtimeNs;  ///< the same moment, CLOCK_REALTIME
    std::uint64_t processStart;    ///< start time of the process in clock ticks since boot (/proc/self/stat field 22)
    std::array<char, 64> host;     ///< host name, zero-terminated
    std::array<char, 40> bootId;   ///< /proc/sys/kernel/random/boot_id, zero-terminated; "" unknown
    std::array<char, 64> program;  ///< /proc/self/comm, zero-terminated
    std::array<char, 64> runId;    ///< FLOWGAUGE_RUN_ID or the id made from the run's path
};
static_assert(sizeof(SpoolHeader) <= pageBytes);

struct ChunkHeader {
    std::uint64_t magic;
    ChunkType type;
    std::uint32_t ring;           ///< index of the ring's segment
    std::uint64_t firstSequence;  ///< ring sequence of the first event
    std::uint64_t count;          ///< events
    std::uint64_t payloadBytes;
    std::uint64_t checksum;  ///< checksumOf the payload
    std::array<std::uint64_t, 2> reserved;
};
static_assert(sizeof(ChunkHeader) == 64);

/// First page of a .rings file: what the process tells about itself, updated in place.
struct ProcessPage {
    std::uint64_t magic;
    std::uint32_t version;
    std::int32_t pid;
    std::atomic<std::uint64_t> fileBytes;             ///< reserved length of the .rings file
    std::atomic<std::uint64_t> segments;              ///< ring segments so far
    std::atomic<std::uint64_t> endedTicks;            ///< ticks when the process said goodbye; 0: it has not (running, killed, or _exit)
    std::atomic<std::uint64_t> lastSeenTicks;         ///< ticks of the drain thread's last beat
    std::atomic<std::uint64_t> ownCpuNs;              ///< processor time of our own threads
    std::atomic<std::uint64_t> spoolBytes;            ///< bytes of the .spool file in use
    std::atomic<std::uint64_t> events;                ///< events accepted over all rings, as of the last beat
    std::atomic<std::uint64_t> codeOpens;             ///< program code and system files, summed instead of recorded: opens,
    std::atomic<std::uint64_t> codeReads;             ///<   read calls,
    std::atomic<std::uint64_t> codeBytes;             ///<   bytes,
    std::atomic<std::uint64_t> codeTicks;             ///<   and time in those calls
    std::array<std::atomic<std::uint64_t>, 16> lost;  ///< by DropReason: losses that belong to no ring
};
static_assert(sizeof(ProcessPage) <= pageBytes && dropReasonCount <= 16);

enum class RingState : std::uint32_t { Free = 0, Owned = 1, Retired = 2 };

/// First page of a ring segment; the slots follow. One writer (the owning thread) moves head, one reader (the drain) tail.
/// Both are sequences that never go back, also when another thread takes the ring over.
struct RingHeader {
    std::uint64_t magic;
    std::uint32_t index;     ///< of the segment in its file, from 0
    std::uint32_t capacity;  ///< slots, a power of two
    std::atomic<RingState> state;
    std::atomic<std::uint32_t> thread;  ///< kernel id of the owner
    alignas(64) std::atomic<std::uint64_t> head;
    alignas(64) std::atomic<std::uint64_t> tail;
    alignas(64) std::array<std::atomic<std::uint64_t>, 16> lost;  ///< by DropReason
};
static_assert(sizeof(RingHeader) <= pageBytes);

/// Bytes of a segment with that many slots.
[[nodiscard]] constexpr std::uint64_t segmentBytes(std::uint64_t capacity) { return pageBytes + capacity * slotBytes; }

/// Slots that a NameText of that length takes: its own and whole slots of text behind it.
[[nodiscard]] constexpr std::uint64_t nameSlots(std::uint64_t length) { return 1 + (length + slotBytes - 1) / slotBytes; }

/// 64-bit multiply-xor checksum over whole words (payloads are padded to 64 bytes with zeros): finds a torn write, no more.
/// Built from pieces, since a ring wraps; every piece but the last is a multiple of 32 bytes.
class Checksum {
public:
    void add(const void* piece, std::size_t bytes);
    [[nodiscard]] std::uint64_t value() const;

private:
    std::array<std::uint64_t, 4> m_lane{1, 2, 3, 4};
    std::uint64_t m_bytes = 0;
};
[[nodiscard]] std::uint64_t checksumOf(const void* payload, std::size_t bytes);

}  // namespace flowgauge::spool
