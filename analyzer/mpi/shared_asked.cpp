// SPDX-License-Identifier: MIT
#include "analyzer/mpi/shared_asked.h"

#include "analyzer/facts/over_time.h"

#include <algorithm>
#include <cstring>

namespace flowgauge::mpi {
namespace {

Interval rootsInterval(const Peers& peers, Interval when)
{
    const std::string bytes = peers.fromRoot({reinterpret_cast<const char*>(&when), sizeof when});
    std::memcpy(&when, bytes.data(), sizeof when);
    return when;
}

std::vector<double> received(const Peers& peers, std::size_t from)
{
    const std::vector<std::byte> bytes = peers.receive(from);
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
    return values;
}

void add(const std::vector<double>& values, std::vector<double>& sum)
{
    sum.resize(std::max(sum.size(), values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

std::vector<double> sharedAsked(const Peers& peers, const Plan& plan, SeenRuns& own, Interval when, std::size_t slices)
{
    const Interval agreed = rootsInterval(peers, when);
    std::vector<double> sum;
    for (std::size_t part = 0; part < plan.parts.size(); ++part)
        if (plan.holderOf(part) == peers.number())
            add(facts::askedOver(own.opened.at(plan.parts[part].identity).store, agreed, slices), sum);
    if (!peers.isRoot()) {
        peers.send(std::as_bytes(std::span(sum)));
        return {};
    }
    for (std::size_t from = 1; from < peers.size(); ++from) add(received(peers, from), sum);
    return sum;
}

}  // namespace flowgauge::mpi
