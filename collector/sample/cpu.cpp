// SPDX-License-Identifier: MIT
#include "collector/sample/cpu.h"

namespace flowgauge::sample {

/// "cpu user nice system idle iowait irq softirq steal guest guest_nice"; 2.4 kernels end after idle. The guest columns are
/// already in user and nice.
CpuTimes parseCpuTimes(std::string_view text)
{
    Lines lines(text);
    std::string_view line, word;
    while (lines.next(line)) {
        Words words(line);
        if (!words.next(word) || word != "cpu") continue;
        std::array<std::uint64_t, 7> value{};
        if (parseNumbers(words.rest(), value) < 4) return {};
        return {true, value[0] + value[1], value[2] + value[5] + value[6], value[3], value[4]};
    }
    return {};
}

Availability CpuSampler::open(const Pass& pass)
{
    if (m_file.open(pass.root, "proc/stat", FileShape::OneRead) != 0) return {false, "/proc/stat cannot be opened"};
    if (!parseCpuTimes(m_file.read(pass.root, pass.scratch).text).known) return {false, "/proc/stat has no cpu line"};
    return {true, "/proc/stat"};
}

void CpuSampler::sample(const Pass& pass)
{
    if (!m_file.isOpen()) return;
    Source* const source = pass.sources.find(CounterFamily::Cpu, "host");
    const FileReading reading = m_file.read(pass.root, pass.scratch);
    const CpuTimes times = parseCpuTimes(reading.text);
    if (source == nullptr || !times.known) return;
    if (source->use == Use::Undecided) pass.sink.accept(*source, "host");
    pass.sink.put(reading.at, *source, Counter::CpuUser, times.user);
    pass.sink.put(reading.at, *source, Counter::CpuSystem, times.system);
    pass.sink.put(reading.at, *source, Counter::CpuIdle, times.idle);
    pass.sink.put(reading.at, *source, Counter::CpuIoWait, times.ioWait);
}

}  // namespace flowgauge::sample
