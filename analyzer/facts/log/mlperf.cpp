// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/mlperf.h"

#include "analyzer/facts/log/log_text.h"
#include "analyzer/facts/log/readers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace flowgauge::facts {
namespace {

using nlohmann::json;

const json nothing;

const json& field(const json& object, const char* name)
{
    if (!object.is_object()) return nothing;
    const auto found = object.find(name);
    return found == object.end() ? nothing : *found;
}

/// Numbers that some write as texts ("0.749") count too.
std::optional<double> numberIn(const json& value)
{
    if (value.is_number()) return value.get<double>();
    return value.is_string() ? numberAt(value.get_ref<const std::string&>()) : std::nullopt;
}

std::optional<std::int64_t> wholeIn(const json& value)
{
    const auto number = value.is_number() ? numberIn(value) : std::nullopt;
    return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

/// epoch_num of the metadata, or the older rounds' value.
std::optional<std::int64_t> epochOf(const MlperfEvent& event)
{
    for (const json* where : {&field(event.metadata, "epoch_num"), &field(event.value, "epoch"), &event.value})
        if (const auto number = wholeIn(*where)) return *number - event.firstEpoch + 1;
    return std::nullopt;
}

void runStarts(const MlperfEvent& event, LogAccount& into) { into.runStart = std::min(into.runStart.value_or(event.at), event.at); }

void runStops(const MlperfEvent& event, LogAccount& into)
{
    into.runStop = std::max(into.runStop.value_or(event.at), event.at);
    const json& status = field(event.metadata, "status");
    const json& success = field(event.value, "success");
    if (status.is_string()) into.texts["status"] = status.get<std::string>();
    if (!success.is_null()) into.texts["status"] = success == true || success == "true" ? "success" : "aborted";
}

void epochStarts(const MlperfEvent& event, LogAccount& into)
{
    if (const auto epoch = epochOf(event)) into.epochBegan(*epoch, event.at);
}

void epochStops(const MlperfEvent& event, LogAccount& into)
{
    if (const auto epoch = epochOf(event)) into.epochEnded(*epoch, event.at);
}

/// A block's first_epoch_num is its last epoch in some logs; all that is used of it is that begin and end agree.
void blockStarts(const MlperfEvent& event, LogAccount& into)
{
    const auto first = wholeIn(field(event.metadata, "first_epoch_num"));
    if (first) into.blockBegan(*first, event.at, std::max<std::int64_t>(1, wholeIn(field(event.metadata, "epoch_count")).value_or(1)));
}

void blockStops(const MlperfEvent& event, LogAccount& into)
{
    if (const auto first = wholeIn(field(event.metadata, "first_epoch_num"))) into.blockEnded(*first, event.at);
}

/// Older rounds: its value is the number; a text ("61, but this epoch only has 0.04 % of the examples") is no whole epoch.
void trainEpoch(const MlperfEvent& event, LogAccount& into)
{
    if (const auto epoch = epochOf(event)) into.seenInEpoch(*epoch, event.at);
}

void evalStarts(const MlperfEvent& event, LogAccount& into) { into.evaluationBegan(event.at); }
void evalStops(const MlperfEvent& event, LogAccount& into) { into.evaluationEnded(event.at); }

void evalAccuracy(const MlperfEvent& event, LogAccount& into)
{
    const auto inside = numberIn(field(event.value, "value"));
    const auto accuracy = inside ? inside : numberIn(event.value);
    const auto epoch = event.value.is_number() && !event.metadata.is_object() ? std::nullopt : epochOf(event);
    if (accuracy && epoch) into.evaluated(*epoch, event.at, *accuracy);
}

void batch(const MlperfEvent& event, LogAccount& into)
{
    const auto number = numberIn(event.value);
    if (number) into.numbers[event.perProcessBatch ? "batch" : "global_batch"] = *number;
}

void clears(const MlperfEvent& event, LogAccount& into) { into.cacheClears += event.stamped; }  // Intel v0.5: time 0, once for all nodes
void inits(const MlperfEvent&, LogAccount& into) { ++into.inits; }
void seeds(const MlperfEvent&, LogAccount& into) { ++into.seeds; }

template <const char* name>
void number(const MlperfEvent& event, LogAccount& into)
{
    if (const auto value = numberIn(event.value)) into.numbers[name] = *value;
}

template <const char* name>
void text(const MlperfEvent& event, LogAccount& into)
{
    if (event.value.is_string()) into.texts[name] = event.value.get<std::string>();
}

constexpr char trainSamples[] = "train_samples";
constexpr char evalSamples[] = "eval_samples";
constexpr char target[] = "target";
constexpr char benchmark[] = "benchmark";
constexpr char organisation[] = "organisation";
constexpr char platformKey[] = "platform";

struct MlperfRow {
    std::string_view key;
    void (*take)(const MlperfEvent&, LogAccount&);
    bool needsTime = false;
};

/// What is used, under the names of all rounds. `input_size` is not: it is the edge of a picture at one place and the size of the
/// data set at another.
constexpr std::array mlperfRows{
    MlperfRow{"run_start", runStarts, true},
    MlperfRow{"run_stop", runStops, true},
    MlperfRow{"epoch_start", epochStarts, true},
    MlperfRow{"epoch_stop", epochStops, true},
    MlperfRow{"block_start", blockStarts, true},
    MlperfRow{"block_stop", blockStops, true},
    MlperfRow{"train_epoch", trainEpoch, true},
    MlperfRow{"eval_start", evalStarts, true},
    MlperfRow{"eval_stop", evalStops, true},
    MlperfRow{"eval_accuracy", evalAccuracy, true},
    MlperfRow{"eval_target", number<target>},
    MlperfRow{"global_batch_size", batch},
    MlperfRow{"input_batch_size", batch},
    MlperfRow{"train_samples", number<trainSamples>},
    MlperfRow{"num_train_examples", number<trainSamples>},
    MlperfRow{"preproc_num_train_examples", number<trainSamples>},
    MlperfRow{"eval_samples", number<evalSamples>},
    MlperfRow{"num_eval_examples", number<evalSamples>},
    MlperfRow{"preproc_num_eval_examples", number<evalSamples>},
    MlperfRow{"submission_benchmark", text<benchmark>},
    MlperfRow{"submission_org", text<organisation>},
    MlperfRow{"submission_platform", text<platformKey>},
    MlperfRow{"cache_clear", clears},
    MlperfRow{"run_clear_caches", clears},
    MlperfRow{"init_start", inits},
    MlperfRow{"seed", seeds},
    MlperfRow{"run_set_random_seed", seeds},
};

/// A line without a time of its own happened when it was printed.
void take(const LogPiece& piece, Nanos unixNs, MlperfEvent event, LogAccount& into)
{
    event.stamped = unixNs > 0;
    event.at = event.stamped ? unixNs - piece.zeroUnixNs : piece.at;
    takeMlperf(event, into);
}

/// `:::MLLOG {...}`, v0.7 and later.
void readLatest(std::string_view rest, const LogPiece& piece, LogAccount& into)
{
    const json line = json::parse(objectIn(rest), nullptr, false);
    const json& key = field(line, "key");
    if (!key.is_string()) return;
    into.format = "MLPerf v0.7 or later";
    const Nanos unix = unixNanos(numberIn(field(line, "time_ms")).value_or(0), 1'000'000);
    take(piece, unix, {key.get_ref<const std::string&>(), field(line, "value"), field(line, "metadata")}, into);
}

/// `:::MLL 1560888652.055 key: {"value": ..., "metadata": {...}}`, v0.6.
void readMll(std::string_view rest, const LogPiece& piece, LogAccount& into)
{
    const auto seconds = numberAt(rest);
    rest = trimmed(rest);
    rest = trimmed(rest.substr(std::min(rest.find(' '), rest.size())));
    const std::size_t colon = rest.find(':');
    if (!seconds || colon == std::string_view::npos) return;
    const json line = json::parse(objectIn(rest.substr(colon)), nullptr, false);
    into.format = "MLPerf v0.6";
    take(piece, unixNanos(*seconds, 1'000'000'000), {trimmed(rest.substr(0, colon)), field(line, "value"), field(line, "metadata")}, into);
}

/// `:::MLPv0.5.0 resnet 1541720418.77 (file:line) key: value`, the value optional, JSON or a bare word.
void readOldest(std::string_view rest, const LogPiece& piece, LogAccount& into)
{
    rest = trimmed(rest.substr(std::min(rest.find(' '), rest.size())));
    rest = trimmed(rest.substr(std::min(rest.find(' '), rest.size())));
    const auto seconds = numberAt(rest);
    const std::size_t source = rest.find(')');
    if (!seconds || source == std::string_view::npos) return;
    rest = trimmed(rest.substr(source + 1));
    const std::size_t colon = rest.find(':');
    const json value = colon == std::string_view::npos ? json() : json::parse(trimmed(rest.substr(colon + 1)), nullptr, false);
    into.format = "MLPerf v0.5";
    const json& known = value.is_discarded() ? nothing : value;
    take(piece, unixNanos(*seconds, 1'000'000'000), {trimmed(rest.substr(0, colon)), known, nothing, 0, true}, into);
}

}  // namespace

void takeMlperf(const MlperfEvent& event, LogAccount& into)
{
    const auto row =
        std::find_if(mlperfRows.begin(), mlperfRows.end(), [&](const MlperfRow& candidate) { return candidate.key == event.key; });
    if (row == mlperfRows.end()) return;
    const bool timed = event.stamped || event.at >= 0;
    if (timed || !row->needsTime) row->take(event, into);
}

void readMlperf(const LogPiece& piece, LogAccount& into)
{
    struct Form {
        std::string_view mark;
        void (*read)(std::string_view, const LogPiece&, LogAccount&);
    };
    constexpr std::array forms{Form{":::MLLOG", readLatest}, Form{":::MLL ", readMll}, Form{":::MLPv0.5", readOldest}};
    for (const Form& form : forms) {
        const std::size_t at = piece.text.find(form.mark);
        if (at != std::string_view::npos) return form.read(piece.text.substr(at + form.mark.size()), piece, into);
    }
}

}  // namespace flowgauge::facts
