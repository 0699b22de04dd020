// SPDX-License-Identifier: MIT
#include "collector/sample/ethtool.h"

#include "collector/buffer/futex.h"
#include "collector/sample/dated.h"
#include "collector/sample/nic_kind.h"

namespace flowgauge::sample {
namespace {

constexpr Nanos periodNs = 950'000'000;  // a twentieth less than a second, so that a beat that comes a little early counts
constexpr Nanos restForOne = 20;         // of the time that the driver took
constexpr Nanos apartNs = 50'000'000;    // ports take turns, so that no beat waits for all of them

}  // namespace

bool EthtoolPort::has(const EthtoolMatch& match) const
{
    for (std::size_t i = 0; i < m_count; ++i)
        if (m_picks[i].match.counter == match.counter && m_picks[i].match.priority == match.priority) return true;
    return false;
}

std::size_t EthtoolPort::learn(std::string_view interface, const EthtoolStrings& names)
{
    m_name = Path(interface);
    m_names = names.size();
    m_count = 0;
    for (std::size_t at = 0; at < names.size() && m_count < mostPicks; ++at) {
        EthtoolMatch match;
        if (matchEthtool(names[at], match) && !has(match)) m_picks[m_count++] = {static_cast<std::uint32_t>(at), match, nullptr};
    }
    return m_count;
}

/// "eth0" for what belongs to the whole port, "eth0/prio3" for what belongs to a priority.
Source* EthtoolPort::sourceOf(const Pass& pass, int priority) const
{
    Path name(m_name.view());
    std::array<char, 20> digits;
    if (priority != wholePort) name.add("/prio").add(decimal(static_cast<std::uint64_t>(priority), digits));
    Source* const source = pass.sources.find(CounterFamily::Nic, name.view());
    if (source != nullptr && source->use == Use::Undecided) pass.sink.accept(*source, name.view());
    return source;
}

bool EthtoolPort::put(const Pass& pass, Ticks at, std::span<const std::uint64_t> values)
{
    if (values.size() != m_names) return false;
    for (std::size_t i = 0; i < m_count; ++i) {
        Pick& pick = m_picks[i];
        if (pick.source == nullptr) pick.source = sourceOf(pass, pick.match.priority);
        if (pick.source != nullptr) pass.sink.put(at, *pick.source, pick.match.counter, values[pick.at]);
    }
    return true;
}

Availability EthtoolSampler::open(const Pass& pass)
{
    if (!pass.root.isMachine()) return {false, "a captured machine: its drivers cannot be asked"};
    if (m_socket.open() != 0) return {false, "no socket to ask drivers with"};
    FolderNames interfaces(pass.root, "sys/class/net");
    std::string_view name;
    bool any = false;
    while (m_count < mostPorts && interfaces.next(name)) {
        const NicKind kind = nicKind(pass.root, name);
        if (kind != NicKind::Hardware && kind != NicKind::Function) continue;
        any = true;
        if (learn(pass, m_ports[m_count], name)) ++m_count;
    }
    if (m_count > 0) return {true, "what the drivers of Ethernet ports tell (ethtool -S)"};
    return {false, any ? "no driver of an interface here has a statistic that is known (ethtool -S)" : "no interface shows hardware"};
}

bool EthtoolSampler::learn(const Pass& pass, EthtoolPort& port, std::string_view interface)
{
    const EthtoolStrings names = m_socket.names(interface, pass.scratch);
    if (port.learn(interface, names) == 0) return false;
    port.dueNs = 0;
    return true;
}

void EthtoolSampler::close() { m_socket.close(); }

void EthtoolSampler::sample(const Pass& pass)
{
    for (std::size_t i = 0; i < m_count; ++i) {
        if (pass.sink.nowNs() < m_ports[i].dueNs) continue;
        const bool first = m_ports[i].dueNs == 0;
        const Nanos begin = buffer::monotonicNs();
        read(pass, m_ports[i]);
        const Nanos rest = (buffer::monotonicNs() - begin) * restForOne;
        m_ports[i].dueNs = pass.sink.nowNs() + (rest > periodNs ? rest : periodNs) + (first ? static_cast<Nanos>(i) * apartNs : 0);
    }
}

void EthtoolSampler::read(const Pass& pass, EthtoolPort& port)
{
    std::span<const std::uint64_t> values;
    const Ticks at = dated([&] {
        values = m_socket.values(port.interface(), pass.scratch);
        return !values.empty();
    });
    if (values.empty() || port.put(pass, at, values)) return;  // gone, or busy: asked again when it is due
    const Path name(port.interface());
    static_cast<void>(learn(pass, port, name.view()));
}

}  // namespace flowgauge::sample
