// SPDX-License-Identifier: MIT
#include "collector/sample/nic.h"

namespace flowgauge::sample {
namespace {

bool hasHardware(const SysRoot& root, std::string_view name)
{
    Path path("sys/class/net/");
    return root.exists(path.add(name).add("/device").view());
}

/// A switchdev representor ("pf0vf1") shows a virtual function's traffic a second time.
bool isRepresentor(const SysRoot& root, std::string_view name)
{
    std::array<char, 256> text;
    Path path("sys/class/net/");
    const std::string_view port = root.shortText(path.add(name).add("/phys_port_name").view(), text);
    return startsWith(port, "pf") && port.find("vf") != std::string_view::npos;
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
    if (m_anyHardware) return hasHardware(root, name) && !isRepresentor(root, name);
    return !isVirtualName(name);
}

Availability NicSampler::open(const Pass& pass)
{
    if (m_file.open(pass.root, "proc/net/dev", FileShape::ToEnd) != 0) return {false, "/proc/net/dev cannot be opened"};
    const FileReading reading = m_file.read(pass.root, pass.scratch);
    NetDeviceLines devices(reading.text);
    NetDevice device;
    bool any = false;
    while (devices.next(device)) m_anyHardware = m_anyHardware || hasHardware(pass.root, device.name);
    devices = NetDeviceLines(reading.text);
    while (devices.next(device)) any = any || isWorthIt(pass.root, device.name);
    if (!any) return {false, "no interface but the loopback in /proc/net/dev"};
    return {true, m_anyHardware ? "interfaces with hardware behind them" : "no interface shows hardware: all but virtual ones"};
}

void NicSampler::sample(const Pass& pass)
{
    if (!m_file.isOpen()) return;
    const FileReading reading = m_file.read(pass.root, pass.scratch);
    NetDeviceLines devices(reading.text);
    NetDevice device;
    while (devices.next(device)) {
        Source* const source = pass.sources.find(CounterFamily::Nic, device.name);
        if (source == nullptr || source->use == Use::Ignored) continue;
        if (source->use == Use::Undecided) {
            if (!isWorthIt(pass.root, device.name)) {
                source->use = Use::Ignored;
                continue;
            }
            pass.sink.accept(*source, device.name);
        }
        pass.sink.put(reading.at, *source, Counter::NicRxBytes, device.rxBytes);
        pass.sink.put(reading.at, *source, Counter::NicTxBytes, device.txBytes);
        pass.sink.put(reading.at, *source, Counter::NicRxPackets, device.rxPackets);
        pass.sink.put(reading.at, *source, Counter::NicTxPackets, device.txPackets);
        pass.sink.put(reading.at, *source, Counter::NicRxDropped, device.rxDropped);
        pass.sink.put(reading.at, *source, Counter::NicRxErrors, device.rxErrors);
    }
}

}  // namespace flowgauge::sample
