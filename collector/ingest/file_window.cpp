// SPDX-License-Identifier: MIT
#include "collector/ingest/file_window.h"

#include "collector/record/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace flowgauge::ingest {
namespace {
// Two chunks of a quarter of a usual ring with their headers, and no more than a core keeps near itself.
constexpr std::size_t ordinaryBytes = std::size_t{528} << 10;
}  // namespace

FileWindow::FileWindow(const std::filesystem::path& file) : m_file(::open(file.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (m_file < 0) throw Error(file.native(), "cannot be read: ", std::strerror(errno));
}

FileWindow::~FileWindow() { ::close(m_file); }

std::uint64_t FileWindow::length() const
{
    struct stat status = {};
    return ::fstat(m_file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void FileWindow::grow(std::size_t bytes)
{
    if (bytes <= m_capacity) return;
    m_capacity = std::max(ordinaryBytes, bytes);
    m_buffer.reset(static_cast<std::byte*>(::operator new[](m_capacity, std::align_val_t{64})));
    m_filled = 0;
}

const std::byte* FileWindow::at(std::uint64_t offset, std::size_t bytes)
{
    if (offset >= m_begin && offset + bytes <= m_begin + m_filled) return m_buffer.get() + (offset - m_begin);
    grow(bytes);
    // What is there already need not be read again: the front of a chunk, as a rule.
    const bool overlaps = offset >= m_begin && offset < m_begin + m_filled;
    const std::size_t kept = overlaps ? m_begin + m_filled - offset : 0;
    if (kept > 0) std::memmove(m_buffer.get(), m_buffer.get() + (offset - m_begin), kept);
    m_begin = offset;
    m_filled = kept;
    while (m_filled < m_capacity) {
        const ssize_t got = ::pread(m_file, m_buffer.get() + m_filled, m_capacity - m_filled, static_cast<off_t>(offset + m_filled));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        m_filled += static_cast<std::size_t>(got);
    }
    return bytes <= m_filled ? m_buffer.get() : nullptr;
}

}  // namespace flowgauge::ingest
