// SPDX-License-Identifier: MIT
#include "collector/remote/ufm_text.h"

#include "collector/record/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <ctime>

namespace flowgauge::remote {
namespace {

using Json = nlohmann::json;
constexpr const char* answerOf = "its answer";
constexpr std::int64_t micro = 1000, milli = 1'000'000, second = 1'000'000'000;

/// The next piece up to a separator, or all that is left; `ended` tells whether the separator was there.
std::string_view take(std::string_view& text, char separator, bool& ended)
{
    const std::size_t at = text.find(separator);
    ended = at != std::string_view::npos;
    const std::string_view piece = text.substr(0, at);
    text.remove_prefix(ended ? at + 1 : text.size());
    return piece;
}

std::vector<std::string_view> cellsOf(std::string_view line)
{
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::vector<std::string_view> cells;
    for (bool more = true; more;) cells.push_back(take(line, ',', more));
    return cells;
}

/// Whole, or as exporters write large ones: 8.5e+10. What else is there (45C, nan) is no number.
std::optional<std::uint64_t> numberIn(std::string_view text)
{
    std::uint64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, problem] = std::from_chars(text.data(), last, value);
    if (problem == std::errc{} && end == last) return value;
    double real = 0;
    const auto [realEnd, realProblem] = std::from_chars(text.data(), last, real);
    if (realProblem != std::errc{} || realEnd != last || !(real >= 0 && real < 9e18)) return std::nullopt;
    return static_cast<std::uint64_t>(real);
}

/// Where the columns are that say whose row it is, and what each other one is.
struct Columns {
    explicit Columns(const std::vector<std::string_view>& names)
    {
        for (std::size_t i = 0; i < names.size(); ++i) {
            std::string name(names[i]);
            fields.push_back(fabricFieldOf(name));
            standard = standard || name == "PortXmitDataExtended" || name == "PortRcvDataExtended";
            std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
            places.emplace(name == "port_number" ? "port_num" : name, i);  // the first of two with one name
        }
    }
    [[nodiscard]] std::string_view cell(const std::vector<std::string_view>& row, const char* name) const
    {
        const auto place = places.find(name);
        return place == places.end() ? std::string_view() : row[place->second];
    }
    std::map<std::string, std::size_t> places;
    std::vector<std::optional<FabricField>> fields;
    bool standard = false;
};

std::string portOf(const Columns& columns, const std::vector<std::string_view>& row)
{
    const bool together = columns.cell(row, "port_type") == "aggregated";
    const std::string guid = guidOf(columns.cell(row, together ? "sys_image_guid" : "port_guid"));
    const std::string_view number = columns.cell(row, together ? "aport" : "port_num");
    return guid.empty() || number.empty() ? std::string() : guid + '/' + std::string(number);
}

/// "2024-03-05 16:26:11" as if it were UTC; 0 for what is no such text.
std::int64_t localTime(const std::string& text)
{
    std::tm parts{};
    const char* const end = ::strptime(text.c_str(), "%Y-%m-%d %H:%M:%S", &parts);
    return end == nullptr || *end != '\0' ? 0 : momentNs(static_cast<double>(::timegm(&parts)), second);
}

/// How far a local time is from UTC: zones differ by quarters of an hour.
std::int64_t zoneOf(std::int64_t localNs, std::int64_t serverNs)
{
    constexpr std::int64_t quarter = 900 * second;
    const std::int64_t off = localNs - serverNs;
    return (off >= 0 ? off + quarter / 2 : off - quarter / 2) / quarter * quarter;
}

Json parseJson(std::string_view text)
{
    Json whole = Json::parse(text, nullptr, false);
    if (whole.is_discarded()) throw Error(answerOf, "is not whole, or no JSON");
    return whole;
}

std::string textOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// "<guid>_<number>"
std::string portOfKey(const std::string& key)
{
    const std::size_t bar = key.rfind('_');
    const std::string guid = bar == std::string::npos ? std::string() : guidOf(std::string_view(key).substr(0, bar));
    return guid.empty() ? std::string() : guid + '/' + key.substr(bar + 1);
}

void putStatistics(const Json& statistics, FabricPort& port)
{
    for (const auto& [name, value] : statistics.items())
        if (const auto field = fabricFieldOf(name); field && value.is_number_unsigned()) port[*field] = value.get<std::uint64_t>();
}

/// The value of a label in `name="value",other="value"`.
std::string_view labelOf(std::string_view labels, std::string_view name)
{
    const std::string start = std::string(name) + "=\"";
    std::size_t at = labels.find(start);
    while (at != std::string_view::npos && at != 0 && labels[at - 1] != ',') at = labels.find(start, at + 1);
    if (at == std::string_view::npos) return {};
    labels.remove_prefix(at + start.size());
    return labels.substr(0, labels.find('"'));
}

}  // namespace

