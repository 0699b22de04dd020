// SPDX-License-Identifier: MIT
#include "collector/remote/mad.h"

#include "collector/record/error.h"

#include <set>

namespace flowgauge::remote {

Mad::Mad(Place place, Umad (*load)())
    : m_place(std::move(place)), m_targets(parseMadTargets(std::string_view(m_place.path).substr(1))), m_load(load)
{
}

void Mad::open(Recording& recording)
{
    m_umad = m_load();
    m_port.emplace(m_umad, m_place);
    recording.note(
        "measured",
        "by management datagrams to the ports' performance agents, as perfquery -x asks: data in words of 4 bytes; nothing is reset");
}

PortCapabilities Mad::learn(MadTarget target, Http& http, Recording& recording)
{
    if (const auto known = m_capabilities.find(target.lid); known != m_capabilities.end()) return known->second;
    const MadPort::Told told = m_port->get(target, PortAttribute::ClassPortInfo, [&http] { return http.stopped(); });
    const PortCapabilities capabilities = capabilitiesOf(told.bytes);
    const std::string lid = "lid " + std::to_string(target.lid);
    if (!capabilities.wide)
        recording.note("degraded",
                       lid + " counts data in 32 bits only: they stand still at their largest value, within seconds on a busy link");
    if (!capabilities.wait && !capabilities.wideErrors)
        recording.note("absent", lid + " does not count PortXmitWait: whether its ports waited for credit is not measured");
    return m_capabilities[target.lid] = capabilities;
}

void Mad::ask(MadTarget target, Http& http, Recording& recording)
{
    const PortCapabilities capabilities = learn(target, http, recording);
    for (const PortAttribute attribute : attributesOf(capabilities)) {
        const MadPort::Told told = m_port->get(target, attribute, [&http] { return http.stopped(); });
        recording.put(readingsOf(portOf(told.bytes, attribute, capabilities, target.shown()), FabricUnit::Unit::Words, {}), told.moment, 0);
    }
}

/// A port that does not answer costs its own numbers, and a node that does not those of its other ports this round.
void Mad::poll(Http& http, Recording& recording)
{
    if (!m_port) open(recording);
    std::set<std::uint16_t> silent;
    std::vector<Error> failures;
    int answered = 0;
    for (const MadTarget target : m_targets) {
        if (silent.contains(target.lid)) continue;
        try {
            ask(target, http, recording);
            if (++answered > 1) recording.answered();  // who called counts the first
        } catch (const Error& error) {
            if (http.stopped()) throw;
            failures.push_back(error);
            if (!m_port->answered()) silent.insert(target.lid);
            m_capabilities.erase(target.lid);  // another node may have the LID by then
        }
    }
    const bool none = answered == 0;
    if (none) m_port.reset();
    for (std::size_t i = 0; i + (none ? 1 : 0) < failures.size(); ++i) recording.failed(failures[i].what());
    if (none) throw Error(failures.back());
}

}  // namespace flowgauge::remote
