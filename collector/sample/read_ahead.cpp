// SPDX-License-Identifier: MIT
#include "collector/sample/read_ahead.h"

#include "collector/sample/mountstats.h"

namespace flowgauge::sample {
namespace {

constexpr Nanos lookAgainNs = 60'000'000'000;
constexpr int mostMounts = 64;  // each costs a few system calls

/// A network file system and a whole disk have a backing device of the superblock's number; a partition has its disk's queue.
bool readAheadOf(const SysRoot& root, std::string_view superblock, std::uint64_t& kib)
{
    std::array<char, 256> text;
    Path network("sys/class/bdi/");
    if (parseNumber(root.shortText(network.add(superblock).add("/read_ahead_kb").view(), text), kib)) return true;
    Path partition("sys/dev/block/");
    return parseNumber(root.shortText(partition.add(superblock).add("/../queue/read_ahead_kb").view(), text), kib);
}

/// The kernel's io_pages, which it shows nowhere: of NFS the rsize (fs/nfs/super.c), of a disk max_sectors_kb (block/blk-settings.c).
bool largestRequestOf(const SysRoot& root, const MountInfo& mount, std::uint64_t& kib)
{
    if (isNfsType(mount.type)) {
        std::uint64_t bytes = 0;
        const bool known = parseNumber(valueOfOption(mount.options, "rsize"), bytes);
        kib = bytes / 1024;
        return known;
    }
    for (const std::string_view file : {"/queue/max_sectors_kb", "/../queue/max_sectors_kb"}) {
        std::array<char, 256> text;
        Path path("sys/dev/block/");
        if (parseNumber(root.shortText(path.add(mount.superblock).add(file).view(), text), kib)) return true;
    }
    return false;
}

}  // namespace

void ReadAheadSampler::open(const Pass& pass)
{
    m_dueNs = 0;
    static_cast<void>(m_mounts.open(pass.root, "proc/self/mountinfo", FileShape::ToEnd));
    std::array<char, 256> text;
    const std::string_view release = pass.root.shortText("proc/sys/kernel/osrelease", text);
    if (!release.empty()) pass.sink.note("kernel", "measured", release);  // its rules for reading ahead differ
}

void ReadAheadSampler::close() { m_mounts.close(); }

void ReadAheadSampler::sample(const Pass& pass)
{
    if (!m_mounts.isOpen() || pass.sink.nowNs() < m_dueNs) return;
    m_dueNs = pass.sink.nowNs() + lookAgainNs;
    const FileReading reading = m_mounts.read(pass.root, pass.scratch);
    MountInfoLines mounts(reading.text);
    MountInfo mount;
    for (int found = 0; found < mostMounts && mounts.next(mount);) {
        std::uint64_t kib = 0;
        if (!readAheadOf(pass.root, mount.superblock, kib)) continue;
        ++found;
        std::array<char, 1024> name;
        const std::string_view path(name.data(), decodeOctal(mount.path, name.data(), name.size()));
        Source* const source = pass.sources.find(CounterFamily::Memory, path, pass.sources.isHalfFree());
        if (source == nullptr) continue;
        if (source->use == Use::Undecided) pass.sink.accept(*source, path);
        pass.sink.put(reading.at, *source, Counter::ReadAhead, kib);
        if (largestRequestOf(pass.root, mount, kib)) pass.sink.put(reading.at, *source, Counter::LargestRequest, kib);
    }
}

}  // namespace flowgauge::sample
