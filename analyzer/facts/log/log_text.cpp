// SPDX-License-Identifier: MIT
#include "analyzer/facts/log/log_text.h"

#include <charconv>
#include <chrono>
#include <cmath>

namespace flowgauge::facts {
namespace {

constexpr std::size_t longestPiece = std::size_t{64} << 10;

/// The end of an escape sequence that begins at `at` (ESC [ ... letter); other escapes are two characters.
std::size_t endOfEscape(std::string_view text, std::size_t at)
{
    if (at + 1 >= text.size() || text[at + 1] != '[') return std::min(at + 2, text.size());
    std::size_t end = at + 2;
    while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
    return std::min(end + 1, text.size());
}

bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

/// `pattern` has a d where a digit has to stand; all else stands for itself, T for itself or a blank.
bool looksLike(std::string_view text, std::string_view pattern)
{
    if (text.size() < pattern.size()) return false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool fits = pattern[i] == 'd'   ? isDigit(text[i])
                          : pattern[i] == 'T' ? text[i] == 'T' || text[i] == ' '
                                              : text[i] == pattern[i];
        if (!fits) return false;
    }
    return true;
}

int digits(std::string_view text, std::size_t at, std::size_t count)
{
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + count, value);
    return value;
}

/// ",654" or ".654321" behind a time, ns.
Nanos fractionAt(std::string_view text, std::size_t at)
{
    if (at >= text.size() || (text[at] != '.' && text[at] != ',')) return 0;
    Nanos fraction = 0;
    Nanos unit = 100'000'000;
    for (++at; at < text.size() && isDigit(text[at]) && unit > 0; ++at, unit /= 10) fraction += unit * (text[at] - '0');
    return fraction;
}

std::optional<Nanos> stampOf(std::string_view text, std::chrono::year_month_day day, std::size_t clockAt)
{
    if (!day.ok()) return std::nullopt;
    int hour = digits(text, clockAt, 2);
    const std::string_view after = trimmed(text.substr(clockAt + 8)).substr(0, 2);
    if (after == "PM" && hour < 12) hour += 12;
    if (after == "AM" && hour == 12) hour = 0;
    const Nanos seconds = Nanos{hour} * 3600 + Nanos{digits(text, clockAt + 3, 2)} * 60 + digits(text, clockAt + 6, 2);
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    return (Nanos{days} * 86'400 + seconds) * 1'000'000'000 + fractionAt(text, clockAt + 8);
}

std::optional<Nanos> stampAt(std::string_view text)
{
    using std::chrono::day;
    using std::chrono::month;
    using std::chrono::year;
    const auto number = [&](std::size_t at, std::size_t count) { return digits(text, at, count); };
    const auto small = [&](std::size_t at) { return static_cast<unsigned>(digits(text, at, 2)); };
    if (looksLike(text, "dddd-dd-ddTdd:dd:dd")) return stampOf(text, year(number(0, 4)) / month(small(5)) / day(small(8)), 11);
    if (looksLike(text, "dd/dd/dd dd:dd:dd")) return stampOf(text, year(2000 + number(6, 2)) / month(small(0)) / day(small(3)), 9);
    return std::nullopt;
}

}  // namespace

std::vector<std::string> piecesOf(std::string_view line)
{
    std::vector<std::string> pieces(1);
    for (std::size_t i = 0; i < line.size();) {
        std::string& piece = pieces.back();
        const char letter = line[i];
        if (letter == '\x1b') {
            i = endOfEscape(line, i);
            continue;
        }
        ++i;
        if (letter == '\r')
            pieces.emplace_back();
        else if (letter == '\b' && !piece.empty())
            piece.pop_back();
        else if (letter != '\b' && piece.size() < longestPiece)
            piece += letter;
    }
    std::erase_if(pieces, [](const std::string& piece) { return piece.empty(); });
    return pieces;
}

std::string_view objectIn(std::string_view text)
{
    const std::size_t first = text.find('{');
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = first; i < text.size(); ++i) {
        if (text[i] == '"') quoted = !quoted;
        if (quoted && text[i] == '\\') ++i;
        if (quoted) continue;
        if (text[i] == '{') ++depth;
        if (text[i] == '}' && --depth == 0) return text.substr(first, i + 1 - first);
    }
    return {};
}

std::optional<double> numberAt(std::string_view text)
{
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::optional<Nanos> wallClockOf(std::string_view text)
{
    constexpr std::size_t farthest = 96;
    for (std::size_t i = 0; i < std::min(text.size(), farthest); ++i) {
        if (!isDigit(text[i]) || (i > 0 && isDigit(text[i - 1]))) continue;
        if (const auto stamp = stampAt(text.substr(i))) return stamp;
    }
    return std::nullopt;
}

Nanos unixNanos(double value, std::int64_t nanosPerUnit)
{
    if (!(value > 0 && value < (nanosPerUnit > 1'000'000 ? 9e9 : 9e12))) return 0;  // what fits into 64 bits
    const double whole = std::floor(value);
    return static_cast<Nanos>(whole) * nanosPerUnit + std::llround((value - whole) * static_cast<double>(nanosPerUnit));
}

}  // namespace flowgauge::facts
