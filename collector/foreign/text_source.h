// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

struct gzFile_s;

namespace flowgauge::foreign {

/// The text of a plain or gzip file, a piece at a time: memory is one buffer. Throws Error for what cannot be read or is no gzip
/// inside. A gzip file that stops in the middle reads as the text that is there.
class TextSource {
public:
    explicit TextSource(const std::filesystem::path& file);
    TextSource(const TextSource&) = delete;
    TextSource& operator=(const TextSource&) = delete;
    ~TextSource();

    [[nodiscard]] bool fill();  ///< the next piece; false at the end
    [[nodiscard]] const char* begin() const { return m_buffer.data(); }
    [[nodiscard]] const char* end() const { return m_buffer.data() + m_filled; }
    [[nodiscard]] std::uint64_t bytesBefore() const { return m_bytesBefore; }  ///< of text, before this piece
    [[nodiscard]] double share() const;                                        ///< 0..1 of the file

private:
    std::filesystem::path m_file;
    gzFile_s* m_handle = nullptr;
    std::uintmax_t m_fileBytes = 0;
    std::vector<char> m_buffer;
    std::size_t m_filled = 0;
    std::uint64_t m_bytesBefore = 0;
};

}  // namespace flowgauge::foreign
