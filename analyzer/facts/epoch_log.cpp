// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace flowgauge::facts {
namespace {

constexpr std::string_view blanks = " \t\"";

std::string_view afterBlanks(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

std::optional<double> numberAt(std::string_view text)
{
    text = afterBlanks(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What follows `"name":` in a JSON text, wherever it stands. Our keys do not occur inside values.
std::optional<std::string_view> fieldOf(std::string_view json, std::string_view name)
{
    const std::string quoted = '"' + std::string(name) + '"';
    const std::size_t at = json.find(quoted);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = afterBlanks(json.substr(at + quoted.size()));
    return rest.starts_with(':') ? std::optional(rest.substr(1)) : std::nullopt;
}

std::optional<double> numberField(std::string_view json, std::string_view name)
{
    const auto field = fieldOf(json, name);
    return field ? numberAt(*field) : std::nullopt;
}

std::optional<std::int64_t> epochField(std::string_view json)
{
    const auto number = numberField(json, "epoch_num");
    return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

/// Whole units apart from the fraction: a double holds 2026 in ns only to 256 ns.
std::int64_t nanosOf(double value, std::int64_t nanosPerUnit)
{
    if (!(value > 0 && value < (nanosPerUnit > 1'000'000 ? 9e9 : 9e12))) return 0;  // what fits into 64 bits
    const double whole = std::floor(value);
    return static_cast<std::int64_t>(whole) * nanosPerUnit + std::llround((value - whole) * static_cast<double>(nanosPerUnit));
}

std::optional<LogLine> parseMllog(std::string_view json)
{
    const auto key = fieldOf(json, "key");
    if (!key) return std::nullopt;
    const std::string_view word = afterBlanks(*key);
    LogLine line;
    line.key = word.substr(0, word.find('"'));
    line.unixNs = nanosOf(numberField(json, "time_ms").value_or(0), 1'000'000);
    line.epoch = epochField(json);
    line.value = numberField(json, "value");
    return line;
}

/// "1560888652.055 key: {...}" and "resnet 1541720418.77 (file:49) key: value": time, then the last word before a colon.
std::optional<LogLine> parseWords(std::string_view text, bool older)
{
    if (older) text = text.substr(std::min(text.find(' '), text.size()));  // the benchmark's name
    const auto seconds = numberAt(text);
    text = afterBlanks(text);
    text = text.substr(std::min(text.find(' '), text.size()));
    if (const std::size_t source = text.find(')'); older && source != std::string_view::npos) text = text.substr(source + 1);
    text = afterBlanks(text);
    const std::size_t end = text.find_first_of(": \r\n");
    LogLine line;
    line.key = text.substr(0, end);
    if (line.key.empty()) return std::nullopt;
    line.unixNs = nanosOf(seconds.value_or(0), 1'000'000'000);
    std::string_view rest = end == std::string_view::npos ? std::string_view{} : text.substr(end);
    while (!rest.empty() && (rest.front() == ':' || rest.front() == ' ')) rest.remove_prefix(1);
    line.value = rest.starts_with('{') ? numberField(rest, "value") : numberAt(rest);
    line.epoch = rest.starts_with('{') ? epochField(rest) : std::nullopt;
    if (!line.epoch && line.key == "train_epoch" && line.value) line.epoch = static_cast<std::int64_t>(*line.value);
    return line;
}

MarkedEpoch& epochOf(std::vector<MarkedEpoch>& epochs, std::int64_t number, Nanos at)
{
    const auto found = std::find_if(epochs.begin(), epochs.end(), [number](const MarkedEpoch& epoch) { return epoch.number == number; });
    if (found != epochs.end()) return *found;
    return epochs.emplace_back(MarkedEpoch{number, {at, at}, 0, true});
}

/// Collects what all lines tell.
struct LogReader {
    std::vector<MarkedEpoch> started;  ///< by epoch_start and epoch_stop
    std::vector<MarkedEpoch> trained;  ///< by train_epoch, which has no end
    std::optional<Nanos> runStop;
    std::uint64_t samples = 0;

    void take(const LogLine& line, Nanos at)
    {
        if (line.key == "epoch_start" && line.epoch) epochOf(started, *line.epoch, at);
        if (line.key == "epoch_stop" && line.epoch) stop(*line.epoch, at);
        if (line.key == "train_epoch" && line.epoch) epochOf(trained, *line.epoch, at);
        if (line.key == "run_stop") runStop = at;
        if ((line.key == "train_samples" || line.key == "preproc_num_train_examples") && line.value.value_or(0) > 0)
            samples = static_cast<std::uint64_t>(*line.value);
    }

private:
    void stop(std::int64_t number, Nanos at)
    {
        for (MarkedEpoch& epoch : started)
            if (epoch.number == number) {
                epoch.when.end = std::max(epoch.when.end, at);
                epoch.open = false;
            }
    }
};

/// Ends what has no end: at the next begin, at run_stop, or at the end of the run.
void closeOpenEpochs(std::vector<MarkedEpoch>& epochs, Nanos runEnd, bool expected)
{
    std::sort(epochs.begin(), epochs.end(),
              [](const MarkedEpoch& left, const MarkedEpoch& right) { return left.when.begin < right.when.begin; });
    for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (!epochs[i].open) continue;
        epochs[i].when.end = std::max(epochs[i].when.begin, i + 1 < epochs.size() ? epochs[i + 1].when.begin : runEnd);
        epochs[i].open = !expected;
    }
}

/// Some programs write all lines when the run is over: then their times say nothing.
bool writtenAfterwards(const std::vector<MarkedEpoch>& epochs, Interval run)
{
    if (epochs.size() < 2) return false;
    return (epochs.back().when.begin - epochs.front().when.begin) * 20 < run.length();
}

}  // namespace

std::optional<LogLine> parseLogLine(std::string_view text)
{
    struct Form {
        std::string_view mark;
        bool json, older;
    };
    constexpr Form forms[] = {{":::MLLOG", true, false}, {":::MLL ", false, false}, {":::MLPv0.5.0 ", false, true}};
    for (const Form& form : forms) {
        const std::size_t at = text.find(form.mark);
        if (at == std::string_view::npos) continue;
        const std::string_view rest = text.substr(at + form.mark.size());
        return form.json ? parseMllog(rest) : parseWords(rest, form.older);
    }
    return std::nullopt;
}

FoundEpochs epochsOfLog(const std::vector<PrintedLine>& lines, Nanos zeroUnixNs, Interval run)
{
    LogReader reader;
    for (const PrintedLine& printed : lines) {
        const auto line = parseLogLine(printed.text);
        if (!line) continue;
        const Nanos at = line->unixNs > 0 ? line->unixNs - zeroUnixNs : printed.at;
        if (at >= 0 || line->unixNs > 0) reader.take(*line, at);
    }
    const bool haveStarts = !reader.started.empty();
    std::vector<MarkedEpoch> epochs = haveStarts ? std::move(reader.started) : std::move(reader.trained);
    closeOpenEpochs(epochs, reader.runStop.value_or(run.end), !haveStarts);
    std::erase_if(epochs, [&](const MarkedEpoch& epoch) { return !epoch.when.overlaps(run); });
    if (epochs.empty() || writtenAfterwards(epochs, run)) return {};
    return {EpochSource::Log, {std::move(epochs)}, reader.samples};
}

}  // namespace flowgauge::facts
