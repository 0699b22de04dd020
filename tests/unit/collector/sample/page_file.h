// SPDX-License-Identifier: MIT
#pragma once
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::sample {

/// A file of a test of whose pages none is in memory until the test reads it. Without read-ahead, a page that is read brings no other.
class PageFile {
public:
    PageFile(std::string path, std::int64_t bytes) : m_path(std::move(path)), m_bytes(bytes)
    {
        m_fd = ::open(m_path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0644);
        m_whole = m_fd >= 0 && ::ftruncate(m_fd, bytes) == 0 && ::fsync(m_fd) == 0;
        ::posix_fadvise(m_fd, 0, 0, POSIX_FADV_DONTNEED);
        ::posix_fadvise(m_fd, 0, 0, POSIX_FADV_RANDOM);
    }
    PageFile(const PageFile&) = delete;
    PageFile& operator=(const PageFile&) = delete;
    ~PageFile()
    {
        ::close(m_fd);
        ::unlink(m_path.c_str());
    }
    void read(std::int64_t from, std::int64_t to) const
    {
        std::vector<char> bytes(static_cast<std::size_t>(to - from));
        m_whole = m_whole && ::pread(m_fd, bytes.data(), bytes.size(), from) == to - from;
    }
    [[nodiscard]] int fd() const { return m_fd; }
    [[nodiscard]] bool whole() const { return m_whole; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] struct stat status() const
    {
        struct stat about = {};
        ::fstat(m_fd, &about);
        return about;
    }
    /// Why pages of this file cannot be told to leave memory, or be counted there; "" when they can.
    [[nodiscard]] std::string trouble() const
    {
        struct statfs about = {};
        ::fstatfs(m_fd, &about);
        if (about.f_type == TMPFS_MAGIC) return "the tests' folder is on tmpfs, whose pages stay";
        return about.f_type == OVERLAYFS_SUPER_MAGIC ? "the tests' folder is on overlayfs" : "";
    }

private:
    std::string m_path;
    std::int64_t m_bytes;
    int m_fd = -1;
    mutable bool m_whole = false;
};

}  // namespace flowgauge::sample
