// SPDX-License-Identifier: MIT
#include "collector/remote/onefs_values.h"

#include "collector/record/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace flowgauge::remote {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::size_t mostQuery = 7000;

/// What an error_code says of one row. The numbers are those of gostats; no document of the vendor lists them.
enum class Verdict : std::uint8_t { Use, UseInPart, Skip, Missing };
struct CodeRow {
    int code;
    Verdict verdict;
    const char* words;
};
constexpr std::array codes{
    CodeRow{1, Verdict::Missing, "not present"},
    CodeRow{2, Verdict::Missing, "not implemented"},
    CodeRow{3, Verdict::UseInPart, "some nodes did not answer: its value is that of the others"},
    CodeRow{4, Verdict::Skip, "stale"},
    CodeRow{5, Verdict::Skip, "a node could not be reached"},
    CodeRow{6, Verdict::Skip, "a node did not answer in time"},
    CodeRow{7, Verdict::Skip, "no history"},
    CodeRow{8, Verdict::Skip, "a fault of the system"},
    CodeRow{9, Verdict::Missing, "not configured"},
    CodeRow{10, Verdict::Skip, "no data"},
};

struct CacheRow {
    const char* name;
    Counter counter;
};
constexpr std::array cacheRows{
    CacheRow{"l1_data_read_start", Counter::StorageL1Reads}, CacheRow{"l1_data_read_hit", Counter::StorageL1Hits},
    CacheRow{"l2_data_read_start", Counter::StorageL2Reads}, CacheRow{"l2_data_read_hit", Counter::StorageL2Hits},
    CacheRow{"l3_data_read_start", Counter::StorageL3Reads}, CacheRow{"l3_data_read_hit", Counter::StorageL3Hits},
};

Json parse(std::string_view body, const char* list)
{
    Json whole = Json::parse(body, nullptr, false);
    if (whole.is_discarded()) throw Error("its answer", "is not whole, or no JSON");
    if (!whole.is_object() || !whole.contains(list) || !whole[list].is_array())
        throw Error("its answer", "expected a list '", list, "' in it, found none");
    return whole;
}

double numberOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

std::string textOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Rates can be a hair below zero after rounding; what is no number that could have been counted is left out.
void add(Readings& readings, Counter counter, const std::string& place, double value, std::int64_t at)
{
    if (!std::isfinite(value) || value < 0 || value > 9e18) return;
    readings.all.push_back({counter, place, static_cast<std::uint64_t>(std::llround(value)), at});
}

/// Rates of all operations together, and their mean time by how often each came.
void addOperations(Readings& readings, const Json& rows, const std::string& place, std::int64_t at)
{
    double read = 0, written = 0, operations = 0, time = 0;
    for (const Json& row : rows) {
        if (!row.is_object()) continue;
        const double rate = numberOf(row, rows.front().contains("operation_rate") ? "operation_rate" : "op_rate");
        read += numberOf(row, rows.front().contains("out_rate") ? "out_rate" : "out");
        written += numberOf(row, rows.front().contains("in_rate") ? "in_rate" : "in");
        operations += rate;
        time += rate * numberOf(row, "time_avg");
    }
    add(readings, Counter::StorageNfsReadRate, place, read, at);
    add(readings, Counter::StorageNfsWriteRate, place, written, at);
    add(readings, Counter::StorageNfsOps, place, operations, at);
    if (operations > 0) add(readings, Counter::StorageNfsTimeUs, place, time / operations, at);
}

std::string nodeOf(const Json& stat)
{
    const char* const field = stat.contains("node") && stat["node"].is_number_integer() ? "node" : "devid";
    return "node " + std::to_string(static_cast<std::int64_t>(std::clamp(numberOf(stat, field), 0.0, 1e9)));
}

void addValue(Readings& readings, const OneFsKey& key, const Json& stat)
{
    const Json& value = stat["value"];
    const std::int64_t at = momentNs(numberOf(stat, "time"), second);
    if (key.shape == OneFsShape::Number && value.is_number()) {
        add(readings, key.counter, "", value.get<double>(), at);
    } else if (key.shape == OneFsShape::Protocol && value.is_array() && !value.empty()) {
        addOperations(readings, value, key.place, at);
    } else if (key.shape == OneFsShape::CacheNode && value.is_object()) {
        for (const CacheRow& row : cacheRows)
            if (value.contains(row.name)) add(readings, row.counter, nodeOf(stat), numberOf(value, row.name), at);
    } else if (!(value.is_array() && value.empty())) {  // an empty list: nobody used that protocol
        readings.troubles.push_back(std::string(key.name) + ": its value is of a kind that this build does not know");
    }
}

/// error may be null, "" or a text; error_code null, 0 or a number; each may be absent.
const CodeRow* complaintOf(const Json& stat)
{
    const int code = static_cast<int>(std::clamp(numberOf(stat, "error_code"), -1.0, 1e6));
    static constexpr CodeRow unknown{-1, Verdict::Skip, "an error that this build does not know"};
    if (code == 0) return textOf(stat, "error").empty() ? nullptr : &unknown;
    const auto row = std::find_if(codes.begin(), codes.end(), [code](const CodeRow& one) { return one.code == code; });
    return row == codes.end() ? &unknown : &*row;
}

