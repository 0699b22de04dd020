// SPDX-License-Identifier: MIT
#include "workloads/simulate/network_model.h"

#include <array>
#include <cmath>

namespace flowgauge::simulate {
namespace {

struct Ready {
    double bytes, backward;  ///< shares
};
constexpr std::array<Ready, 4> readiness{{{0, 0}, {0.67, 0.20}, {0.94, 0.56}, {1, 1}}};

double backwardUntil(double share)
{
    for (std::size_t i = 1; i < readiness.size(); ++i) {
        const Ready& low = readiness[i - 1];
        const Ready& high = readiness[i];
        if (share <= high.bytes) return low.backward + (share - low.bytes) / (high.bytes - low.bytes) * (high.backward - low.backward);
    }
    return 1;
}

double bytesPerNs(double gbps) { return gbps / 8; }

}  // namespace

std::vector<Bucket> bucketsOf(const Parameters& parameters)
{
    if (parameters.ranks() < 2) return {};
    double sum = 0;
    for (const double bucket : parameters.model.bucketsMib) sum += bucket;
    const double ranks = parameters.ranks();
    const double nodes = parameters.cluster.nodes;
    const double members = parameters.link.scheme == Scheme::Ring ? ranks : nodes;
    const double rate = nodes > 1 ? bytesPerNs(parameters.link.gbps) * parameters.link.efficiency : bytesPerNs(parameters.link.insideGbps);
    const double factor = nodes > 1 ? 2 * (members - 1) / members : 2 * (ranks - 1) / ranks;
    const double hops = 2 * ((nodes > 1 ? members : ranks) - 1);
    std::vector<Bucket> buckets;
    double done = 0;
    for (const double part : parameters.model.bucketsMib) {
        done += part / sum;
        const double bytes = parameters.model.gradientMb * 1e6 * part / sum;
        const double wire = bytes * factor;
        const double time = wire / rate + hops * parameters.link.latencyUs * 1e3;
        const double whole = std::round(bytes);  // as the call tells it: else ports differ from calls by a byte a step
        buckets.push_back({std::llround(whole), std::llround(time), nodes > 1 ? whole * factor : 0, backwardUntil(done)});
    }
    return buckets;
}

}  // namespace flowgauge::simulate
