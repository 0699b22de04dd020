// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/cgroup.h"
#include "collector/sample/pass.h"
#include "collector/sample/read_ahead.h"

namespace flowgauge::sample {

/// A number that the text may lack: older kernels have fewer lines.
struct MaybeNumber {
    std::uint64_t value = 0;
    bool known = false;
};

/// What we take from /proc/meminfo, in KiB.
struct MemoryInfo {
    MaybeNumber total, available, cached, shmem, dirty, activeFile, inactiveFile;
};
[[nodiscard]] MemoryInfo parseMemoryInfo(std::string_view text);

/// What we take from /proc/vmstat. workingset_refault_file was workingset_refault before 5.9.
struct VirtualMemory {
    MaybeNumber pageInKib, majorFaults, refaultedFilePages;
};
[[nodiscard]] VirtualMemory parseVirtualMemory(std::string_view text);

/// Memory and page cache of the whole machine, and of the job's cgroup where it has one; what file systems read ahead.
class MemorySampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    RereadFile m_info, m_vmstat;
    CgroupSampler m_cgroup;
    ReadAheadSampler m_readAhead;
};

}  // namespace flowgauge::sample
