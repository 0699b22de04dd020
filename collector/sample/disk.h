// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// A line of /proc/diskstats. Sectors are 512 bytes on every device.
struct DiskLine {
    std::string_view name;
    std::uint64_t readOps = 0, readSectors = 0, readMs = 0, writeSectors = 0, busyMs = 0;
};

/// The devices of a /proc/diskstats text, of any kernel since 2.6 (11 columns; 15 since 4.18, 17 since 5.5).
class DiskLines {
public:
    explicit constexpr DiskLines(std::string_view text) : m_lines(text) {}
    bool next(DiskLine& into);

private:
    Lines m_lines;
};

/// What a name alone tells: false for partitions, and for devices that only pass on or make up their data (dm, md, loop,
/// ram, zram, floppy and optical drives). For machines whose /sys/block cannot be seen.
[[nodiscard]] bool isWholeDiskName(std::string_view name);

/// Whole block devices, each byte once: no partitions, nothing that lies on other devices (dm, md). NFS is not in it.
class DiskSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close() { m_file.close(); }

private:
    [[nodiscard]] bool isWorthIt(const SysRoot& root, std::string_view name) const;
    RereadFile m_file;
    bool m_seesBlock = false;
};

}  // namespace flowgauge::sample
