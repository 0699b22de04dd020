// SPDX-License-Identifier: MIT
#include "collector/foreign/trace_writer.h"

#include "collector/record/error.h"

#include <zlib.h>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace flowgauge::foreign {
namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 18;

/// Length of the UTF-8 character at the front; 0 where none stands there.
std::size_t characterLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
    return length;
}

}  // namespace

std::string jsonText(std::string_view text)
{
    std::string result = "\"";
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t length = characterLength(text);
        if (c == '"' || c == '\\') {
            (result += '\\') += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            result += escape;
        } else if (length == 0) {
            result += "\xEF\xBF\xBD";
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result + '"';
}

std::string microseconds(Nanos ns)
{
    char text[40];
    const std::uint64_t magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
    std::snprintf(text, sizeof text, "%s%llu.%03llu", ns < 0 ? "-" : "", static_cast<unsigned long long>(magnitude / 1000),
                  static_cast<unsigned long long>(magnitude % 1000));
    return text;
}

TraceWriter::TraceWriter(const std::filesystem::path& file) : m_file(file)
{
    const bool packed = file.extension() == ".gz";
    m_handle = ::gzopen(file.c_str(), packed ? "wb6" : "wbT");  // T: as it is
    if (m_handle == nullptr) throw Error(file.string(), "cannot be written: ", std::strerror(errno));
    m_buffer = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
}

TraceWriter::~TraceWriter()
{
    if (m_handle != nullptr) ::gzclose_w(m_handle);
}

void TraceWriter::event(std::string_view members)
{
    write(m_first ? "{" : ",\n{");
    write(members);
    write("}");
    m_first = false;
}

void TraceWriter::close(Nanos baseUnixNs)
{
    write("\n], \"baseTimeNanoseconds\": " + std::to_string(baseUnixNs) + ", \"otherData\": {\"tool\": \"flowgauge\"}}\n");
    flush();
    gzFile_s* const handle = m_handle;
    m_handle = nullptr;
    if (::gzclose_w(handle) != Z_OK) throw Error(m_file.string(), "cannot be written: ", std::strerror(errno));
}

void TraceWriter::write(std::string_view text)
{
    m_buffer += text;
    if (m_buffer.size() >= bufferBytes) flush();
}

void TraceWriter::flush()
{
    if (!m_buffer.empty() && ::gzwrite(m_handle, m_buffer.data(), static_cast<unsigned>(m_buffer.size())) <= 0)
        throw Error(m_file.string(), "cannot be written: ", std::strerror(errno));
    m_buffer.clear();
}

}  // namespace flowgauge::foreign
