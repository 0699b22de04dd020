// SPDX-License-Identifier: MIT
#include "collector/foreign/text_source.h"

#include "collector/record/error.h"

#include <zlib.h>
#include <algorithm>
#include <cerrno>
#include <cstring>

namespace flowgauge::foreign {
namespace {
constexpr std::size_t pieceBytes = std::size_t{1} << 18;
}

TextSource::TextSource(const std::filesystem::path& file) : m_file(file), m_buffer(pieceBytes)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) throw Error(file.string(), "is a directory, expected a file");
    m_handle = ::gzopen(file.c_str(), "rb");
    if (m_handle == nullptr) throw Error(file.string(), "cannot be read: ", std::strerror(errno));
    ::gzbuffer(m_handle, static_cast<unsigned>(pieceBytes));
    m_fileBytes = std::filesystem::file_size(file, ignored);
}

TextSource::~TextSource() { ::gzclose_r(m_handle); }

bool TextSource::fill()
{
    m_bytesBefore += m_filled;
    const int got = ::gzread(m_handle, m_buffer.data(), static_cast<unsigned>(m_buffer.size()));
    int status = Z_OK;
    const char* const problem = ::gzerror(m_handle, &status);
    if (got < 0 && status != Z_BUF_ERROR) throw Error(m_file.string(), "cannot be read on: ", problem);
    m_filled = static_cast<std::size_t>(std::max(got, 0));
    return m_filled > 0;
}

double TextSource::share() const
{
    if (m_fileBytes == 0) return 1.0;
    return std::min(1.0, static_cast<double>(::gzoffset(m_handle)) / static_cast<double>(m_fileBytes));
}

}  // namespace flowgauge::foreign
