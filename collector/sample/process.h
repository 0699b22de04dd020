// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/memory.h"
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// /proc/self/io, in bytes.
struct ProcessIo {
    MaybeNumber readChars, readBytes, writeBytes;
};
[[nodiscard]] ProcessIo parseProcessIo(std::string_view text);

/// What we take from /proc/self/stat. Times in microseconds, in steps of a USER_HZ tick (10 ms).
struct ProcessStat {
    bool known = false;
    std::uint64_t minorFaults = 0, majorFaults = 0, userUs = 0, systemUs = 0, residentPages = 0;
};
[[nodiscard]] ProcessStat parseProcessStat(std::string_view text);

/// The counters of the process itself.
class ProcessSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    RereadFile m_io, m_stat;
};

}  // namespace flowgauge::sample
