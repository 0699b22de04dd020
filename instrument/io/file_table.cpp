// SPDX-License-Identifier: MIT
#include "instrument/io/file_table.h"

#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "instrument/io/io.h"
#include "instrument/io/path_filter.h"

#include <sys/stat.h>
#include <cstring>

namespace flowgauge::io {
namespace {

constinit std::atomic<void (*)(std::string_view, std::uint64_t, std::uint64_t)> tellDataFile{nullptr};
constinit std::atomic<int> processId{0};
constinit std::atomic<int> highestHeld{-1};  ///< highest descriptor that the table has held

std::uint32_t stateOf(FileClass fileClass, int access, std::uint32_t bits)
{
    const std::uint32_t generation = table::detail::forks.load(std::memory_order_relaxed) << table::generationShift;
    return static_cast<std::uint32_t>(fileClass) | bits | static_cast<std::uint32_t>(access & O_ACCMODE) << 4U | generation;
}

/// 1.5 MiB of address space; only the pages that are touched cost memory.
Slot* mappedSlots()
{
    Slot* known = table::detail::slots.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    constexpr std::size_t bytes = table::size * sizeof(Slot);
    auto* const fresh = static_cast<Slot*>(raw::map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (fresh == nullptr) return nullptr;
    if (table::detail::slots.compare_exchange_strong(known, fresh, std::memory_order_acq_rel)) return fresh;
    raw::unmap(fresh, bytes);
    return known;
}

Slot* slotOf(int fd)
{
    if (static_cast<unsigned>(fd) >= static_cast<unsigned>(table::size)) return nullptr;
    Slot* const slots = mappedSlots();
    if (slots == nullptr) return nullptr;
    int known = highestHeld.load(std::memory_order_relaxed);
    while (fd > known && !highestHeld.compare_exchange_weak(known, fd, std::memory_order_relaxed)) {
    }
    return slots + fd;
}

File put(int fd, std::uint32_t state, NameKey key)
{
    Slot* const slot = slotOf(fd);
    if (slot != nullptr) {
        slot->state.store(0, std::memory_order_relaxed);
        slot->key.store(key, std::memory_order_relaxed);
        slot->position.store(0, std::memory_order_relaxed);
        slot->state.store(state, std::memory_order_release);
    }
    return File{slot, fd, state, key};
}

File notAFile(int fd) { return put(fd, stateOf(FileClass::NotAFile, 0, 0), 0); }

/// What lies behind a descriptor: only regular files and block devices have contents that storage holds.
struct Contents {
    bool regular = false;
    bool block = false;
    bool unlinked = false;
    std::uint64_t device = 0, inode = 0;
};

Contents contentsOf(int fd)
{
    struct stat about;
    if (raw::call(SYS_fstat, fd, &about) != 0) return {};
    return {S_ISREG(about.st_mode), S_ISBLK(about.st_mode), about.st_nlink == 0, about.st_dev, about.st_ino};
}

/// "/proc/self/fd/" and the number; answers `into`.
const char* linkOf(int fd, std::array<char, 32>& into)
{
    constexpr std::string_view folder = "/proc/self/fd/";
    std::memcpy(into.data(), folder.data(), folder.size());
    std::array<char, 12> digits;
    std::size_t count = 0;
    for (auto rest = static_cast<unsigned>(fd); count == 0 || rest != 0; rest /= 10) digits[count++] = static_cast<char>('0' + rest % 10);
    char* at = into.data() + folder.size();
    while (count > 0) *at++ = digits[--count];
    *at = '\0';
    return into.data();
}

using PathText = std::array<char, 4096>;

/// The absolute name that the kernel knows, or "". A name the file has lost ("... (deleted)") is given as it was.
std::string_view nameFromKernel(int fd, bool unlinked, PathText& into)
{
    std::array<char, 32> link;
    const ssize_t length = raw::readlink(linkOf(fd, link), into.data(), into.size());
    if (length <= 0 || into[0] != '/') return {};
    std::string_view name(into.data(), static_cast<std::size_t>(length));
    constexpr std::string_view mark = " (deleted)";
    if (unlinked && name.ends_with(mark)) name.remove_suffix(mark.size());
    return name.starts_with("/memfd:") ? std::string_view{} : name;
}

/// Block devices lie in /dev among the system's files, and are data all the same.
PathClass classOf(std::string_view name, const Contents& contents)
{
    const PathClass byName = classOfPath(name);
    return contents.block && byName == PathClass::Code ? PathClass::Data : byName;
}

File named(int fd, std::string_view name, const Contents& contents, std::uint32_t bits, int access)
{
    switch (classOf(name, contents)) {
        case PathClass::Code:
            return put(fd, stateOf(FileClass::Code, access, bits), 0);
        case PathClass::Ignored:
            return notAFile(fd);
        case PathClass::Data:
            break;
    }
    const auto tell = tellDataFile.load(std::memory_order_relaxed);
    if (tell != nullptr && contents.regular && (access & O_ACCMODE) == O_RDONLY) tell(name, contents.device, contents.inode);
    return put(fd, stateOf(FileClass::Data, access, bits), buffer::name(NameClass::File, name));
}

bool isTemporary(int openFlags) { return (openFlags & O_TMPFILE) == O_TMPFILE; }
bool hasNoContents(int openFlags) { return (openFlags & O_PATH) != 0 || ((openFlags & O_DIRECTORY) != 0 && !isTemporary(openFlags)); }

/// Known from the path alone: spares the system calls for the many modules that an interpreter opens.
bool isCodeByName(const char* path)
{
    if (path[0] != '/' && hasDataRules()) return false;
    return !std::string_view(path).starts_with("/dev/") && classOfPath(path) == PathClass::Code;
}

}  // namespace

void onDataFile(void (*callback)(std::string_view, std::uint64_t, std::uint64_t))
{
    tellDataFile.store(callback, std::memory_order_relaxed);
}

bool inVforkChild() { return raw::processId() != processId.load(std::memory_order_relaxed); }
void rememberProcess() { processId.store(raw::processId(), std::memory_order_relaxed); }

namespace table {

namespace detail {
constinit std::atomic<Slot*> slots{nullptr};
constinit std::atomic<std::uint32_t> forks{0};

/// A descriptor that was inherited, received, or opened where no hook stands. Standard output and error are logs: a helper
/// that prints into a file must not start the recorder.
File resolve(int fd)
{
    if (fd < 0) return File{nullptr, fd, static_cast<std::uint32_t>(FileClass::NotAFile), 0};
    const Contents contents = contentsOf(fd);
    if ((!contents.regular && !contents.block) || fd == STDOUT_FILENO || fd == STDERR_FILENO) return notAFile(fd);
    PathText text;
    const std::string_view name = nameFromKernel(fd, contents.unlinked, text);
    if (name.empty()) return notAFile(fd);
    const long flags = raw::call(SYS_fcntl, fd, F_GETFL);
    return named(fd, name, contents, sharedBit, flags < 0 ? O_RDWR : static_cast<int>(flags));
}
}  // namespace detail

File cached(int fd)
{
    Slot* const known = detail::slots.load(std::memory_order_acquire);
    if (known == nullptr || static_cast<unsigned>(fd) >= static_cast<unsigned>(size)) return File{nullptr, fd, 0, 0};
    return File{known + fd, fd, known[fd].state.load(std::memory_order_acquire), known[fd].key.load(std::memory_order_relaxed)};
}

File opened(int fd, const char* path, int openFlags)
{
    const std::uint32_t bits = (openFlags & O_APPEND) != 0 ? appendBit : 0;
    if (hasNoContents(openFlags)) return notAFile(fd);
    if (path != nullptr && isCodeByName(path)) return put(fd, stateOf(FileClass::Code, openFlags, bits), 0);
    const Contents contents = contentsOf(fd);
    if (!contents.regular && !contents.block) return notAFile(fd);
    PathText text;
    const bool isComplete = path != nullptr && path[0] == '/' && !isTemporary(openFlags);
    const std::string_view name = isComplete ? std::string_view(path) : nameFromKernel(fd, contents.unlinked, text);
    return name.empty() ? notAFile(fd) : named(fd, name, contents, bits, openFlags);
}

void duplicated(int fd, int copy)
{
    const File file = cached(fd);
    if (file.fileClass() == FileClass::Unknown) return forget(copy);
    share(file);
    put(copy, file.state | sharedBit, file.key);
}

void forget(int fd)
{
    const File file = cached(fd);
    if (file.slot != nullptr && file.state != 0) file.slot->state.store(0, std::memory_order_release);
}

int highest() { return highestHeld.load(std::memory_order_relaxed); }

void share(const File& file)
{
    if (file.slot != nullptr) file.slot->state.fetch_or(sharedBit, std::memory_order_relaxed);
}

void positionsAreShared() { detail::forks.fetch_add(1, std::memory_order_relaxed); }

void forgetAfterFork()
{
    forgetRange(0, size, [](const File&) {});
}

}  // namespace table

}  // namespace flowgauge::io
