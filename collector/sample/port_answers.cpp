// SPDX-License-Identifier: MIT
#include "collector/sample/port_answers.h"

#include "collector/buffer/futex.h"

namespace flowgauge::sample {
namespace {

constexpr Nanos leastOfAllNs = 95'000'000;
constexpr Nanos restForOne = 20;  // of the time that the kernel took
constexpr std::string_view folder = "hw_counters/";

/// False where the driver tells no value of that name.
bool valueOf(std::span<const char> values, std::string_view path, std::uint64_t& into)
{
    if (!startsWith(path, folder)) return false;
    NamedValues all(values);
    for (NamedValue one; all.next(one);) {
        if (one.name != from(path, folder.size())) continue;
        into = one.value;
        return true;
    }
    return false;
}

bool valueOf(std::span<const char> values, const PortFile& row, std::uint64_t& into)
{
    std::uint64_t more = 0;
    if (!valueOf(values, row.path, into) || (!row.alsoAdded.empty() && !valueOf(values, row.alsoAdded, more))) return false;
    into += more;
    return true;
}

}  // namespace

bool PortAnswers::findDevice(const Pass& pass, std::string_view name, std::uint32_t& index)
{
    if (m_socket.kernel().ofThisMachine && !pass.root.isMachine()) return false;
    if (!m_open && m_socket.open() != 0) return false;
    m_open = true;
    bool found = false;
    const int error = m_socket.ask(everyDevice(), pass.scratch, [&](const RdmaAnswer& answer) {
        RdmaDevice told;
        if (parseRdmaDevice(answer.body, told) && told.name == name) {
            index = told.index;
            found = true;
        }
        return true;
    });
    return error == 0 && found;
}

void PortAnswers::pick(std::span<const char> values, DataUnit unit, const SettledCounters& settled, Port& port)
{
    SettledCounters done = settled;
    for (const PortFile& row : portFiles) {
        std::uint64_t value = 0;
        bool& taken = done[static_cast<std::size_t>(standsFor(row.counter))];
        if (taken || port.count == port.picks.size() || !valueOf(values, row, value)) continue;
        taken = true;
        port.picks[port.count++] = {&row, inUnit(row.counter, unit)};
        const Nanos least = row.leastMs() * 950'000;
        if (port.count == 1 || least < port.leastNs) port.leastNs = least;
    }
    if (port.leastNs < leastOfAllNs) port.leastNs = leastOfAllNs;
}

bool PortAnswers::add(const Pass& pass, std::string_view device, std::string_view port, DataUnit unit, Source& source,
                      const SettledCounters& settled)
{
    std::uint64_t number = 0;
    Port found;
    if (m_count == mostPorts || !parseNumber(port, number) || !findDevice(pass, device, found.device)) return false;
    found.port = static_cast<std::uint32_t>(number);
    found.source = &source;
    const int error = m_socket.ask(countersOf(found.device, found.port), pass.scratch, [&](const RdmaAnswer& answer) {
        pick(portValues(answer.body), unit, settled, found);
        return true;
    });
    if (error != 0 || found.count == 0) return false;
    m_ports[m_count++] = found;
    return true;
}

int PortAnswers::read(const Pass& pass, const Port& port)
{
    return m_socket.ask(countersOf(port.device, port.port), pass.scratch, [&](const RdmaAnswer& answer) {
        const std::span<const char> values = portValues(answer.body);
        for (std::size_t at = 0; at < port.count; ++at) {
            std::uint64_t value = 0;
            if (valueOf(values, *port.picks[at].row, value)) pass.sink.put(answer.at, *port.source, port.picks[at].counter, value);
        }
        return true;
    });
}

/// A device that is gone is asked no more before the next look at all of them.
void PortAnswers::sample(const Pass& pass)
{
    for (std::size_t at = 0; at < m_count; ++at) {
        Port& port = m_ports[at];
        if (pass.sink.nowNs() < port.dueNs) continue;
        const Nanos begin = buffer::monotonicNs();
        if (read(pass, port) != 0) port.count = 0;
        const Nanos rest = (buffer::monotonicNs() - begin) * restForOne;
        port.dueNs = port.count == 0 ? INT64_MAX : pass.sink.nowNs() + (rest > port.leastNs ? rest : port.leastNs);
    }
}

void PortAnswers::close()
{
    m_socket.close();
    m_open = false;
    m_count = 0;
}

}  // namespace flowgauge::sample
