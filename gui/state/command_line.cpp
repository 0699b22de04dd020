// SPDX-License-Identifier: MIT
#include "gui/state/command_line.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace flowgauge::state {

namespace {

constexpr Nanos nanosPerSecond = 1'000'000'000;

std::optional<Nanos> parseSeconds(std::string_view text)
{
    long double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || !(std::fabs(seconds) < 9e9L)) return std::nullopt;
    return std::llround(seconds * nanosPerSecond);
}

std::string secondsText(Nanos time)
{
    const bool negative = time < 0;
    const Nanos size = negative ? -time : time;
    std::string fraction = std::to_string(size % nanosPerSecond + nanosPerSecond).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return (negative ? "-" : "") + std::to_string(size / nanosPerSecond) + (fraction.empty() ? "" : "." + fraction);
}

std::string quoted(const std::string& word)
{
    const auto plain = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
               std::string_view("/._-+,:@%=").find(letter) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
    std::string text = "'";
    for (const char letter : word) text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return text + "'";
}

bool parseInt(std::string_view text, int& into)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    return error == std::errc() && end == text.data() + text.size() && into >= 0;
}

/// "3" or "8-11"; at most a million ranks, so that a slip of the finger does not fill the memory.
bool addRanks(std::string_view text, std::vector<int>& ranks)
{
    const std::size_t dash = text.find('-');
    int first = 0;
    int last = 0;
    if (!parseInt(text.substr(0, dash), first)) return false;
    last = first;
    if (dash != std::string_view::npos && !parseInt(text.substr(dash + 1), last)) return false;
    if (last < first || last - first > 1'000'000) return false;
    for (int rank = first; rank <= last; ++rank) ranks.push_back(rank);
    return true;
}

}  // namespace

std::string windowText(Interval window) { return secondsText(window.begin) + ".." + secondsText(window.end); }

std::optional<Interval> parseWindow(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto begin = parseSeconds(text.substr(0, dots));
    const auto end = parseSeconds(text.substr(dots + 2));
    if (!begin || !end || *end <= *begin) return std::nullopt;
    return Interval{*begin, *end};
}

std::optional<std::vector<Nanos>> parseMarks(std::string_view text)
{
    std::vector<Nanos> marks;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const auto mark = parseSeconds(text.substr(at, end - at));
        if (!mark || marks.size() == mostMarks) return std::nullopt;
        marks.push_back(*mark);
        at = end + 1;
    }
    return marks;
}

std::optional<std::vector<int>> parseRanks(std::string_view text)
{
    std::vector<int> ranks;
    while (true) {
        const std::size_t comma = text.find(',');
        if (!addRanks(text.substr(0, comma), ranks)) return std::nullopt;
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

std::string commandLine(const std::string& run, const ViewState& state)
{
    std::string text = "flowgauge-gui " + quoted(run);
    if (!state.view.empty()) text += " --view " + quoted(state.view);
    if (state.window) text += " --window " + windowText(*state.window);
    if (state.selection) text += " --select " + windowText(*state.selection);
    std::string ranks;
    for (const int rank : state.ranks) ranks += (ranks.empty() ? "" : ",") + std::to_string(rank);
    if (!ranks.empty()) text += " --ranks " + ranks;
    if (!state.search.empty()) text += " --search " + quoted(state.search);
    std::string marks;
    for (const Nanos mark : state.marks) marks += (marks.empty() ? "" : ",") + secondsText(mark);
    if (!marks.empty()) text += " --marks " + marks;
    return text;
}

}  // namespace flowgauge::state
