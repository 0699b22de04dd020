// SPDX-License-Identifier: MIT
#include "analyzer/report/port_rows.h"

#include "analyzer/report/units.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace flowgauge::report {
namespace {

double movedBy(const findings::PortRow& row) { return row.received.moved + row.sent.moved; }

/// A residual may be below zero, which a number of bytes is not.
std::string residual(double value) { return (value < 0 ? "-" : "") + bytes(std::abs(value)); }

void addBytes(const findings::CarriedBytes& carried, bool withConnections, std::vector<std::string>& row)
{
    for (const double value : {carried.moved, carried.gradients, carried.storage, carried.headers}) row.push_back(bytes(value));
    if (withConnections) row.push_back(bytes(carried.connections));
    row.push_back(residual(carried.unexplained));
}

struct PortWay {
    const char* name;
    const findings::CarriedBytes& carried;
    double peak;
};
std::vector<std::string> rowOfWay(const findings::PortRow& port, const PortWay& way, bool withConnections)
{
    const double peak = way.peak;
    std::vector<std::string> row{port.host, port.port, way.name};
    addBytes(way.carried, withConnections, row);
    const Measured<double> ofLink = port.shareOfLink(peak);
    row.push_back(bytesPerSecond(peak) + (ofLink.known() ? " (" + share(ofLink.value()) + ")" : ""));
    return row;
}

void add(findings::CarriedBytes& sum, const findings::CarriedBytes& one)
{
    sum.moved += one.moved;
    sum.gradients += one.gradients;
    sum.storage += one.storage;
    sum.headers += one.headers;
    sum.unexplained += one.unexplained;
    sum.connections += one.connections;
}

/// A column of its own only where the job has connections that leave their host.
bool hasConnections(const findings::Network& network)
{
    return std::any_of(network.ports.begin(), network.ports.end(),
                       [](const findings::PortRow& port) { return port.received.connections > 0 || port.sent.connections > 0; });
}

std::vector<std::string> titlesOf(std::vector<std::string> first, bool withConnections, const char* last)
{
    for (const char* title : {"moved", "gradients", "storage", "headers"}) first.emplace_back(title);
    if (withConnections) first.emplace_back("other TCP");
    first.emplace_back("unexplained");
    if (*last != '\0') first.emplace_back(last);
    return first;
}

}  // namespace

std::vector<std::vector<std::string>> portRows(const findings::Network& network, std::size_t mostPorts)
{
    if (network.ports.empty()) return {};
    const bool withConnections = hasConnections(network);
    std::vector<std::vector<std::string>> rows{titlesOf({"host", "port", "way"}, withConnections, "peak (of link)")};
    std::vector<double> moved;
    for (const findings::PortRow& port : network.ports) moved.push_back(movedBy(port));
    std::sort(moved.begin(), moved.end(), std::greater<>());
    const double least = moved[std::min(mostPorts, moved.size()) - 1];
    std::size_t shown = 0;
    for (const findings::PortRow& port : network.ports) {
        if (movedBy(port) < least || shown == mostPorts) continue;
        rows.push_back(rowOfWay(port, {"in", port.received, port.peakReceived}, withConnections));
        rows.push_back(rowOfWay(port, {"out", port.sent, port.peakSent}, withConnections));
        ++shown;
    }
    if (shown < network.ports.size())
        rows.push_back({"…", plural(static_cast<std::int64_t>(network.ports.size() - shown), "more port", "more ports")});
    return rows;
}

std::vector<std::vector<std::string>> portEpochRows(const findings::Network& network)
{
    std::map<std::pair<std::int64_t, std::string>, findings::PortRow::InEpoch> sums;
    for (const findings::PortRow& port : network.ports)
        for (const findings::PortRow::InEpoch& epoch : port.epochs) {
            findings::PortRow::InEpoch& sum = sums[{epoch.number, port.host}];
            add(sum.received, epoch.received);
            add(sum.sent, epoch.sent);
        }
    if (sums.empty()) return {};
    const bool withConnections = hasConnections(network);
    std::vector<std::vector<std::string>> rows{titlesOf({"epoch", "host", "way"}, withConnections, "")};
    for (const auto& [key, sum] : sums) {
        for (const auto& [way, carried] : {std::pair{"in", &sum.received}, std::pair{"out", &sum.sent}}) {
            rows.push_back({std::to_string(key.first), key.second, way});
            addBytes(*carried, withConnections, rows.back());
        }
    }
    return rows;
}

std::vector<std::vector<std::string>> gpuLinkRows(const findings::Network& network, std::size_t most)
{
    if (network.gpuLinks.empty()) return {};
    std::vector<std::vector<std::string>> rows{{"host", "GPU", "link", "in", "out", "peak in", "peak out", "link moves"}};
    const auto ofLink = [](double peak, const Measured<double>& rate) {
        return bytesPerSecond(peak) + (rate.known() ? " (" + share(peak / rate.value()) + ")" : "");
    };
    for (std::size_t i = 0; i < std::min(most, network.gpuLinks.size()); ++i) {
        const findings::GpuLinkRow& row = network.gpuLinks[i];
        rows.push_back({row.host, row.gpu, row.kind, bytes(row.received), bytes(row.sent), ofLink(row.peakReceived, row.rate),
                        ofLink(row.peakSent, row.rate), cell(row.rate, bytesPerSecond)});
    }
    if (most < network.gpuLinks.size())
        rows.push_back({"…", plural(static_cast<std::int64_t>(network.gpuLinks.size() - most), "more link", "more links")});
    return rows;
}

std::string linkNote(const findings::Network& network)
{
    const auto unknown =
        std::find_if(network.ports.begin(), network.ports.end(), [](const findings::PortRow& port) { return !port.rate.known(); });
    return unknown == network.ports.end() ? "" : "share of the link not measured (" + unknown->rate.reason() + ")";
}

}  // namespace flowgauge::report
