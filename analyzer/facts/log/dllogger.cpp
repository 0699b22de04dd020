// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/log_text.h"
#include "analyzer/facts/log/patterns.h"
#include "analyzer/facts/log/readers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace flowgauge::facts {
namespace {

/// Where in the run a line speaks of: epoch from 0, iteration; -1: not told.
struct LogPlace {
    std::int64_t epoch = -1, iteration = -1;
    bool validates = false;  ///< an iteration of the evaluation, or the whole of it
    bool ofEpoch = false;    ///< sums an epoch up
};

/// What the values of one line say. Keys as NVIDIA's examples write them.
struct Values {
    double rate = 0, waitSeconds = 0, computeSeconds = 0;
    std::optional<double> accuracy;

    void take(std::string_view key, double value)
    {
        constexpr std::array<std::string_view, 4> rates{"train.total_ips", "train.ips", "total_ips", "train.throughput"};
        if (std::find(rates.begin(), rates.end(), key) != rates.end()) rate = value;
        if (key == "train.data_time") waitSeconds = value;
        if (key == "train.compute_time") computeSeconds = value;
        if (key == "val.top1") accuracy = value / 100;  // its unit is %
        if (key == "val.accuracy") accuracy = value;
    }
};

void put(const LogPlace& place, const Values& values, const LogPiece& piece, LogAccount& into)
{
    if (place.epoch >= 0 && !place.validates && !place.ofEpoch) into.seenInEpoch(place.epoch + 1, piece.at);
    if (values.accuracy && !place.validates && place.epoch >= 0) into.evaluated(place.epoch + 1, piece.at, *values.accuracy);
    if (place.ofEpoch || place.validates || (values.rate <= 0 && values.computeSeconds <= 0)) return;
    const double step = values.computeSeconds > 0 ? values.computeSeconds + values.waitSeconds : 0;
    const bool sameStep = !into.rates.empty() && into.rates.back().epoch == place.epoch + 1 && into.rates.back().step == place.iteration;
    if (!sameStep) into.rates.push_back({place.epoch + 1, place.iteration, piece.at, RateOf::Job, 0, 0, 0});
    LogRate& rate = into.rates.back();  // one step's values may come in two lines
    if (values.rate > 0) rate.samplesPerSecond = values.rate;
    if (step > 0) {
        rate.stepSeconds = step;
        rate.waitForDataSeconds = values.waitSeconds;
    }
}

}  // namespace

/// `DLL 2020-09-15 14:29:14.427490 - Epoch: 0 Iteration: 2  train.loss : 6.93504  train.total_ips : 4294.91 img/s`
void readDlloggerText(const LogPiece& piece, LogAccount& into)
{
    static const std::regex line(
        R"(DLLL? \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ - (?:Epoch: (\d+) )?(?:Iteration: (\d+) )?(Validation Iteration: \d+ )?)");
    static const std::regex value(R"(([\w.@]+) : (-?[\d.]+(?:[eE][+-]?\d+)?))");
    const Found found(piece.text, line);
    if (!found) return;
    into.format = "DLLogger";
    const LogPlace place{found.has(1) ? found.whole(1) : -1, found.has(2) ? found.whole(2) : -1, found.has(3),
                         found.has(1) && !found.has(2)};
    Values values;
    std::string_view rest = piece.text;
    while (true) {
        const Found pair(rest, value);
        if (!pair) break;
        values.take(pair.text(1), pair.number(2));
        if (pair.text(1) == "batch_size" && piece.text.find("PARAMETER") != std::string_view::npos) into.numbers["batch"] = pair.number(2);
        rest = rest.substr(static_cast<std::size_t>(pair.text(2).data() - rest.data()) + pair.text(2).size());
    }
    put(place, values, piece, into);
}

/// `DLLL {"timestamp": "1570716921.84", ..., "type": "LOG", "step": [0, 5], "data": {"train.total_ips": 545.2}}`; step: "PARAMETER",
/// [], [epoch], [epoch, iteration], [epoch, iteration, iteration of the evaluation].
void readDlloggerJson(const LogPiece& piece, LogAccount& into)
{
    const auto line = nlohmann::json::parse(objectIn(piece.text), nullptr, false);
    if (!line.is_object() || !line.contains("step") || !line.contains("data") || !line["data"].is_object()) return;
    into.format = "DLLogger, JSON";
    const auto& step = line["step"];
    LogPlace place;
    if (step.is_array()) {
        const auto part = [&step](std::size_t i) {
            return i < step.size() && step[i].is_number_integer() ? step[i].get<std::int64_t>() : -1;
        };
        place = {part(0), part(1), step.size() > 2, step.size() == 1};
    }
    Values values;
    for (const auto& [key, value] : line["data"].items()) {
        if (!value.is_number()) continue;
        values.take(key, value.get<double>());
        if (step == "PARAMETER" && key == "batch_size") into.numbers["batch"] = value.get<double>();
    }
    LogPiece timed = piece;
    if (const auto stamp = line.find("timestamp"); stamp != line.end() && stamp->is_string())
        if (const auto seconds = numberAt(stamp->get_ref<const std::string&>()))
            timed.at = unixNanos(*seconds, 1'000'000'000) - piece.zeroUnixNs;
    put(place, values, timed, into);
}

}  // namespace flowgauge::facts
