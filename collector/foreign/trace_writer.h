// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct gzFile_s;

namespace flowgauge::foreign {

/// "text" as a JSON string, quotes included. Bytes that are no UTF-8 become U+FFFD: a viewer refuses the whole file for one of them.
[[nodiscard]] std::string jsonText(std::string_view text);
/// ns as the microseconds of a trace: "12.345".
[[nodiscard]] std::string microseconds(Nanos ns);

/// One Chrome trace being written; gzip where the name says so. The file is whole when close() returned.
class TraceWriter {
public:
    explicit TraceWriter(const std::filesystem::path& file);
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;
    ~TraceWriter();

    void event(std::string_view members);  ///< the inside of an object
    void close(Nanos baseUnixNs);

private:
    void write(std::string_view text);
    void flush();
    std::filesystem::path m_file;
    gzFile_s* m_handle = nullptr;
    std::string m_buffer;
    bool m_first = true;
};

}  // namespace flowgauge::foreign
