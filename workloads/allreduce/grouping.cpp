// SPDX-License-Identifier: MIT
#include "workloads/allreduce/grouping.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace flowgauge::workloads::allreduce {
namespace {

/// Members' devices by cluster: a device joins the first cluster that it reaches wholly.
std::vector<std::vector<std::size_t>> clustersOf(const DeviceLinks& links, std::size_t members, std::size_t firstDevice)
{
    std::vector<std::vector<std::size_t>> clusters;
    for (std::size_t member = 0; member < members; ++member) {
        const std::size_t device = (firstDevice + member) % links.devices();
        const auto reached = std::find_if(clusters.begin(), clusters.end(), [&](const auto& cluster) {
            return std::all_of(cluster.begin(), cluster.end(), [&](std::size_t other) { return links.linked(device, other); });
        });
        if (reached == clusters.end())
            clusters.push_back({device});
        else
            reached->push_back(device);
    }
    return clusters;
}

}  // namespace

void DeviceLinks::link(std::size_t one, std::size_t other) { m_linked[one * m_devices + other] = m_linked[other * m_devices + one] = true; }

Grouping groupingOf(const DeviceLinks& links, std::size_t members, std::size_t firstDevice)
{
    Grouping grouping{{}, 0};
    for (const auto& cluster : clustersOf(links, members, firstDevice)) {
        grouping.groupSize = std::gcd(grouping.groupSize, cluster.size());
        grouping.deviceOf.insert(grouping.deviceOf.end(), cluster.begin(), cluster.end());
    }
    return grouping;
}

Grouping groupingOf(const DeviceLinks& links, std::size_t members, std::size_t firstDevice, std::size_t groupSize)
{
    if (members % groupSize != 0)
        throw std::invalid_argument("groups of " + std::to_string(groupSize) + " do not cut " + std::to_string(members) +
                                    " members without a rest");
    Grouping grouping = groupingOf(links, members, firstDevice);
    grouping.groupSize = groupSize;
    for (std::size_t member = 0; member < members; ++member)
        for (std::size_t fellow = member - member % groupSize; fellow < member; ++fellow)
            if (const auto one = grouping.deviceOf[fellow], other = grouping.deviceOf[member]; !links.linked(one, other))
                throw std::invalid_argument("devices " + std::to_string(one) + " and " + std::to_string(other) +
                                            " do not reach each other's memory: choose smaller groups");
    return grouping;
}

}  // namespace flowgauge::workloads::allreduce
