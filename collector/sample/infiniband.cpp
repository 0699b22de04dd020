// SPDX-License-Identifier: MIT
#include "collector/sample/infiniband.h"

#include "collector/record/raw.h"

#include <new>

namespace flowgauge::sample {
namespace {

constexpr std::string_view classFolder = "sys/class/infiniband";

/// Omni-Path counts 8-byte flits where others count 4-byte words, in files of the same names.
bool countsFlits(const SysRoot& root, std::string_view device)
{
    std::array<char, 256> text;
    Path path(classFolder);
    const std::string_view driver = root.linkName(path.add("/").add(device).add("/device/driver").view(), text);
    return driver.empty() ? startsWith(device, "hfi1") : driver == "hfi1";
}

/// ConnectX-8 shows its planes as devices of their own: the same traffic again.
bool isPlane(std::string_view device) { return startsWith(device, "smi"); }

constexpr Counter inFlits(Counter counter)
{
    if (counter == Counter::IbRxBytes) return Counter::IbRxFlits;
    if (counter == Counter::IbTxBytes) return Counter::IbTxFlits;
    return counter;
}

constexpr std::uint32_t bitOf(Counter counter)
{
    return 1U << (static_cast<unsigned>(counter) - static_cast<unsigned>(Counter::IbRxBytes));
}

/// hw_counters stand in for counters, they are not added to them: a port that has words or flits needs no hw bytes.
constexpr std::uint32_t settledBy(Counter counter)
{
    if (counter == Counter::IbRxBytes) return bitOf(Counter::IbRxBytes) | bitOf(Counter::IbRxHwBytes);
    if (counter == Counter::IbTxBytes) return bitOf(Counter::IbTxBytes) | bitOf(Counter::IbTxHwBytes);
    return bitOf(counter);
}

/// A new look at all devices finds those that came back or up. Rare, since it tries again what was refused.
constexpr Nanos lookAgainNs = 60'000'000'000;

}  // namespace

int parsePortState(std::string_view text)
{
    const std::size_t colon = text.find(':');
    std::uint64_t state = 0;
    if (colon == std::string_view::npos || !parseNumber(upTo(text, colon), state) || state > 99) return -1;
    return static_cast<int>(state);
}

void PortCounter::plan(Nanos nowNs, std::uint64_t now)
{
    constexpr Nanos quietNs = 1'000'000'000, quietLeastNs = 95'000'000;
    if (value != now || movedNs == 0) movedNs = nowNs;
    value = now;
    const bool quiet = nowNs - movedNs >= quietNs && leastNs < quietLeastNs;
    dueNs = nowNs + (quiet ? quietLeastNs : leastNs);
}

Availability InfinibandSampler::open(const Pass& pass)
{
    close();
    m_lookedNs = pass.sink.nowNs();
    FolderNames devices(pass.root, classFolder);
    std::string_view device;
    bool any = false;
    while (devices.next(device)) {
        any = true;
        if (!isPlane(device)) openDevice(pass, device);
    }
    if (!devices.opened()) return {false, "no /sys/class/infiniband"};
    if (!any) return {false, "no device in /sys/class/infiniband"};
    if (m_count > 0) return {true, m_down > 0 ? "ports that are up; others are down" : "all ports"};
    if (m_ports == 0)
        return {false, m_down > 0 ? "all ports are down" : "the devices show no ports (a container without the host's /sys?)"};
    return {false, "the ports show no counter that can be read (no PMA, or a container's view)"};
}

void InfinibandSampler::close()
{
    for (std::size_t at = 0; at < m_count; ++at) {
        m_counters[at].file.close();
        m_counters[at].also.close();
    }
    if (m_counters != nullptr) raw::unmap(m_counters, mostCounters * sizeof(PortCounter));
    m_counters = nullptr;
    m_count = 0;
    m_ports = m_down = 0;
    m_stale = false;
}

void InfinibandSampler::openDevice(const Pass& pass, std::string_view device)
{
    Path path(classFolder);
    FolderNames ports(pass.root, path.add("/").add(device).add("/ports").view());
    std::string_view port;
    while (ports.next(port)) openPort(pass, device, port);
}

void InfinibandSampler::openPort(const Pass& pass, std::string_view device, std::string_view port)
{
    Path folder(classFolder);
    folder.add("/").add(device).add("/ports/").add(port).add("/");
    const std::size_t end = folder.size();
    std::array<char, 256> text;
    const int state = parsePortState(pass.root.shortText(folder.add("state").view(), text));
    if (state >= 0 && state != 4 && state != 5) {
        ++m_down;
        return;
    }
    ++m_ports;
    Path name(device);
    name.add("/").add(port);
    Source* const source = pass.sources.find(CounterFamily::Ib, name.view());
    if (source == nullptr) return;
    const bool flits = countsFlits(pass.root, device);
    std::uint32_t settled = 0;
    for (const PortFile& row : portFiles) {
        if ((settled & bitOf(row.counter)) != 0) continue;
        folder.cut(end);
        if (!openCounter(pass, folder, row, *source)) continue;
        settled |= settledBy(row.counter);
        PortCounter& last = m_counters[m_count - 1];
        if (flits) last.counter = inFlits(last.counter);
        if (source->use == Use::Undecided) pass.sink.accept(*source, name.view());
    }
}

bool InfinibandSampler::openCounter(const Pass& pass, Path& folder, const PortFile& row, Source& source)
{
    if (m_counters == nullptr) {
        void* const memory = raw::map(mostCounters * sizeof(PortCounter), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == nullptr) return false;
        m_counters = static_cast<PortCounter*>(memory);
    }
    if (m_count == mostCounters) return false;
    PortCounter& counter =
        *new (&m_counters[m_count]) PortCounter{{}, {}, &source, row.counter, !row.alsoAdded.empty(), row.leastMs() * 950'000};
    const std::size_t end = folder.size();
    if (counter.file.open(pass.root, folder.add(row.path).view()) != 0) return false;
    bool good = counter.file.read().known;
    if (good && counter.added) {
        folder.cut(end);
        good = counter.also.open(pass.root, folder.add(row.alsoAdded).view()) == 0 && counter.also.read().known;
    }
    if (good) {
        ++m_count;
        return true;
    }
    counter.file.close();
    counter.also.close();
    return false;
}

void InfinibandSampler::sample(const Pass& pass)
{
    if (m_stale || pass.sink.nowNs() - m_lookedNs >= lookAgainNs) static_cast<void>(open(pass));
    for (std::size_t at = 0; at < m_count; ++at) {
        PortCounter& counter = m_counters[at];
        if (!counter.file.isOpen() || pass.sink.nowNs() < counter.dueNs) continue;
        const ValueReading reading = counter.file.read();
        const ValueReading more = counter.added ? counter.also.read() : ValueReading{0, 0, true, 0};
        if (reading.known && more.known) {
            pass.sink.put(reading.at, *counter.source, counter.counter, reading.value + more.value);
            counter.plan(pass.sink.nowNs(), reading.value + more.value);
            continue;
        }
        // Refused or gone: not again with every beat.
        m_stale = m_stale || reading.error == ENODEV || reading.error == ENOENT || reading.error == EBADF || reading.error == ESTALE;
        counter.file.close();
        counter.also.close();
    }
}

}  // namespace flowgauge::sample
