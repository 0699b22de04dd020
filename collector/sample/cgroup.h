// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// Where this process's memory is counted, from /proc/self/cgroup: "0::/job" (v2) or "9:memory:/job" (v1, which wins where
/// both are there, since memory has one controller only).
struct CgroupPlace {
    bool known = false, first = false;  ///< first: version 1
    std::string_view path;
};
[[nodiscard]] CgroupPlace parseCgroup(std::string_view text);

/// What we take from memory.stat: page cache in bytes, and pages that were read again after eviction. Version 1 counts the
/// whole tree in lines that begin with total_, and has no refaults before 5.9.
struct CgroupStat {
    std::uint64_t fileBytes = 0, refaultedPages = 0;
    bool fileKnown = false, refaultsKnown = false;
};
[[nodiscard]] CgroupStat parseCgroupStat(std::string_view text, bool first);

/// Memory of the job's cgroup: what it may have, what it has. A data set fits into the page cache of the cgroup, not of the
/// node. The cgroup is that of the process that samples the host.
class CgroupSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    [[nodiscard]] std::uint64_t tightestLimit(const SysRoot& root, Path folder, std::size_t top) const;
    RereadFile m_stat;
    ValueFile m_used;
    std::uint64_t m_limit = 0;  ///< 0: none
    bool m_first = false;
};

}  // namespace flowgauge::sample
