// SPDX-License-Identifier: MIT
#include "collector/sample/sys_root.h"

#include "collector/buffer/descriptor.h"
#include "collector/record/raw.h"
#include "collector/sample/dated.h"

#include <linux/magic.h>
#include <sys/vfs.h>
#include <cstring>

namespace flowgauge::sample {

bool Scratch::reserve(std::size_t bytes)
{
    if (bytes <= m_size) return true;
    std::size_t size = m_size == 0 ? std::size_t{16} << 10 : m_size;
    while (size < bytes) size *= 2;
    void* const fresh = raw::map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == nullptr) return false;
    if (m_data != nullptr) std::memcpy(fresh, m_data, m_size);
    release();
    m_data = static_cast<char*>(fresh);
    m_size = size;
    return true;
}

void Scratch::release()
{
    if (m_data != nullptr) raw::unmap(m_data, m_size);
    m_data = nullptr;
    m_size = 0;
}

Path& Path::add(std::string_view piece)
{
    if (piece.size() >= m_text.size() - m_size) {
        m_fits = false;
        return *this;
    }
    if (!piece.empty()) std::memcpy(m_text.data() + m_size, piece.data(), piece.size());  // an empty one may be nullptr
    m_size += piece.size();
    m_text[m_size] = '\0';
    return *this;
}

Path& Path::addName(std::string_view name)
{
    const std::size_t begin = m_size;
    add(name);
    for (std::size_t at = begin; at < m_size; ++at)
        if (m_text[at] == '/') m_text[at] = '!';
    return *this;
}

void Path::cut(std::size_t length)
{
    if (length > m_size) return;
    m_size = length;
    m_text[m_size] = '\0';
    m_fits = true;
}

/// Programs close every descriptor up to some number, or expect the lowest free one: ours lie above both habits, so that a
/// number of ours is never taken for one of theirs. Where the limit does not allow it, the number stays as it is.
int SysRoot::open(std::string_view path, int flags) const
{
    Path whole = m_folder;
    whole.add("/").add(path);
    if (!whole.fits()) return -ENAMETOOLONG;
    const int fd = raw::open(whole.text(), flags);
    if (fd < 0) return fd;
    return buffer::moveHigh(fd);
}

bool SysRoot::exists(std::string_view path) const
{
    Path whole = m_folder;
    whole.add("/").add(path);
    return whole.fits() && raw::call(SYS_faccessat, AT_FDCWD, whole.text(), F_OK) == 0;
}

std::string_view SysRoot::linkTarget(std::string_view path, std::array<char, 256>& into) const
{
    Path whole = m_folder;
    whole.add("/").add(path);
    const ssize_t length = whole.fits() ? raw::readlink(whole.text(), into.data(), into.size()) : -ENAMETOOLONG;
    return length <= 0 ? std::string_view{} : std::string_view(into.data(), static_cast<std::size_t>(length));
}

std::string_view SysRoot::linkName(std::string_view path, std::array<char, 256>& into) const
{
    const std::string_view target = linkTarget(path, into);
    const std::size_t slash = target.rfind('/');
    return slash == std::string_view::npos ? target : from(target, slash + 1);
}

std::string_view SysRoot::shortText(std::string_view path, std::array<char, 256>& into) const
{
    const int fd = open(path, O_RDONLY);
    if (fd < 0) return {};
    const ssize_t got = raw::pread(fd, into.data(), into.size(), 0);
    raw::close(fd);
    if (got <= 0) return {};
    std::string_view text(into.data(), static_cast<std::size_t>(got));
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    return text;
}

int FolderNames::directoryFlags() { return O_RDONLY | O_DIRECTORY; }

FolderNames::~FolderNames()
{
    if (m_fd >= 0) raw::close(m_fd);
}

