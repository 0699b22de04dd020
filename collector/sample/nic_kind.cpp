// SPDX-License-Identifier: MIT
#include "collector/sample/nic_kind.h"

namespace flowgauge::sample {
namespace {

/// A switchdev representor ("pf0vf1") shows a virtual function's traffic a second time.
bool isRepresentor(std::string_view portName) { return startsWith(portName, "pf") && portName.find("vf") != std::string_view::npos; }

/// "DEVTYPE=vlan" of an uevent text, or "".
std::string_view deviceType(std::string_view uevent)
{
    constexpr std::string_view key = "DEVTYPE=";
    while (!uevent.empty()) {
        const std::string_view line = upTo(uevent, uevent.find('\n'));
        if (startsWith(line, key)) return from(line, key.size());
        uevent = from(uevent, line.size() + 1);
    }
    return {};
}

/// One interface's folder of /sys.
class NicFolder {
public:
    NicFolder(const SysRoot& root, std::string_view name) : m_root(root), m_path("sys/class/net/")
    {
        m_end = m_path.add(name).add("/").size();
    }
    bool has(std::string_view file)
    {
        m_path.cut(m_end);
        return m_root.exists(m_path.add(file).view());
    }
    std::string_view text(std::string_view file)
    {
        m_path.cut(m_end);
        return m_root.shortText(m_path.add(file).view(), m_text);
    }

private:
    const SysRoot& m_root;
    Path m_path;
    std::size_t m_end = 0;
    std::array<char, 256> m_text{};
};

}  // namespace

NicKind nicKind(const SysRoot& root, std::string_view name)
{
    NicFolder folder(root, name);
    if (name == "lo") return NicKind::Loopback;
    if (folder.has("device")) {
        if (isRepresentor(folder.text("phys_port_name"))) return NicKind::Representor;
        return folder.has("device/physfn") ? NicKind::Function : NicKind::Hardware;
    }
    if (folder.has("bonding")) return NicKind::Bond;
    if (folder.has("bridge")) return NicKind::Bridge;
    if (deviceType(folder.text("uevent")) == "vlan") return NicKind::Vlan;
    std::uint64_t index = 0, below = 0;
    if (parseNumber(folder.text("ifindex"), index) && parseNumber(folder.text("iflink"), below) && below != 0 && below != index)
        return NicKind::Pair;
    return NicKind::Virtual;
}

std::string_view nicKindText(NicKind kind)
{
    constexpr std::array<std::string_view, 9> texts{"hardware",
                                                    "a virtual function of an adapter",
                                                    "representor of a virtual function, whose traffic it shows once more",
                                                    "the loopback",
                                                    "a bond: shows what its slaves show",
                                                    "a bridge: shows what its ports show",
                                                    "a VLAN: shows a part of what the interface below shows",
                                                    "on top of another interface, or one end of a pair",
                                                    "virtual, or not shown by /sys"};
    return texts[static_cast<std::size_t>(kind)];
}

}  // namespace flowgauge::sample
