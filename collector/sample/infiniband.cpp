// SPDX-License-Identifier: MIT
#include "collector/sample/infiniband.h"

#include "collector/record/raw.h"

#include <new>

namespace flowgauge::sample {
namespace {

constexpr std::string_view classFolder = "sys/class/infiniband";

/// ConnectX-8 shows its planes as devices of their own: the same traffic again.
bool isPlane(std::string_view device) { return startsWith(device, "smi"); }

/// A new look at all devices finds those that came back or up. Rare, since it tries again what was refused.
constexpr Nanos lookAgainNs = 60'000'000'000;

}  // namespace

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
    // Slingshot's counters stand elsewhere, and nobody has told yet which of them are bytes.
    if (pass.root.exists("sys/class/cxi"))
        pass.sink.note("slingshot", "absent", "/sys/class/cxi is there; this version reads none of its counters");
    FolderNames devices(pass.root, classFolder);
    std::string_view device;
    bool any = false;
    while (devices.next(device)) {
        any = true;
        if (!isPlane(device)) openDevice(pass, device);
    }
    if (!pass.root.exists("sys/class"))
        return {false, "/sys cannot be seen: whether RDMA carried bytes, and gradients among them, cannot be told"};
    if (!devices.opened()) return {false, "no /sys/class/infiniband"};
    if (!any) return {false, "no device in /sys/class/infiniband"};
    if (m_count > 0 || m_answers.any()) return {true, m_down > 0 ? "ports that are up; others are down" : "all ports"};
    if (m_ports == 0)
        return {false, m_down > 0 ? "all ports are down" : "the devices show no ports (a container without the host's /sys?)"};
    return {false, "the ports show no counter that can be read (no PMA, or a container's view)"};
}

void InfinibandSampler::close()
{
    m_answers.close();
    for (std::size_t at = 0; at < m_count; ++at) {
        m_open->counters[at].file.close();
        m_open->counters[at].also.close();
    }
    for (std::size_t at = 0; at < m_watched; ++at) {
        m_open->ports[at].state.close();
        m_open->ports[at].rate.close();
    }
    if (m_open != nullptr) raw::unmap(m_open, sizeof(Open));
    m_open = nullptr;
    m_count = m_watched = 0;
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
    if (source == nullptr || !mapOpen()) return;
    Path link(classFolder);
    const std::string_view driver = pass.root.linkName(link.add("/").add(device).add("/device/driver").view(), text);
    const DataUnit unit = dataUnit(driver, device);
    SettledCounters settled{};
    const std::size_t before = m_count;
    for (const PortFile& row : portFiles) {
        bool& done = settled[static_cast<std::size_t>(standsFor(row.counter))];
        folder.cut(end);
        if (done || !openCounter(pass, folder, row, *source)) continue;
        done = true;
        m_open->counters[m_count - 1].counter = inUnit(row.counter, unit);
    }
    folder.cut(end);
    const bool asked = !pass.root.exists(folder.add("hw_counters").view()) && m_answers.add(pass, device, port, unit, *source, settled);
    if (m_count == before && !asked) return;
    folder.cut(end);
    const bool fresh = source->use == Use::Undecided;
    if (fresh) pass.sink.accept(*source, name.view());
    if (fresh) tellUnit(pass, name.view(), driver, unit, pass.root.exists(folder.add("counters/unicast_xmit_packets").view()));
    if (fresh && asked) tellAsked(pass, name.view(), unit, settled[static_cast<std::size_t>(Counter::IbRxBytes)]);
    folder.cut(end);
    watchPort(pass, folder, *source);
}

/// What a reader of the run must know of a port's numbers.
void InfinibandSampler::tellUnit(const Pass& pass, std::string_view port, std::string_view driver, DataUnit unit, bool wide) const
{
    Path what("infiniband "), reason("driver ");
    what.add(port);
    reason.add(driver.empty() ? "not shown" : driver);
    switch (unit) {
        case DataUnit::Unknown:
            reason.add(": the unit of its data counters is not known, so they are in no sum of bytes");
            break;
        case DataUnit::Words:
            reason.add(wide ? ": 4-byte words" : ": 4-byte words, perhaps of 32 bits only: they may wrap within seconds");
            break;
        case DataUnit::Flits:
            reason.add(": 8-byte flits");
            break;
        case DataUnit::Octets:
            reason.add(": bytes");
            break;
        case DataUnit::None:
            reason.add(" counts no bytes: they are in its network interface");
            break;
    }
    pass.sink.note(what.view(), unit == DataUnit::Unknown ? "degraded" : "measured", reason.view());
}

