// SPDX-License-Identifier: MIT
#include "analyzer/facts/clock_exchanges.h"

#include <algorithm>

namespace flowgauge::facts {

std::vector<ClockExchange> readClockExchanges(store::RunStore& store)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    const auto hostWhere = [&](auto fits) { return std::find_if(hosts.begin(), hosts.end(), fits); };
    std::vector<ClockExchange> exchanges;
    store.scan({{Kind::ClockExchange}, {}, {}}, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        const auto asking = hostWhere([&](const store::HostRow& host) { return host.id == track.key.host; });
        for (const store::StoredEvent& event : events) {
            const std::string reference = store.nameText(event.arg[0]);
            const auto answering = hostWhere([&](const store::HostRow& host) { return host.name == reference; });
            if (asking == hosts.end() || answering == hosts.end()) continue;
            const Nanos toRun = answering->rawToRunNs;
            exchanges.push_back({asking->name, reference, {event.begin, event.end}, {event.arg[1] + toRun, event.arg[2] + toRun}});
        }
        return true;
    });
    return exchanges;
}

}  // namespace flowgauge::facts
