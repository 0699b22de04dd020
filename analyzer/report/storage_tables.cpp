// SPDX-License-Identifier: MIT
#include "analyzer/report/storage_tables.h"

#include "analyzer/report/units.h"

namespace flowgauge::report {
namespace {

std::string watchedValue(findings::WatchedRow::Unit unit, double value)
{
    using Watched = findings::WatchedRow::Unit;  // collector/record has a Unit of its own
    switch (unit) {
        case Watched::Bytes:
            return bytes(value);
        case Watched::BytesPerSecond:
            return bytesPerSecond(value);
        case Watched::PerSecond:
            return perSecond(value) + " /s";
        case Watched::Plain:
            break;
    }
    return perSecond(value);
}

}  // namespace

std::vector<std::vector<std::string>> serverRows(const std::vector<findings::ServerRow>& servers)
{
    if (servers.empty()) return {};
    std::vector<std::vector<std::string>> rows{
        {"storage system", "epoch", "gave out", "read from disks", "sent to clients", "from its caches"}};
    for (const findings::ServerRow& row : servers)
        rows.push_back({row.server, row.epoch == 0 ? "all" : std::to_string(row.epoch), cell(row.served, bytesPerSecond),
                        cell(row.disks, bytesPerSecond), cell(row.network, bytesPerSecond), cell(row.cacheHits, share)});
    return rows;
}

std::vector<std::vector<std::string>> watchedTable(const std::vector<findings::WatchedRow>& rows, std::size_t most)
{
    if (rows.empty()) return {};
    std::vector<std::vector<std::string>> table{{"host", "place", "counter", "least", "mean", "most"}};
    for (const findings::WatchedRow& row : rows) {
        if (table.size() > most) {
            table.push_back({"…", plural(static_cast<std::int64_t>(rows.size() - most), "more counter", "more counters")});
            break;
        }
        const auto value = [&row](double number) { return watchedValue(row.unit, number); };
        table.push_back({row.host, row.place, std::string(row.counter), value(row.least), value(row.mean), value(row.most)});
    }
    return table;
}

}  // namespace flowgauge::report