/// By which way a port's counters are read, where it is not the usual one; and what that way does not tell.
void InfinibandSampler::tellAsked(const Pass& pass, std::string_view port, DataUnit unit, bool countsBytes) const
{
    Path what("infiniband ");
    const std::size_t end = what.add(port).size();
    pass.sink.note(what.add(" hw_counters").view(), "measured",
                   "asked of the kernel by netlink: /sys does not show them (a network namespace that shares the device)");
    if (countsBytes || (unit != DataUnit::Words && unit != DataUnit::Flits)) return;
    what.cut(end);
    pass.sink.note(
        what.add(" bytes").view(), "absent",
        "/sys does not show its counters/, and netlink does not tell them: show the host's /sys to the container, or give it the "
        "device (rdma system set netns exclusive)");
    pass.sink.note(what.view(), "unanswered", "What did this port carry?");
}

bool InfinibandSampler::mapOpen()
{
    if (m_open != nullptr) return true;
    void* const memory = raw::map(sizeof(Open), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    m_open = static_cast<Open*>(memory);
    return m_open != nullptr;
}

void InfinibandSampler::watchPort(const Pass& pass, Path& folder, Source& source)
{
    if (m_watched == mostPorts) return;
    PortWatch& watch = *new (&m_open->ports[m_watched++]) PortWatch{&source, {}, {}, false};
    const std::size_t end = folder.size();
    std::array<char, 256> text;
    watch.ethernet = pass.root.shortText(folder.add("link_layer").view(), text) == "Ethernet";
    folder.cut(end);
    static_cast<void>(watch.state.open(pass.root, folder.add("state").view(), FileShape::OneRead));
    folder.cut(end);
    static_cast<void>(watch.rate.open(pass.root, folder.add("rate").view(), FileShape::OneRead));
}

void InfinibandSampler::putWatched(const Pass& pass)
{
    m_watchDueNs = pass.sink.nowNs() + 950'000'000;
    const auto lineOf = [&](RereadFile& file, FileReading& reading) {
        if (!file.isOpen()) return std::string_view();
        reading = file.read(pass.root, pass.scratch);
        if (reading.error != 0) file.close();  // EINVAL: an empty cage, or a width that nobody knows
        return upTo(reading.text, reading.text.find('\n'));
    };
    for (std::size_t at = 0; at < m_watched; ++at) {
        PortWatch& watch = m_open->ports[at];
        FileReading reading;
        const int state = parsePortState(lineOf(watch.state, reading));
        if (state >= 0) pass.sink.put(reading.at, *watch.source, Counter::IbState, static_cast<std::uint64_t>(state));
        const std::uint64_t rate = parseDataRate(lineOf(watch.rate, reading), watch.ethernet);
        if (rate > 0) pass.sink.put(reading.at, *watch.source, Counter::IbDataRate, rate);
    }
}

bool InfinibandSampler::openCounter(const Pass& pass, Path& folder, const PortFile& row, Source& source)
{
    if (m_count == mostCounters) return false;
    PortCounter& counter =
        *new (&m_open->counters[m_count]) PortCounter{{}, {}, &source, row.counter, !row.alsoAdded.empty(), row.leastMs() * 950'000};
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
        PortCounter& counter = m_open->counters[at];
        if (!counter.file.isOpen() || pass.sink.nowNs() < counter.dueNs) continue;
        const ValueReading reading = counter.file.read();
        const ValueReading more = counter.added ? counter.also.read() : ValueReading{0, 0, true, 0};
        if (reading.known && more.known) {
            pass.sink.put(reading.at, *counter.source, counter.counter, reading.value + more.value);
            counter.plan(pass.sink.nowNs(), reading.value + more.value);
            continue;
        }
        // Refused or gone: not again with every beat.
        const bool gone = reading.error == ENODEV || reading.error == ENOENT || reading.error == EBADF || reading.error == ESTALE;
        m_stale = m_stale || gone;
        counter.file.close();
        counter.also.close();
    }
    m_answers.sample(pass);
    if (pass.sink.nowNs() >= m_watchDueNs) putWatched(pass);
}

}  // namespace flowgauge::sample
