// SPDX-License-Identifier: MIT
#include "analyzer/cli/published_file.h"

#include "collector/record/error.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <fstream>
#include <string_view>

namespace flowgauge::cli {
namespace {

using Json = nlohmann::json;

study::Published publishedOf(const Json& json, const std::string& file)
{
    study::Published published;
    published.source = json.at("source").get<std::string>();
    for (const Json& run : json.value("runs", Json::array()))
        published.runs.push_back(
            {run.at("nodes").get<std::int64_t>(), run.at("speed_up").get<double>(), run.at("epochs").get<std::int64_t>()});
    const Json growth = json.value("growth_per_doubling", Json::object());
    if (growth.contains("disk")) published.diskShare = growth.at("disk").get<double>();
    if (growth.contains("network")) published.networkAmount = speedOf(file + ": network", growth.at("network").get<std::string>());
    for (const Json& link : json.value("faster_links", Json::array()))
        published.links.push_back({link.at("nodes").get<std::int64_t>(), speedOf(file + ": from", link.at("from").get<std::string>()),
                                   speedOf(file + ": to", link.at("to").get<std::string>()), link.at("throughput").get<double>()});
    for (const study::Published::Run& run : published.runs)
        if (run.speedUp <= 0 || run.epochs <= 0) throw Error(file, "expected speed_up and epochs above 0");
    return published;
}

}  // namespace

study::Published readPublished(const std::string& file)
{
    std::ifstream stream(file);
    if (!stream) throw Error(file, "cannot be read; expected published figures, as samples/studies/first_published.json");
    try {
        return publishedOf(Json::parse(stream, nullptr, true, true), file);
    } catch (const Json::exception& error) {
        throw Error(file, "no published figures as in samples/studies/first_published.json: ", error.what());
    }
}

double speedOf(const std::string& where, const std::string& text)
{
    struct Unit {
        std::string_view name;
        double bytesPerSecond;
    };
    constexpr Unit units[] = {{"Gb/s", 1e9 / 8}, {"Gbit/s", 1e9 / 8}, {"Mb/s", 1e6 / 8}, {"GB/s", 1e9}, {"MB/s", 1e6}};
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    for (const Unit& unit : units)
        if (error == std::errc() && rest == unit.name && number > 0) return number * unit.bytesPerSecond;
    throw Error(where + " " + text, "expected a speed, as 100Gb/s, 12.5GB/s or 200MB/s");
}

}  // namespace flowgauge::cli
