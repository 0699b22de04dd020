// SPDX-License-Identifier: MIT
#include "collector/sample/nic.h"

#include "collector/sample/dated.h"
#include "collector/sample/nic_kind.h"

namespace flowgauge::sample {
namespace {

bool hasHardware(const SysRoot& root, std::string_view name)
{
    Path path("sys/class/net/");
    return root.exists(path.add(name).add("/device").view());
}

/// Some adapters show hundreds of functions; a reader of the ledger needs the first of them.
constexpr int mostTold = 64;

constexpr Nanos second = 1'000'000'000;
constexpr Nanos lookAgainNs = 10 * second, allAgainNs = second / 10 - second / 200;
constexpr std::size_t mostByFiles = 4;
/// -1, as kernels print it that take it for a number without a sign.
constexpr std::uint64_t unknownSpeed = 0xffff'ffff;

/// A line of the table, or an answer of the kernel.
template <typename Numbers>
void putAll(const Pass& pass, Ticks at, Source& source, const Numbers& numbers)
{
    pass.sink.put(at, source, Counter::NicRxBytes, numbers.rxBytes);
    pass.sink.put(at, source, Counter::NicTxBytes, numbers.txBytes);
    pass.sink.put(at, source, Counter::NicRxPackets, numbers.rxPackets);
    pass.sink.put(at, source, Counter::NicTxPackets, numbers.txPackets);
    pass.sink.put(at, source, Counter::NicRxDropped, numbers.rxDropped);
    pass.sink.put(at, source, Counter::NicRxErrors, numbers.rxErrors);
}

bool putValue(const Pass& pass, const ValueFile& file, Source& source, Counter counter)
{
    const ValueReading reading = file.read();
    if (reading.known) pass.sink.put(reading.at, source, counter, reading.value);
    return reading.known;
}

}  // namespace

/// The name ends at the last colon that a number follows: names may hold colons themselves ("ibr10:30:", alias lines), and
/// old kernels write the first number right behind it.
bool NetDeviceLines::next(NetDevice& into)
{
    std::string_view line;
    while (m_lines.next(line)) {
        const std::size_t colon = line.rfind(':');
        if (colon == std::string_view::npos) continue;
        std::array<std::uint64_t, 16> value{};
        if (parseNumbers(from(line, colon + 1), value) < 10) continue;  // 2.1 kernels had fewer columns, none less than ten
        std::string_view name = upTo(line, colon);
        while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
        into = {name, value[0], value[1], value[2], value[3], value[8], value[9]};
        return true;
    }
    return false;
}

bool isVirtualName(std::string_view name)
{
    constexpr std::array<std::string_view, 16> heads{"docker", "veth",  "br-",   "virbr", "cni", "flannel", "cali",    "ifb",
                                                     "tun",    "dummy", "vxlan", "tap",   "sit", "ip6tnl",  "bonding", "tailscale"};
    if (name == "lo") return true;
    for (const std::string_view head : heads)
        if (startsWith(name, head)) return true;
    return false;
}

bool NicSampler::isWorthIt(const SysRoot& root, std::string_view name) const
{
    if (!m_anyHardware) return !isVirtualName(name);
    const NicKind kind = nicKind(root, name);
    return kind == NicKind::Hardware || kind == NicKind::Function;
}

Availability NicSampler::open(const Pass& pass)
{
    if (m_table.open(pass.root, "proc/net/dev", FileShape::ToEnd) != 0) return {false, "/proc/net/dev cannot be opened"};
    if (m_table.isProcFile()) static_cast<void>(m_route.open());
    const FileReading reading = m_table.read(pass.root, pass.scratch);
    NetDeviceLines devices(reading.text);
    NetDevice device;
    bool any = false;
    while (devices.next(device)) m_anyHardware = m_anyHardware || hasHardware(pass.root, device.name);
    devices = NetDeviceLines(reading.text);
    while (devices.next(device)) any = any || isWorthIt(pass.root, device.name);
    if (!any) return {false, "no interface but the loopback in /proc/net/dev"};
    if (m_anyHardware) return {true, "interfaces with hardware behind them"};
    if (!pass.root.exists("sys/class/net"))
        return {true, "/sys cannot be seen: interfaces are told by their names, a byte may count twice"};
    return {true, "no interface shows hardware: all but virtual ones"};
}

void NicSampler::close()
{
    m_table.close();
    m_route.close();
    forgetLinks();
}

void NicSampler::forgetLinks()
{
    for (std::size_t at = 0; at < m_count; ++at) {
        m_links[at].rxBytes.close();
        m_links[at].txBytes.close();
    }
    m_count = 0;
    m_asks = m_reads = false;
}

void NicSampler::sample(const Pass& pass)
{
    if (!m_table.isOpen()) return;
    const Nanos nowNs = pass.sink.nowNs();
    if (!m_asks || nowNs >= m_lookDueNs) return look(pass);
    // A file costs a fifth of a question; with more than a few interfaces the question is the cheaper one again.
    const bool bytesOnly = nowNs < m_allDueNs && m_reads && m_count <= mostByFiles;
    if (!bytesOnly) m_allDueNs = nowNs + allAgainNs;
    if (!(bytesOnly ? putBytes(pass) : putAnswers(pass))) look(pass);  // one has gone, or was renamed
}

/// Reads the whole table, puts what it says and learns which interfaces are to be asked for from then on.
void NicSampler::look(const Pass& pass)
{
    forgetLinks();
    m_lookDueNs = pass.sink.nowNs() + lookAgainNs;
    m_allDueNs = pass.sink.nowNs() + allAgainNs;
    m_asks = m_reads = m_route.isOpen();
    const FileReading reading = m_table.read(pass.root, pass.scratch);
    NetDeviceLines devices(reading.text);
    NetDevice device;
    while (devices.next(device)) {
        Source* const source = pass.sources.find(CounterFamily::Nic, device.name);
        if (source == nullptr || source->use == Use::Ignored) continue;
        if (source->use == Use::Undecided) {
            tellKind(pass, device.name);
            if (!isWorthIt(pass.root, device.name)) {
                source->use = Use::Ignored;
                continue;
            }
            pass.sink.accept(*source, device.name);
        }
        putAll(pass, reading.at, *source, device);
        const bool shown = isShown(pass.root, device.name);
        if (shown) putRate(pass, device.name, *source);
        m_reads = m_reads && shown;
        if (m_asks) addLink(pass, device.name, *source);
    }
}

/// Once an interface: counted, or left aside, and why.
void NicSampler::tellKind(const Pass& pass, std::string_view name)
{
    if (m_told++ >= mostTold) return;
    Path what("nic ");
    pass.sink.note(what.add(name).view(), isWorthIt(pass.root, name) ? "measured" : "aside", nicKindText(nicKind(pass.root, name)));
}

/// The files of /sys may be those of another network namespace (it shows the one in which it was mounted): they count only
/// where they give the number that the name has here.
bool NicSampler::isShown(const SysRoot& root, std::string_view name) const
{
    if (!m_table.isProcFile()) return true;
    Path path("sys/class/net/");
    std::array<char, 256> text;
    std::uint64_t shown = 0;
    const int index = m_route.indexOf(name);
    return index != 0 && parseNumber(root.shortText(path.add(name).add("/ifindex").view(), text), shown) &&
           shown == static_cast<unsigned>(index);
}

/// -1 where the link is down or the driver does not know it; nothing at all where it refuses. Pairs made by software say 10 Gbit/s,
/// which they are not held to.
void NicSampler::putRate(const Pass& pass, std::string_view name, Source& source) const
{
    if (!hasHardware(pass.root, name)) return;
    Path path("sys/class/net/");
    std::array<char, 256> text;
    std::uint64_t megabits = 0;
    if (parseNumber(pass.root.shortText(path.add(name).add("/speed").view(), text), megabits) && megabits > 0 && megabits < unknownSpeed)
        pass.sink.put(now(), source, Counter::NicDataRate, megabits);
}

void NicSampler::addLink(const Pass& pass, std::string_view name, Source& source)
{
    const int index = m_count < mostLinks ? m_route.indexOf(name) : 0;
    if (index == 0) {
        m_asks = false;
        return;
    }
    Link& link = m_links[m_count];
    link.source = &source;
    m_counters[m_count++] = {index};
    Path path("sys/class/net/");
    const std::size_t end = path.add(name).add("/").size();
    m_reads = m_reads && link.rxBytes.open(pass.root, path.add("statistics/rx_bytes").view()) == 0;
    path.cut(end);
    m_reads = m_reads && link.txBytes.open(pass.root, path.add("statistics/tx_bytes").view()) == 0;
}

bool NicSampler::putAnswers(const Pass& pass)
{
    int error = 0;
    const Ticks at = dated([&] {
        error = m_route.ask({m_counters.data(), m_count});
        return error == 0;
    });
    if (error != 0) {
        m_route.close();  // refused: the table it is
        return false;
    }
    for (std::size_t link = 0; link < m_count; ++link) {
        if (m_counters[link].index == 0) return false;
        putAll(pass, at, *m_links[link].source, m_counters[link]);
    }
    return true;
}

bool NicSampler::putBytes(const Pass& pass)
{
    for (std::size_t at = 0; at < m_count; ++at) {
        const Link& link = m_links[at];
        if (!putValue(pass, link.rxBytes, *link.source, Counter::NicRxBytes)) return false;
        if (!putValue(pass, link.txBytes, *link.source, Counter::NicTxBytes)) return false;
    }
    return true;
}

}  // namespace flowgauge::sample
