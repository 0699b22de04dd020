// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// The first line of /proc/stat, all processors together, in USER_HZ ticks.
struct CpuTimes {
    bool known = false;
    std::uint64_t user = 0;    ///< nice and guests included
    std::uint64_t system = 0;  ///< interrupts included
    std::uint64_t idle = 0, ioWait = 0;
};
[[nodiscard]] CpuTimes parseCpuTimes(std::string_view text);

/// Processor time of the whole machine.
class CpuSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close() { m_file.close(); }

private:
    RereadFile m_file;
};

}  // namespace flowgauge::sample
