// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>

namespace flowgauge::ingest {

/// A read-only file seen through one sliding buffer. Reads with pread and not through a mapping, since the process that writes
/// the file may cut off reserved space at any moment and a mapping would answer with SIGBUS. For one thread.
class FileWindow {
public:
    /// Throws Error with the path and the system's words.
    explicit FileWindow(const std::filesystem::path& file);
    FileWindow(const FileWindow&) = delete;
    FileWindow& operator=(const FileWindow&) = delete;
    ~FileWindow();

    /// Length of the file now, in bytes.
    [[nodiscard]] std::uint64_t length() const;

    /// `bytes` bytes from `offset` (a multiple of 64; the pointer is 64-aligned then), or nullptr where the file ends before.
    /// Valid until the next call.
    [[nodiscard]] const std::byte* at(std::uint64_t offset, std::size_t bytes);

    /// Forgets what was buffered, so that at() sees what was written since.
    void refresh() { m_filled = 0; }

private:
    struct Aligned {
        void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
    };
    void grow(std::size_t bytes);

    int m_file;
    std::unique_ptr<std::byte[], Aligned> m_buffer;
    std::size_t m_capacity = 0;
    std::uint64_t m_begin = 0;
    std::size_t m_filled = 0;
};

}  // namespace flowgauge::ingest