FabricPorts parseUfmCsv(std::string_view text)
{
    bool ended = false;
    const Columns columns(cellsOf(take(text, '\n', ended)));
    if (!columns.places.contains("port_guid")) throw Error(answerOf, "expected a table with a column port_guid, found none");
    FabricPorts ports;
    ports.standardNames = columns.standard;
    while (!text.empty()) {
        const std::vector<std::string_view> row = cellsOf(take(text, '\n', ended));
        if (row.size() == 1 && row[0].empty()) continue;
        if (!ended || row.size() != columns.fields.size()) {
            ports.troubles.emplace_back("a row of its table was cut off, and left out");
            continue;
        }
        FabricPort port{
            portOf(columns, row), momentNs(static_cast<double>(numberIn(columns.cell(row, "timestamp")).value_or(0)), micro), {}};
        if (port.port.empty() || columns.cell(row, "port_type") == "plane") continue;
        for (std::size_t i = 0; i < row.size(); ++i)
            if (columns.fields[i] && !port[*columns.fields[i]]) port[*columns.fields[i]] = numberIn(row[i]);
        ports.all.push_back(std::move(port));
    }
    return ports;
}

FabricPorts parseUfmPrometheus(std::string_view text)
{
    FabricPorts ports;
    std::map<std::string, std::size_t> places;
    bool any = false;
    while (!text.empty()) {
        bool ended = false;
        std::string_view line = take(text, '\n', ended);
        if (line.empty() || line.front() == '#') continue;
        const std::string_view name = take(line, '{', any), labels = take(line, '}', any);
        const std::string guid = guidOf(labelOf(labels, "port_guid"));
        const auto field = fabricFieldOf(name);
        if (!ended) ports.troubles.emplace_back("a row of its table was cut off, and left out");
        if (!any || !ended || !field || guid.empty()) continue;
        line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
        const std::string_view value = take(line, ' ', any);
        const auto [place, isNew] = places.emplace(guid + '/' + std::string(labelOf(labels, "port_num")), ports.all.size());
        if (isNew) ports.all.push_back({place->first, 0, {}});
        FabricPort& port = ports.all[place->second];
        port[*field] = numberIn(value);
        port.measuredNs = std::max(port.measuredNs, momentNs(static_cast<double>(numberIn(line).value_or(0)), milli));
        ports.standardNames = ports.standardNames || name == "PortXmitDataExtended";
    }
    if (ports.all.empty()) throw Error(answerOf, "expected counters with a label port_guid, found none");
    return ports;
}

FabricPorts parseUfmSnapshot(std::string_view text, std::int64_t serverNs)
{
    const Json whole = parseJson(text);
    FabricPorts ports;
    if (!whole.is_object()) throw Error(answerOf, "expected an object with a time, found none");
    for (const auto& [moment, classes] : whole.items()) {
        const std::int64_t local = localTime(moment);
        if (local == 0 || !classes.is_object() || !classes.contains("Port") || !classes["Port"].is_object()) continue;
        const std::int64_t zone = zoneOf(local, serverNs);
        for (const auto& [key, object] : classes["Port"].items()) {
            if (!object.is_object() || !object.contains("statistics") || !object["statistics"].is_object()) continue;
            const std::int64_t updated = localTime(textOf(object, "last_updated"));
            FabricPort port{portOfKey(key), (updated != 0 ? updated : local) - zone, {}};
            putStatistics(object["statistics"], port);
            if (!port.port.empty()) ports.all.push_back(std::move(port));
        }
    }
    if (ports.all.empty()) throw Error(answerOf, "expected statistics of ports, found none");
    return ports;
}

std::map<std::string, std::string> parseUfmNames(std::string_view text)
{
    const Json whole = parseJson(text);
    std::map<std::string, std::string> names;
    if (!whole.is_array()) throw Error(answerOf, "expected a list of ports, found none");
    for (const Json& object : whole) {
        if (!object.is_object()) continue;
        const std::string port = portOfKey(textOf(object, "name")), path = textOf(object, "path"), place = textOf(object, "dname");
        const std::size_t node = path.find(": "), end = path.find(" / ", node);
        if (port.empty() || node == std::string::npos) continue;
        names[port] = path.substr(node + 2, end == std::string::npos ? end : end - node - 2) + (place.empty() ? "" : ' ' + place);
    }
    return names;
}

}  // namespace flowgauge::remote
