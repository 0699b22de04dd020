// SPDX-License-Identifier: MIT
#include "analyzer/report/connection_rows.h"

#include "analyzer/report/units.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace flowgauge::report {
namespace {

constexpr double worthALineFrom = 1e6;

std::string roundTrip(double us) { return duration(static_cast<Nanos>(std::llround(us * 1e3))); }

}  // namespace

std::vector<std::vector<std::string>> connectionRows(const std::vector<findings::ConnectionRow>& connections, std::size_t most)
{
    if (connections.empty()) return {};
    std::vector<std::vector<std::string>> rows{
        {"host", "TCP with", "where", "connections", "sent", "received", "sent again", "round trip", "longest"}};
    for (std::size_t i = 0; i < std::min(most, connections.size()); ++i) {
        const findings::ConnectionRow& row = connections[i];
        rows.push_back({row.host, row.peer, row.where, count(row.connections), bytes(row.sent), bytes(row.received),
                        cell(row.resentShare(), share), cell(row.rttMedianUs, roundTrip), cell(row.rttMostUs, roundTrip)});
    }
    if (most < connections.size())
        rows.push_back({"…", plural(static_cast<std::int64_t>(connections.size() - most), "more peer", "more peers")});
    return rows;
}

std::vector<findings::ConnectionRow> worthALine(const std::vector<findings::ConnectionRow>& connections)
{
    std::vector<findings::ConnectionRow> rows;
    std::copy_if(connections.begin(), connections.end(), std::back_inserter(rows),
                 [](const findings::ConnectionRow& row) { return row.sent + row.received >= worthALineFrom; });
    return rows;
}

}  // namespace flowgauge::report
