// SPDX-License-Identifier: MIT
#include "analyzer/facts/host_names.h"

#include <algorithm>

namespace flowgauge::facts {

std::string nameOfHost(const std::vector<store::HostRow>& hosts, store::Id id)
{
    const auto found = std::find_if(hosts.begin(), hosts.end(), [id](const store::HostRow& host) { return host.id == id; });
    if (found == hosts.end()) return "unknown host";
    const auto before = std::count_if(hosts.begin(), found, [&](const store::HostRow& host) { return host.name == found->name; });
    return before == 0 ? found->name : found->name + " #" + std::to_string(before + 1);
}

const store::HostRow* findHost(const std::vector<store::HostRow>& hosts, const std::string& name)
{
    const auto isNamed = [&name](const store::HostRow& host) { return host.name == name; };
    const auto found = std::find_if(hosts.begin(), hosts.end(), isNamed);
    if (found == hosts.end() || std::find_if(found + 1, hosts.end(), isNamed) != hosts.end()) return nullptr;
    return &*found;
}

}  // namespace flowgauge::facts
