// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/log_text.h"
#include "analyzer/facts/log/read_log.h"

#include <algorithm>
#include <map>
#include <optional>

namespace flowgauge::facts {
namespace {

/// The Unix time that an MLPerf or DLLogger line carries; 0: none.
Nanos unixTimeOf(std::string_view text)
{
    const auto after = [text](std::string_view mark) -> std::optional<double> {
        const std::size_t at = text.find(mark);
        return at == std::string_view::npos ? std::nullopt : numberAt(text.substr(at + mark.size()));
    };
    if (text.find(":::MLLOG") != std::string_view::npos) return unixNanos(after("\"time_ms\":").value_or(0), 1'000'000);
    if (const auto seconds = after(":::MLL ")) return unixNanos(*seconds, 1'000'000'000);
    if (text.find("DLLL {") != std::string_view::npos) return unixNanos(after("\"timestamp\": \"").value_or(0), 1'000'000'000);
    const std::size_t oldest = text.find(":::MLPv0.5");
    if (oldest == std::string_view::npos) return 0;
    text = text.substr(oldest);
    for (int words = 0; words < 2; ++words) text = trimmed(text.substr(std::min(text.find(' '), text.size())));
    return unixNanos(numberAt(text).value_or(0), 1'000'000'000);
}

/// What both clocks of a line said.
struct LineClocks {
    Nanos unix = 0;
    std::optional<Nanos> wall;
};

/// Zones differ by quarters of an hour. Of all neighbours with one clock each, the difference that most of them show.
Nanos zoneOf(const std::vector<LineClocks>& lines)
{
    constexpr Nanos quarter = Nanos{900} * 1'000'000'000;
    std::map<Nanos, int> votes;
    Nanos lastUnix = 0;
    for (const LineClocks& line : lines) {
        if (line.unix > 0) lastUnix = line.unix;
        if (line.unix > 0 || !line.wall || lastUnix == 0) continue;
        const Nanos difference = *line.wall - lastUnix;
        ++votes[(difference + (difference >= 0 ? quarter / 2 : -quarter / 2)) / quarter * quarter];
    }
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto& left, const auto& right) { return left.second < right.second; });
    return most == votes.end() ? 0 : most->first;
}

}  // namespace

Nanos timeLines(std::vector<PrintedLine>& lines)
{
    std::vector<LineClocks> clocks;
    clocks.reserve(lines.size());
    for (const PrintedLine& line : lines) clocks.push_back({unixTimeOf(line.text), {}});
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (clocks[i].unix == 0) clocks[i].wall = wallClockOf(lines[i].text);
    const Nanos zone = zoneOf(clocks);
    std::optional<Nanos> first;
    for (LineClocks& clock : clocks) {
        if (clock.unix == 0 && clock.wall) clock.unix = *clock.wall - zone;
        if (clock.unix > 0) first = std::min(first.value_or(clock.unix), clock.unix);
    }
    Nanos last = -1;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (clocks[i].unix > 0) last = clocks[i].unix - *first;
        lines[i].at = last;
    }
    return first.value_or(0);
}

}  // namespace flowgauge::facts
