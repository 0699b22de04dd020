// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/event.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// What each descriptor of this process stands for. A cache, never the truth: whatever is not in it is asked of the kernel.
/// Free of locks; any thread and any signal handler may use it. Two threads that use one descriptor while a third closes and
/// reopens it have a race of their own; the table then tells the old or the new file, nothing else.
namespace flowgauge::io {

enum class FileClass : std::uint32_t {
    Unknown = 0,   ///< ask the kernel at the next use
    NotAFile = 1,  ///< socket, pipe, terminal, folder, our own file
    Code = 2,      ///< program code or a system file: summed, not recorded
    Data = 3,
};

/// What one descriptor is. `state` holds the class, the access mode, and who else moves the position.
struct Slot {
    std::atomic<std::uint32_t> state;
    std::atomic<NameKey> key;
    std::atomic<std::int64_t> position;  ///< where the next sequential call begins, as far as our own arithmetic knows
};

/// A descriptor at the moment of a call.
struct File {
    Slot* slot;  ///< nullptr beyond the table
    int fd;
    std::uint32_t state;
    NameKey key;

    [[nodiscard]] FileClass fileClass() const { return static_cast<FileClass>(state & 3U); }
    [[nodiscard]] bool isData() const { return fileClass() == FileClass::Data; }
    /// O_RDONLY, O_WRONLY or O_RDWR.
    [[nodiscard]] int access() const { return static_cast<int>(state >> 4U & 3U); }
    /// True when another descriptor or process may move the position, or appending does: only the kernel knows it then.
    [[nodiscard]] bool positionIsShared() const;
};

namespace table {

inline constexpr int size = 65'536;
inline constexpr std::uint32_t sharedBit = 4;
inline constexpr std::uint32_t appendBit = 8;
inline constexpr std::uint32_t generationShift = 8;  ///< above it: how often this process had forked when the file was opened

namespace detail {
extern std::atomic<Slot*> slots;
extern std::atomic<std::uint32_t> forks;  ///< how often this process has forked; positions older than that are shared
[[nodiscard]] File resolve(int fd);
}  // namespace detail

/// What the descriptor is; asks the kernel (fstat, readlink) when the table does not know. Data files get their key there.
[[nodiscard]] inline File fileOf(int fd)
{
    Slot* const slots = detail::slots.load(std::memory_order_acquire);
    if (slots == nullptr || static_cast<unsigned>(fd) >= static_cast<unsigned>(size)) return detail::resolve(fd);
    Slot& slot = slots[fd];
    const std::uint32_t state = slot.state.load(std::memory_order_acquire);
    if ((state & 3U) == 0) return detail::resolve(fd);
    return File{&slot, fd, state, slot.key.load(std::memory_order_relaxed)};
}

/// The slot of a descriptor that the table knows as a data file, else nullptr. Asks nobody.
[[nodiscard]] inline Slot* knownData(int fd)
{
    Slot* const slots = detail::slots.load(std::memory_order_acquire);
    if (slots == nullptr || static_cast<unsigned>(fd) >= static_cast<unsigned>(size)) return nullptr;
    return FileClass{slots[fd].state.load(std::memory_order_acquire) & 3U} == FileClass::Data ? &slots[fd] : nullptr;
}

/// What the table holds, without asking anybody: Unknown when it holds nothing.
[[nodiscard]] File cached(int fd);

/// A file was just opened by us at that descriptor, with these open flags, at position 0. `path` may be nullptr (unreadable).
/// Answers what it is.
File opened(int fd, const char* path, int openFlags);

/// `copy` now stands for the same open file as `fd`: both share one position from here on.
void duplicated(int fd, int copy);

/// Call it before the real close: another thread may be given the same number at once.
void forget(int fd);

/// The highest descriptor that the table may hold, -1 for an empty table.
[[nodiscard]] int highest();

/// Forgets a range, ends included, and shows every data file in it to `eachData` first.
template <typename Visit>
void forgetRange(unsigned first, unsigned last, Visit eachData)
{
    const int end = highest();
    for (int fd = 0; fd <= end; ++fd) {
        if (static_cast<unsigned>(fd) < first || static_cast<unsigned>(fd) > last) continue;
        const File file = cached(fd);
        if (file.isData()) eachData(file);
        forget(fd);
    }
}

/// Something we do not follow moves the position from now on.
void share(const File& file);

/// In parent and child after a fork: positions of what was open are shared now.
void positionsAreShared();

/// In a child after fork: everything is asked anew, since the parent's keys mean nothing in the child's spool.
void forgetAfterFork();

}  // namespace table

/// The same of a slot's state.
[[nodiscard]] inline bool positionIsShared(std::uint32_t state)
{
    constexpr std::uint32_t mask = ~std::uint32_t{0} >> table::generationShift;
    const std::uint32_t forks = table::detail::forks.load(std::memory_order_relaxed) & mask;
    return (state & (table::sharedBit | table::appendBit)) != 0 || state >> table::generationShift != forks;
}

inline bool File::positionIsShared() const { return slot == nullptr || io::positionIsShared(state); }

/// True in a child of vfork, which borrows its parent's memory: it must leave the table and the rings alone.
[[nodiscard]] bool inVforkChild();
/// Remembers who we are. At start and in a child after fork.
void rememberProcess();

}  // namespace flowgauge::io