void addStat(OneFsStats& stats, const OneFsKey& key, const Json& stat)
{
    const CodeRow* const complaint = complaintOf(stat);
    if (complaint != nullptr) stats.readings.troubles.push_back(std::string(key.name) + ": " + complaint->words);
    if (complaint != nullptr && complaint->verdict == Verdict::Missing) stats.missing.emplace_back(key.name);
    const bool usable = complaint == nullptr || complaint->verdict == Verdict::UseInPart;
    if (usable && stat.contains("value")) addValue(stats.readings, key, stat);
}

}  // namespace

const std::vector<OneFsKey>& oneFsKeys()
{
    static const std::vector<OneFsKey> keys{
        {"ifs.bytes.out.rate", OneFsShape::Number, Counter::StorageReadRate, ""},
        {"ifs.bytes.in.rate", OneFsShape::Number, Counter::StorageWriteRate, ""},
        {"ifs.ops.out.rate", OneFsShape::Number, Counter::StorageReadOps, ""},
        {"ifs.ops.in.rate", OneFsShape::Number, Counter::StorageWriteOps, ""},
        {"cluster.disk.bytes.out.rate", OneFsShape::Number, Counter::StorageDiskReadRate, ""},
        {"cluster.disk.bytes.in.rate", OneFsShape::Number, Counter::StorageDiskWriteRate, ""},
        {"cluster.disk.xfers.out.rate", OneFsShape::Number, Counter::StorageDiskReadOps, ""},
        {"cluster.disk.xfers.in.rate", OneFsShape::Number, Counter::StorageDiskWriteOps, ""},
        {"cluster.net.ext.bytes.out.rate", OneFsShape::Number, Counter::StorageNetTxRate, ""},
        {"cluster.net.ext.bytes.in.rate", OneFsShape::Number, Counter::StorageNetRxRate, ""},
        {"cluster.protostats.nfs", OneFsShape::Protocol, {}, "nfs3"},
        {"cluster.protostats.nfs4", OneFsShape::Protocol, {}, "nfs4"},
        {"node.ifs.cache", OneFsShape::CacheNode, {}, ""},
    };
    return keys;
}

OneFsStats parseOneFsStats(std::string_view body)
{
    const Json whole = parse(body, "stats");
    OneFsStats stats;
    for (const Json& stat : whole["stats"]) {
        if (!stat.is_object()) continue;
        const std::string name = textOf(stat, "key");
        for (const OneFsKey& key : oneFsKeys())
            if (name == key.name) addStat(stats, key, stat);
    }
    return stats;
}

std::optional<std::chrono::seconds> parseOneFsInterval(std::string_view body)
{
    const Json whole = parse(body, "keys");
    if (whole["keys"].empty() || !whole["keys"].front().is_object()) throw Error("its answer", "describes no key");
    const Json& key = whole["keys"].front();
    const auto seconds = [](double number) { return std::chrono::seconds(static_cast<std::int64_t>(std::clamp(number, 1.0, 86400.0))); };
    if (key.contains("policies") && key["policies"].is_array())
        for (const Json& policy : key["policies"])
            if (policy.is_object() && policy.value("persistent", Json()) == Json(false)) return seconds(numberOf(policy, "interval"));
    if (const double cached = numberOf(key, "default_cache_time"); cached > 0) return seconds(cached);
    return std::nullopt;
}

Readings parseOneFsClients(std::string_view body)
{
    const Json whole = parse(body, "client");
    std::map<std::string, Json> byClient;
    std::map<std::string, std::int64_t> times;
    for (const Json& row : whole["client"]) {
        if (!row.is_object() || !textOf(row, "protocol").starts_with("nfs")) continue;
        const std::string address = textOf(row, "remote_addr");
        byClient[address].push_back(row);
        times[address] = std::max(times[address], momentNs(numberOf(row, "time"), second));
    }
    std::vector<std::pair<double, std::string>> busiest;
    for (const auto& [address, rows] : byClient) {
        double rate = 0;
        for (const Json& row : rows) rate += numberOf(row, "out") + numberOf(row, "in");
        busiest.emplace_back(-rate, address);
    }
    std::sort(busiest.begin(), busiest.end());
    Readings readings;
    if (busiest.size() > mostClients) {
        readings.troubles.push_back("it has more clients than are recorded: each time the " + std::to_string(mostClients) + " busiest");
        busiest.resize(mostClients);
    }
    for (const auto& [rate, address] : busiest) addOperations(readings, byClient[address], "client " + address, times[address]);
    return readings;
}

std::vector<std::string> oneFsQueries(const std::vector<std::string>& keys)
{
    std::vector<std::string> queries;
    for (const std::string& key : keys) {
        const std::string word = "key=" + key;
        if (queries.empty() || queries.back().size() + word.size() + 1 > mostQuery)
            queries.push_back(word);
        else
            queries.back() += '&' + word;
    }
    return queries;
}

}  // namespace flowgauge::remote
