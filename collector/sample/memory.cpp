// SPDX-License-Identifier: MIT
#include "collector/sample/memory.h"

namespace flowgauge::sample {
namespace {

struct Wanted {
    std::string_view key;
    MaybeNumber* into;
};

/// "Key: value kB" or "key value", one a line, in any order. Stops when everything wanted is found.
template <std::size_t Count>
void takeWanted(std::string_view text, const std::array<Wanted, Count>& wanted)
{
    Lines lines(text);
    std::string_view line, key, value;
    std::size_t missing = Count;
    while (missing > 0 && lines.next(line)) {
        for (const Wanted& one : wanted) {
            if (one.into->known || !startsWith(line, one.key)) continue;
            Words words(line);
            if (!words.next(key) || key != one.key || !words.next(value)) continue;
            one.into->known = parseNumber(value, one.into->value);
            --missing;
        }
    }
}

}  // namespace

MemoryInfo parseMemoryInfo(std::string_view text)
{
    MemoryInfo info;
    takeWanted(text, std::array<Wanted, 7>{{{"MemTotal:", &info.total},
                                            {"MemAvailable:", &info.available},
                                            {"Cached:", &info.cached},
                                            {"Shmem:", &info.shmem},
                                            {"Dirty:", &info.dirty},
                                            {"Active(file):", &info.activeFile},
                                            {"Inactive(file):", &info.inactiveFile}}});
    return info;
}

VirtualMemory parseVirtualMemory(std::string_view text)
{
    VirtualMemory memory;
    MaybeNumber refaultBefore59;
    takeWanted(text, std::array<Wanted, 4>{{{"pgpgin", &memory.pageInKib},
                                            {"pgmajfault", &memory.majorFaults},
                                            {"workingset_refault_file", &memory.refaultedFilePages},
                                            {"workingset_refault", &refaultBefore59}}});
    if (!memory.refaultedFilePages.known) memory.refaultedFilePages = refaultBefore59;
    return memory;
}

Availability MemorySampler::open(const Pass& pass)
{
    const Availability cgroup = m_cgroup.open(pass);
    if (cgroup.present) pass.sink.note("cgroup memory", "measured", cgroup.reason);
    m_readAhead.open(pass);
    const int infoError = m_info.open(pass.root, "proc/meminfo", FileShape::OneRead);
    const int statError = m_vmstat.open(pass.root, "proc/vmstat", FileShape::ToEnd);
    if (infoError != 0 && statError != 0) return {false, "neither /proc/meminfo nor /proc/vmstat can be opened"};
    if (infoError != 0) return {true, "/proc/vmstat only"};
    return {true, statError != 0 ? "/proc/meminfo only" : "/proc/meminfo and /proc/vmstat"};
}

void MemorySampler::close()
{
    m_info.close();
    m_vmstat.close();
    m_cgroup.close();
    m_readAhead.close();
}

void MemorySampler::sample(const Pass& pass)
{
    m_readAhead.sample(pass);
    if (!m_info.isOpen() && !m_vmstat.isOpen()) return;
    Source* const source = pass.sources.find(CounterFamily::Memory, "host");
    if (source == nullptr) return;
    if (source->use == Use::Undecided) pass.sink.accept(*source, "host");
    const auto put = [&](Ticks at, Counter counter, const MaybeNumber& number) {
        if (number.known) pass.sink.put(at, *source, counter, number.value);
    };
    FileReading reading = m_info.read(pass.root, pass.scratch);
    const MemoryInfo info = parseMemoryInfo(reading.text);
    put(reading.at, Counter::MemoryTotal, info.total);
    put(reading.at, Counter::MemoryAvailable, info.available);
    put(reading.at, Counter::DirtyPages, info.dirty);
    put(reading.at, Counter::ActiveFileKib, info.activeFile);
    put(reading.at, Counter::InactiveFileKib, info.inactiveFile);
    // Shared memory and tmpfs count as Cached although no file lies behind them.
    const bool sane = info.cached.known && info.shmem.known && info.cached.value >= info.shmem.value;
    put(reading.at, Counter::PageCache, {info.cached.value - info.shmem.value, sane});

    reading = m_vmstat.read(pass.root, pass.scratch);
    const VirtualMemory memory = parseVirtualMemory(reading.text);
    put(reading.at, Counter::PageInKib, memory.pageInKib);
    put(reading.at, Counter::MajorFaults, memory.majorFaults);
    put(reading.at, Counter::RefaultedPages, memory.refaultedFilePages);
    m_cgroup.sample(pass);
}

}  // namespace flowgauge::sample