/// struct linux_dirent64: inode 8, offset 8, record length 2, type 1, then the name with its zero.
bool FolderNames::next(std::string_view& name)
{
    constexpr std::size_t lengthAt = 16, nameAt = 19;
    while (m_fd >= 0) {
        if (m_at >= m_end) {
            const long got = raw::call(SYS_getdents64, m_fd, m_entries.data(), m_entries.size());
            if (got <= 0) return false;
            m_at = 0;
            m_end = static_cast<std::size_t>(got);
        }
        const char* const entry = m_entries.data() + m_at;
        std::uint16_t length = 0;
        std::memcpy(&length, entry + lengthAt, sizeof length);
        m_at += length;
        name = entry + nameAt;
        if (name != "." && name != "..") return true;
    }
    return false;
}

int ValueFile::open(const SysRoot& root, std::string_view path)
{
    close();
    m_fd = root.open(path, O_RDONLY);
    m_owner = raw::processId();
    return m_fd < 0 ? -m_fd : 0;
}

void ValueFile::close()
{
    if (m_fd >= 0 && m_owner == raw::processId()) raw::close(m_fd);
    m_fd = -1;
}

/// A text that fills the buffer is none of the numbers that the kernel prints (20 digits and a newline or two).
ValueReading ValueFile::read() const
{
    std::array<char, 64> text;
    ssize_t got = 0;
    ValueReading reading;
    reading.at = dated([&] {
        got = raw::pread(m_fd, text.data(), text.size(), 0);
        return true;
    });
    if (got < 0) reading.error = static_cast<int>(-got);
    if (got > 0 && static_cast<std::size_t>(got) < text.size())
        reading.known = parseValueFile({text.data(), static_cast<std::size_t>(got)}, reading.value);
    return reading;
}

int RereadFile::open(const SysRoot& root, std::string_view path, FileShape shape)
{
    close();
    m_path = Path(path);
    m_shape = shape;
    m_fd = root.open(path, O_RDONLY);
    m_owner = raw::processId();
    return m_fd < 0 ? -m_fd : 0;
}

void RereadFile::close()
{
    if (m_fd >= 0 && m_owner == raw::processId()) raw::close(m_fd);
    m_fd = -1;
}
/// A text that is longer is taken as cut; 4,000 NFS mounts make 12 MiB.
constexpr std::size_t mostBytes = std::size_t{64} << 20;

FileReading RereadFile::readOnce(Scratch& scratch) const
{
    constexpr std::size_t longTable = std::size_t{64} << 10;  // thousands of mounts may well take long
    FileReading reading;
    reading.at = dated([&] {
        readAll(scratch, reading);
        return reading.text.size() < longTable;
    });
    return reading;
}

void RereadFile::readAll(Scratch& scratch, FileReading& into) const
{
    into = {};
    if (!scratch.reserve(1)) {
        into.error = ENOMEM;
        return;
    }
    std::size_t filled = 0;
    for (;;) {
        const ssize_t got = raw::pread(m_fd, scratch.data() + filled, scratch.size() - filled, static_cast<off_t>(filled));
        if (got < 0) {
            into.error = static_cast<int>(-got);
            return;
        }
        filled += static_cast<std::size_t>(got);
        const bool full = filled == scratch.size();
        if (got == 0 || (m_shape == FileShape::OneRead && !full)) break;
        if (full && (filled >= mostBytes || !scratch.reserve(filled + 1))) break;
    }
    into.text = {scratch.data(), filled};
}

bool RereadFile::isProcFile() const
{
    struct statfs about = {};
    return m_fd >= 0 && raw::call(SYS_fstatfs, m_fd, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
}

FileReading RereadFile::read(const SysRoot& root, Scratch& scratch)
{
    if (m_fd >= 0) {
        const FileReading reading = readOnce(scratch);
        if (reading.error != ENODEV && reading.error != ESTALE && reading.error != EBADF) return reading;
        // A number that is no longer ours (EBADF) must not be closed: the program may have it.
        if (reading.error != EBADF) close();
    }
    m_fd = root.open(m_path.view(), O_RDONLY);
    if (m_fd < 0) return {{}, 0, -m_fd};
    return readOnce(scratch);
}

}  // namespace flowgauge::sample
