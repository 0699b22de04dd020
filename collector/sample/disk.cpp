// SPDX-License-Identifier: MIT
#include "collector/sample/disk.h"

namespace flowgauge::sample {
namespace {

constexpr bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

/// "dm-0" and "md127" pass on what lies below them; loop and ram devices read memory or a file that is counted elsewhere.
bool isMadeUp(std::string_view name)
{
    constexpr std::array<std::string_view, 8> heads{"loop", "ram", "zram", "dm-", "md", "fd", "sr", "drbd"};
    for (const std::string_view head : heads)
        if (startsWith(name, head)) return true;
    return false;
}

/// A device that is built of others lists them in its "slaves" folder.
bool liesOnOthers(const SysRoot& root, std::string_view name)
{
    Path path("sys/block/");
    FolderNames slaves(root, path.addName(name).add("/slaves").view());
    std::string_view slave;
    return slaves.next(slave);
}

constexpr Nanos lookAgainNs = 10'000'000'000;

void putAll(const Pass& pass, Ticks at, Source& source, const DiskLine& disk)
{
    pass.sink.put(at, source, Counter::DiskReadBytes, disk.readSectors);
    pass.sink.put(at, source, Counter::DiskWriteBytes, disk.writeSectors);
    pass.sink.put(at, source, Counter::DiskReadOps, disk.readOps);
    pass.sink.put(at, source, Counter::DiskReadMs, disk.readMs);
    pass.sink.put(at, source, Counter::DiskBusyMs, disk.busyMs);
}

}  // namespace

/// Partitions had four numbers before 2.6.25.
bool parseDiskNumbers(std::string_view text, DiskLine& into)
{
    std::array<std::uint64_t, 11> value{};
    if (parseNumbers(text, value) < value.size()) return false;
    into = {into.name, value[0], value[2], value[3], value[6], value[9]};
    return true;
}

bool DiskLines::next(DiskLine& into)
{
    std::string_view line, word;
    while (m_lines.next(line)) {
        Words words(line);
        into = {};
        if (!words.next(word) || !words.next(word) || !words.next(into.name)) continue;  // major, minor, name
        if (parseDiskNumbers(words.rest(), into)) return true;
    }
    return false;
}

/// nvme0n1p2, mmcblk0p1, nbd0p1: a 'p' between digits; sda1, vdb2, xvda1: letters and then digits.
bool isWholeDiskName(std::string_view name)
{
    if (name.empty() || isMadeUp(name)) return false;
    if (!isDigit(name.back())) return true;
    std::size_t digits = name.size();
    while (digits > 0 && isDigit(name[digits - 1])) --digits;
    const std::string_view stem = upTo(name, digits);
    if (stem.size() >= 2 && stem.back() == 'p' && isDigit(stem[stem.size() - 2])) return false;
    for (const std::string_view head : {std::string_view("sd"), std::string_view("vd"), std::string_view("xvd"), std::string_view("hd")})
        if (startsWith(name, head)) return false;
    return true;
}

bool DiskSampler::isWorthIt(const SysRoot& root, std::string_view name) const
{
    if (!m_seesBlock) return isWholeDiskName(name);
    Path path("sys/block/");  // partitions are not listed there
    return !isMadeUp(name) && root.exists(path.addName(name).view()) && !liesOnOthers(root, name);
}

Availability DiskSampler::open(const Pass& pass)
{
    m_seesBlock = pass.root.exists("sys/block");
    if (m_table.open(pass.root, "proc/diskstats", FileShape::ToEnd) != 0) return {false, "/proc/diskstats cannot be opened"};
    DiskLines lines(m_table.read(pass.root, pass.scratch).text);
    DiskLine line;
    while (lines.next(line))
        if (isWorthIt(pass.root, line.name)) return {true, "whole block devices"};
    return {false, "no whole block device in /proc/diskstats"};
}

void DiskSampler::close()
{
    m_table.close();
    forgetDisks();
}

void DiskSampler::forgetDisks()
{
    for (std::size_t at = 0; at < m_count; ++at) m_disks[at].stat.close();
    m_count = 0;
    m_reads = false;
}

void DiskSampler::sample(const Pass& pass)
{
    if (!m_table.isOpen()) return;
    if (!m_reads || pass.sink.nowNs() >= m_lookDueNs) return look(pass);
    for (std::size_t at = 0; at < m_count; ++at)
        if (!putDisk(pass, m_disks[at])) return look(pass);  // pulled out
}

/// Reads the whole table, puts what it says and learns which devices to read by their own files from then on.
void DiskSampler::look(const Pass& pass)
{
    forgetDisks();
    m_lookDueNs = pass.sink.nowNs() + lookAgainNs;
    m_reads = m_seesBlock;
    const FileReading reading = m_table.read(pass.root, pass.scratch);
    DiskLines lines(reading.text);
    DiskLine disk;
    while (lines.next(disk)) {
        Source* const source = pass.sources.find(CounterFamily::Disk, disk.name);
        if (source == nullptr || source->use == Use::Ignored) continue;
        if (source->use == Use::Undecided) {
            if (!isWorthIt(pass.root, disk.name)) {
                source->use = Use::Ignored;
                continue;
            }
            pass.sink.accept(*source, disk.name);
        }
        putAll(pass, reading.at, *source, disk);
        if (m_reads) addDisk(pass, disk.name, *source);
    }
}

void DiskSampler::addDisk(const Pass& pass, std::string_view name, Source& source)
{
    m_reads = m_count < mostDisks;
    if (!m_reads) return;
    Disk& disk = m_disks[m_count++];
    disk.source = &source;
    Path path("sys/block/");
    m_reads = disk.stat.open(pass.root, path.addName(name).add("/stat").view(), FileShape::OneRead) == 0;
}

bool DiskSampler::putDisk(const Pass& pass, Disk& disk)
{
    const FileReading reading = disk.stat.read(pass.root, pass.scratch);
    DiskLine numbers;
    std::string_view text = reading.text;
    if (text.empty() || text.back() != '\n' || !parseDiskNumbers(upTo(text, text.size() - 1), numbers)) return false;
    putAll(pass, reading.at, *disk.source, numbers);
    return true;
}

}  // namespace flowgauge::sample
