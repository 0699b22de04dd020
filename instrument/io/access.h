// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "collector/record/raw.h"
#include "instrument/io/file_table.h"
#include "instrument/io/io.h"

#include <sys/types.h>
#include <sys/uio.h>

/// What the hook bodies share. A body asks `watching`, then for the file, notes the time on both sides of the real call, and
/// hands all it knows to one of the `note…` functions, which keep errno. The real call stands outside of everything of ours:
/// a thread may be cancelled in it, a signal handler may leave it by longjmp.
namespace flowgauge::io {

namespace detail {
/// One cache line for what every call asks first.
struct Watch {
    std::atomic<bool> on;
    /// Programs look for files in many places where they are not. Such a search is no access to data, and must not start the
    /// recorder of a helper process; once the process records, a missing file is worth knowing.
    std::atomic<bool> hasRecorded;
};
extern constinit Watch watch [[gnu::visibility("hidden")]];
}  // namespace detail

/// False until the run is known, in programs that are not recorded, and after the end.
[[nodiscard]] inline bool watching() { return detail::watch.on.load(std::memory_order_relaxed) && buffer::enabled(); }

namespace detail {
extern constinit std::atomic<const DescriptorWatch*> descriptorWatch [[gnu::visibility("hidden")]];
}
/// Tells whoever has asked by watchDescriptors, whether files are recorded or not.
template <typename... Numbers>
inline void tell(void (*DescriptorWatch::*what)(Numbers...), Numbers... numbers)
{
    if (const DescriptorWatch* const watch = detail::descriptorWatch.load(std::memory_order_acquire)) (watch->*what)(numbers...);
}

/// One call that moved bytes. `offset`: where it says it did, or atPosition.
struct Transfer {
    Kind kind;
    std::int64_t offset;
    std::uint64_t requested;
    std::uint16_t flags;
};
inline constexpr std::int64_t atPosition = INT64_MIN;

/// A transfer ended with `got` (bytes, or -1 and errno).
void noteTransfer(const File& file, Span span, const Transfer& transfer, std::int64_t got);

/// An open ended with `fd` (or -1 and errno). `path` is as the program gave it.
void noteOpen(Span span, const char* path, int openFlags, int fd);

/// Records an event of a file that is known to be data.
void note(const Event& event);

/// Moves the known position of a file after a seek that ended at `position` (or -1).
void noteSeek(const File& file, std::int64_t position);

/// What the kernel says about the position, or -1 for what has none.
[[nodiscard]] std::int64_t kernelPosition(int fd);

/// Sum of the buffers. Only for a call that succeeded: the kernel has read the array then, so we can.
[[nodiscard]] std::uint64_t bytesOf(const iovec* buffers, int count);

namespace detail {

template <typename Real>
[[gnu::noinline]] ssize_t transferredWithQuestions(int fd, Transfer transfer, Real real)
{
    if (!watching()) return real();
    const File file = table::fileOf(fd);
    if (file.fileClass() == FileClass::NotAFile) return real();
    const Ticks begin = now();
    const ssize_t got = real();
    noteTransfer(file, {begin, now()}, transfer, got);
    return got;
}

/// The data file behind a descriptor if a call on it can be recorded without asking anybody anything.
[[nodiscard]] inline Slot* readySlot(int fd, Kind kind)
{
    const bool ready = watch.hasRecorded.load(std::memory_order_relaxed) && buffer::wants(kind);
    return ready ? table::knownData(fd) : nullptr;
}

}  // namespace detail

/// The story of every read and write: ask, time, call, note. `real` makes the real call, and holds its arguments by value: by
/// reference they would have to live in memory. The kernel's work has emptied the nearest
/// caches when it returns, so what follows it touches few lines: no errno (nothing here sets it), no call, the event built in its slot.
template <typename Real>
[[nodiscard]] inline ssize_t transferred(int fd, Transfer transfer, Real real)
{
    Slot* const slot = detail::readySlot(fd, transfer.kind);
    if (slot == nullptr) [[unlikely]]
        return detail::transferredWithQuestions(fd, transfer, real);
    const std::uint32_t state = slot->state.load(std::memory_order_relaxed);
    const NameKey key = slot->key.load(std::memory_order_relaxed);
    const bool counted = transfer.offset == atPosition;  // then the position is what we have counted, if nobody else moves it
    const Ticks begin = now();
    const ssize_t got = real();
    const Ticks end = now();
    if (got < 0 || (counted && positionIsShared(state))) [[unlikely]] {
        noteTransfer({slot, fd, state, key}, {begin, end}, Transfer(transfer), got);
        return got;
    }
    const std::int64_t offset = counted ? slot->position.fetch_add(got, std::memory_order_relaxed) : transfer.offset;
    buffer::record(fileTransfer({begin, end}, transfer.kind, {key, offset, got, transfer.requested}, transfer.flags));
    return got;
}

/// The same for several buffers. What was asked for is summed up after the call: until then their array may be no memory of ours.
struct VectorTransfer {
    Kind kind;
    std::int64_t offset;
    const iovec* buffers;
    int count;
};
template <typename Real>
[[nodiscard]] inline ssize_t transferredVector(int fd, const VectorTransfer& call, Real real)
{
    if (!watching()) return real();
    const File file = table::fileOf(fd);
    if (file.fileClass() == FileClass::NotAFile) return real();
    const Ticks begin = now();
    const ssize_t got = real();
    const Ticks end = now();
    const auto positional = call.offset == atPosition ? std::uint16_t{0} : std::uint16_t{flagPositional};
    const std::uint64_t requested = got < 0 ? 0 : bytesOf(call.buffers, call.count);
    noteTransfer(file, {begin, end}, {call.kind, call.offset, requested, static_cast<std::uint16_t>(flagVector | positional)}, got);
    return got;
}

}  // namespace flowgauge::io
