// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"
#include "collector/sample/text.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace flowgauge::sample {

/// Bytes for one file's text, mapped from the kernel and grown when a file needs more. One per thread that reads.
class Scratch {
public:
    constexpr Scratch() = default;
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    /// At least that many bytes; what was in it is kept. False when the kernel gives none.
    bool reserve(std::size_t bytes);
    void release();
    [[nodiscard]] char* data() { return m_data; }
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    char* m_data = nullptr;
    std::size_t m_size = 0;
};

/// A path below /proc or /sys put together from pieces, zero-terminated, without any allocation.
class Path {
public:
    constexpr Path() = default;
    explicit Path(std::string_view text) { add(text); }
    Path& add(std::string_view piece);
    /// Adds a name from a table of the kernel; '/' becomes '!', as sysfs spells it ("cciss!c0d0").
    Path& addName(std::string_view name);
    void cut(std::size_t length);
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] const char* text() const { return m_text.data(); }
    [[nodiscard]] bool fits() const { return m_fits; }
    [[nodiscard]] std::string_view view() const { return {m_text.data(), m_size}; }

private:
    std::array<char, 512> m_text{};
    std::size_t m_size = 0;
    bool m_fits = true;
};

/// The machine as its /proc and /sys tell it: the only code that opens them. With another root it is a captured tree.
class SysRoot {
public:
    constexpr SysRoot() = default;
    explicit SysRoot(std::string_view folder) : m_folder(folder) {}

    /// A descriptor on "proc/..." or "sys/...", or -errno. It lies above the numbers that programs count on.
    [[nodiscard]] int open(std::string_view path, int flags) const;
    [[nodiscard]] bool exists(std::string_view path) const;
    /// A link's target, in `into`; "" when there is none, or it is too long.
    [[nodiscard]] std::string_view linkTarget(std::string_view path, std::array<char, 256>& into) const;
    /// Last part of a link's target ("mlx5_core" for .../device/driver), in `into`; "" when there is none.
    [[nodiscard]] std::string_view linkName(std::string_view path, std::array<char, 256>& into) const;
    /// The text of a file of few bytes, its newline cut off; "" when it cannot be read.
    [[nodiscard]] std::string_view shortText(std::string_view path, std::array<char, 256>& into) const;
    [[nodiscard]] bool isMachine() const { return m_folder.size() == 0; }

private:
    Path m_folder;
};

/// The names in a folder, "." and ".." left out.
class FolderNames {
public:
    FolderNames(const SysRoot& root, std::string_view path) : m_fd(root.open(path, directoryFlags())) {}
    ~FolderNames();
    FolderNames(const FolderNames&) = delete;
    FolderNames& operator=(const FolderNames&) = delete;
    [[nodiscard]] bool opened() const { return m_fd >= 0; }
    bool next(std::string_view& name);

private:
    static int directoryFlags();
    int m_fd;
    std::size_t m_at = 0, m_end = 0;
    alignas(8) std::array<char, 2048> m_entries;
};

/// What one read of a file gave.
struct FileReading {
    std::string_view text;  ///< in the scratch: valid until the next read with it
    Ticks at = 0;           ///< middle of the read
    int error = 0;          ///< errno; 0 when text is what the file holds
};

/// What one read of a file of one number gave.
struct ValueReading {
    std::uint64_t value = 0;
    Ticks at = 0;        ///< middle of the read
    bool known = false;  ///< false: refused, or the text is no number ("N/A (no PMA)")
    int error = 0;       ///< errno of a refusal
};

/// A file of one number ("1234\n") that stays open. Small, since hundreds of them are walked through a hundred times a
/// second on cold caches; it does not know its path, so its owner opens it again when a read fails.
class ValueFile {
public:
    constexpr ValueFile() = default;
    /// 0, or errno.
    int open(const SysRoot& root, std::string_view path);
    void close();
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }
    [[nodiscard]] ValueReading read() const;

private:
    int m_fd = -1;
    int m_owner = 0;  ///< the process that opened it: in a forked child the number may mean another file
};

/// How a file of the kernel is read to its end.
enum class FileShape : unsigned char {
    OneRead,  ///< one read returns all of it (meminfo, stat)
    ToEnd,    ///< a table: a read returns about a page of whole records, so read on until there is no more
};

/// A file that is opened once and read again and again from its beginning. Reopened when the kernel has let go of what it
/// showed (ENODEV, ESTALE) or the program has closed our descriptor (EBADF).
class RereadFile {
public:
    constexpr RereadFile() = default;

    /// 0, or errno. The path is kept.
    int open(const SysRoot& root, std::string_view path, FileShape shape);
    void close();
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }
    [[nodiscard]] FileReading read(const SysRoot& root, Scratch& scratch);
    /// True for a file of a real /proc, and not of a captured tree.
    [[nodiscard]] bool isProcFile() const;

private:
    [[nodiscard]] FileReading readOnce(Scratch& scratch) const;
    void readAll(Scratch& scratch, FileReading& into) const;
    Path m_path;
    int m_fd = -1;
    int m_owner = 0;  ///< the process that opened it: in a forked child the number may mean another file
    FileShape m_shape = FileShape::OneRead;
};

}  // namespace flowgauge::sample
