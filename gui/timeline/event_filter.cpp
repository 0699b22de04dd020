// SPDX-License-Identifier: MIT
#include "gui/timeline/event_filter.h"

#include "gui/timeline/layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <span>

namespace flowgauge::timeline {

namespace {

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array timeUnits{Unit{"ns", 1}, Unit{"us", 1e3}, Unit{"µs", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}, Unit{"min", 60e9}};
constexpr std::array byteUnits{Unit{"", 1},       Unit{"b", 1},         Unit{"k", 1e3},         Unit{"kb", 1e3},
                               Unit{"m", 1e6},    Unit{"mb", 1e6},      Unit{"g", 1e9},         Unit{"gb", 1e9},
                               Unit{"kib", 1024}, Unit{"mib", 1048576}, Unit{"gib", 1073741824}};

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

/// "1.5ms" in ns, "4k" in bytes; nothing for what is no amount.
std::optional<std::int64_t> amount(std::string_view text, std::span<const Unit> units)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !(number >= 0)) return std::nullopt;
    std::string unit(end, text.data() + text.size());
    std::transform(unit.begin(), unit.end(), unit.begin(), lower);
    for (const Unit& known : units)
        if (known.name == unit && number * known.factor < 9e18) return static_cast<std::int64_t>(number * known.factor);
    return std::nullopt;
}

/// Narrows a range by ">", ">=", "<" or "<=" and an amount.
bool narrow(std::string_view comparison, std::span<const Unit> units, std::int64_t& least, std::int64_t& most)
{
    const bool more = comparison.front() == '>';
    const bool equal = comparison.size() > 1 && comparison[1] == '=';
    const auto limit = amount(comparison.substr(equal ? 2 : 1), units);
    if (!limit) return false;
    if (more) least = std::max(least, *limit + (equal ? 0 : 1));
    if (!more) most = std::min(most, *limit - (equal ? 0 : 1));
    return true;
}

bool addRank(std::string_view text, std::vector<int>& ranks)
{
    int rank = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    ranks.push_back(rank);
    return true;
}

/// True where the word is a term, understood or not.
bool takeTerm(std::string_view word, EventFilter& filter)
{
    const std::size_t sign = word.find_first_of("<>:");
    if (sign == std::string_view::npos) return false;
    const std::string_view what = word.substr(0, sign);
    const std::string_view rest = word.substr(word[sign] == ':' ? sign + 1 : sign);
    const bool compares = word[sign] != ':';
    const auto expect = [&](bool understood, const char* example) {
        if (!understood) filter.problem = std::string(word) + ": expected something like " + example;
        return true;
    };
    if (what == "dur" && compares) return expect(narrow(rest, timeUnits, filter.shortest, filter.longest), "dur>1ms");
    if (what == "bytes" && compares) return expect(narrow(rest, byteUnits, filter.leastBytes, filter.mostBytes), "bytes>1M");
    if (what == "rank" && !compares) return expect(addRank(rest, filter.ranks), "rank:3");
    if (what != "name" || compares) return false;
    if (!rest.empty()) filter.names.emplace_back(rest);
    return expect(!rest.empty(), "name:nccl*");
}

}  // namespace

bool EventFilter::empty() const
{
    return words.empty() && names.empty() && ranks.empty() && shortest == 0 && longest == unlimited && leastBytes < 0 &&
           mostBytes == unlimited;
}

bool EventFilter::admitsName(std::string_view name, std::string_view kind) const
{
    const bool fitting = names.empty() || std::any_of(names.begin(), names.end(), [&](const auto& pattern) { return fits(pattern, name); });
    return fitting && passes(words, std::string(name) + " " + std::string(kind));
}

bool EventFilter::admitsRank(int rank) const { return ranks.empty() || std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

EventFilter parseFilter(std::string_view text)
{
    EventFilter filter;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string_view word = text.substr(at, end - at);
        at = end + 1;
        if (word.empty() || takeTerm(word, filter)) continue;
        filter.words += (filter.words.empty() ? "" : " ") + std::string(word);
    }
    return filter;
}

bool fits(std::string_view pattern, std::string_view name)
{
    // Where a * was met last: what follows it is tried one letter further on when it does not fit.
    std::size_t at = 0, star = std::string_view::npos, tried = 0;
    std::size_t letter = 0;
    while (letter < name.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            tried = letter;
        } else if (at < pattern.size() && lower(pattern[at]) == lower(name[letter])) {
            ++at;
            ++letter;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            letter = ++tried;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace flowgauge::timeline
