// SPDX-License-Identifier: MIT
#include "analyzer/facts/clock_exchanges.h"

#include "analyzer/facts/host_names.h"

namespace flowgauge::facts {

std::vector<ClockExchange> readClockExchanges(store::RunStore& store)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    std::vector<ClockExchange> exchanges;
    store.scan({{Kind::ClockExchange}, {}, {}}, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        const std::string asking = nameOfHost(hosts, track.key.host);
        for (const store::StoredEvent& event : events) {
            const store::HostRow* answering = findHost(hosts, store.nameText(event.arg[0]));
            if (answering == nullptr || answering->id == track.key.host) continue;
            const Nanos toRun = answering->rawToRunNs;
            exchanges.push_back({asking, answering->name, {event.begin, event.end}, {event.arg[1] + toRun, event.arg[2] + toRun}});
        }
        return true;
    });
    return exchanges;
}

}  // namespace flowgauge::facts
