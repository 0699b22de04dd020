// SPDX-License-Identifier: MIT
#include "collector/sample/process.h"

#include "collector/record/raw.h"

#include <sys/resource.h>

namespace flowgauge::sample {
namespace {

/// USER_HZ is 100 on every architecture we build for; sysconf would only return the same constant.
constexpr std::uint64_t microsPerTick = 10'000;

constexpr std::uint64_t microsOf(const timeval& time)
{
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(time.tv_usec);
}

/// The kernel's own sum in microseconds, where the process is this one and not a captured text.
void refineTimes(ProcessStat& stat)
{
    rusage usage;
    if (raw::call(SYS_getrusage, RUSAGE_SELF, &usage) != 0) return;
    stat.userUs = microsOf(usage.ru_utime);
    stat.systemUs = microsOf(usage.ru_stime);
}

}  // namespace

ProcessIo parseProcessIo(std::string_view text)
{
    ProcessIo io;
    Lines lines(text);
    std::string_view line, key, value;
    while (lines.next(line)) {
        Words words(line);
        if (!words.next(key) || !words.next(value)) continue;
        MaybeNumber* const into = key == "rchar:"         ? &io.readChars
                                  : key == "read_bytes:"  ? &io.readBytes
                                  : key == "write_bytes:" ? &io.writeBytes
                                                          : nullptr;
        if (into != nullptr) into->known = parseNumber(value, into->value);
    }
    return io;
}

/// "pid (name) state ppid ..." (proc(5)): the name may hold spaces and parentheses, so count from the last one.
ProcessStat parseProcessStat(std::string_view text)
{
    const std::size_t nameEnd = text.rfind(')');
    if (nameEnd == std::string_view::npos || text.back() != '\n') return {};
    text.remove_suffix(1);
    Words words(from(text, nameEnd + 1));
    std::string_view word;
    ProcessStat stat;
    for (int field = 3; words.next(word); ++field) {
        const bool good = field == 10   ? parseNumber(word, stat.minorFaults)
                          : field == 12 ? parseNumber(word, stat.majorFaults)
                          : field == 14 ? parseNumber(word, stat.userUs)
                          : field == 15 ? parseNumber(word, stat.systemUs)
                          : field == 24 ? parseNumber(word, stat.residentPages)
                                        : true;
        if (!good) return {};
        if (field < 24) continue;
        stat.userUs *= microsPerTick;
        stat.systemUs *= microsPerTick;
        stat.known = true;
        return stat;
    }
    return {};
}

Availability ProcessSampler::open(const Pass& pass)
{
    const int ioError = m_io.open(pass.root, "proc/self/io", FileShape::OneRead);
    const int statError = m_stat.open(pass.root, "proc/self/stat", FileShape::OneRead);
    if (ioError != 0 && statError != 0) return {false, "neither /proc/self/io nor /proc/self/stat can be opened"};
    if (ioError != 0) return {true, "/proc/self/stat only"};
    return {true, statError != 0 ? "/proc/self/io only" : "/proc/self/io and /proc/self/stat"};
}

void ProcessSampler::close()
{
    m_io.close();
    m_stat.close();
}

void ProcessSampler::sample(const Pass& pass)
{
    Source* const source = pass.sources.find(CounterFamily::Process, "process");
    if (source == nullptr) return;
    if (source->use == Use::Undecided) pass.sink.accept(*source, "process");
    FileReading reading = m_io.read(pass.root, pass.scratch);
    const ProcessIo io = parseProcessIo(reading.text);
    if (io.readChars.known) pass.sink.put(reading.at, *source, Counter::ProcessReadChars, io.readChars.value);
    if (io.readBytes.known) pass.sink.put(reading.at, *source, Counter::ProcessReadBytes, io.readBytes.value);
    if (io.writeBytes.known) pass.sink.put(reading.at, *source, Counter::ProcessWriteBytes, io.writeBytes.value);

    reading = m_stat.read(pass.root, pass.scratch);
    ProcessStat stat = parseProcessStat(reading.text);
    if (!stat.known) return;
    if (pass.root.isMachine()) refineTimes(stat);
    pass.sink.put(reading.at, *source, Counter::ProcessMinorFaults, stat.minorFaults);
    pass.sink.put(reading.at, *source, Counter::ProcessMajorFaults, stat.majorFaults);
    pass.sink.put(reading.at, *source, Counter::ProcessCpuUser, stat.userUs);
    pass.sink.put(reading.at, *source, Counter::ProcessCpuSystem, stat.systemUs);
    pass.sink.put(reading.at, *source, Counter::ProcessResident, stat.residentPages);
}

}  // namespace flowgauge::sample
