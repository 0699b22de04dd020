// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/pass.h"

namespace flowgauge::sample {

/// A line of /proc/diskstats. Sectors are 512 bytes on every device.
struct DiskLine {
    std::string_view name;
    std::uint64_t readOps = 0, readSectors = 0, readMs = 0, writeSectors = 0, busyMs = 0;
};

/// The numbers of a line after the name, or of /sys/block/<name>/stat. False when there are too few.
[[nodiscard]] bool parseDiskNumbers(std::string_view text, DiskLine& into);

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
/// Which devices there are comes from /proc/diskstats, now and then; between those looks a few devices are read by their
/// own files, since the table costs the kernel as much for each loop device and partition as for the disk.
class DiskSampler {
public:
    [[nodiscard]] Availability open(const Pass& pass);
    void sample(const Pass& pass);
    void close();

private:
    struct Disk {
        Source* source = nullptr;
        RereadFile stat;
    };
    static constexpr std::size_t mostDisks = 8;

    [[nodiscard]] bool isWorthIt(const SysRoot& root, std::string_view name) const;
    void look(const Pass& pass);
    void addDisk(const Pass& pass, std::string_view name, Source& source);
    void forgetDisks();
    [[nodiscard]] bool putDisk(const Pass& pass, Disk& disk);

    RereadFile m_table;
    std::array<Disk, mostDisks> m_disks{};
    std::size_t m_count = 0;
    bool m_seesBlock = false;
    bool m_reads = false;  ///< every sampled device is in m_disks, its file open
    Nanos m_lookDueNs = 0;
};

}  // namespace flowgauge::sample
