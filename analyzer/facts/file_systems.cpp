// SPDX-License-Identifier: MIT
#include "analyzer/facts/file_systems.h"

#include "analyzer/facts/counter_series.h"
#include "analyzer/facts/host_names.h"

#include <array>
#include <map>

namespace flowgauge::facts {
namespace {

struct FileSystemRow {
    Counter counter;
    Measured<double> FileSystemBytes::*bytes;
};
constexpr std::array fileSystemRows{
    FileSystemRow{Counter::FsAskedBytes, &FileSystemBytes::asked},
    FileSystemRow{Counter::FsFetchedBytes, &FileSystemBytes::fetched},
    FileSystemRow{Counter::FsSentBytes, &FileSystemBytes::sent},
};

}  // namespace

std::vector<FileSystemBytes> fileSystemsOf(store::RunStore& store)
{
    const std::vector<store::HostRow> hosts = store.hosts();
    std::map<std::pair<std::string, std::string>, FileSystemBytes> found;
    for (const FileSystemRow& row : fileSystemRows)
        for (const PlacedSeries& placed : readCounters(store, {row.counter})) {
            const std::pair key(nameOfHost(hosts, placed.place.host), store.nameText(placed.place.source));
            const auto missing = Measured<double>::missing("its client does not count it");
            FileSystemBytes& bytes =
                found.try_emplace(key, FileSystemBytes{key.first, key.second, missing, missing, missing}).first->second;
            bytes.*row.bytes = placed.series.grown();
        }
    std::vector<FileSystemBytes> all;
    all.reserve(found.size());
    for (auto& [key, bytes] : found) all.push_back(std::move(bytes));
    return all;
}

}  // namespace flowgauge::facts
