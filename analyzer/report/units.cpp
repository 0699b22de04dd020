// SPDX-License-Identifier: MIT
#include "analyzer/report/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace flowgauge::report {
namespace {

template <typename... Values>
std::string formatted(const char* pattern, Values... values)
{
    std::array<char, 128> text{};
    const int length = std::snprintf(text.data(), text.size(), pattern, values...);
    return {text.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1))};
}

double plain(double value) { return std::isfinite(value) ? value + 0.0 : 0.0; }

/// Three significant digits for 0 <= value < 999.5; larger ones whole.
std::string threeDigits(double value)
{
    if (value == 0) return "0";
    if (value >= 99.95) return formatted("%.0f", value);
    return formatted(value >= 9.995 ? "%.1f" : "%.2f", value);
}

struct Unit {
    double size;
    const char* name;
};

/// The largest unit in which the value reads at least 1 (999.6 kB is 1.00 MB: rounding never shows four digits).
template <std::size_t count>
std::string inUnits(double value, const std::array<Unit, count>& units)
{
    const double size = std::abs(value);
    std::size_t at = 0;
    while (at + 1 < count && size >= 0.9995 * units[at + 1].size) ++at;
    const bool whole = at == 0 && size == std::floor(size);
    const std::string number = whole ? formatted("%.0f", size) : threeDigits(size / units[at].size);
    std::string text = value < 0 && number != "0" ? "-" : "";
    return text.append(number).append(" ").append(units[at].name);
}

std::string shareNumber(double value)
{
    const double percent = std::abs(value) * 100;
    if (percent == 0) return "0";
    if (percent < 0.1) return "< 0.1";
    const std::string number = formatted(percent < 0.995 ? "%.2f" : percent < 9.95 ? "%.1f" : "%.0f", percent);
    const auto lastZero = number.size() > 2 && number.ends_with(".0") ? number.substr(0, number.size() - 2) : number;
    std::string text = value < 0 ? "-" : "";
    return text.append(lastZero);
}

/// "1.50 GB/s" as "1.5 GB/s", "20.0 s" as "20 s": zeros behind the point go.
std::string shortened(std::string text)
{
    const std::size_t point = text.find('.');
    if (point == std::string::npos) return text;
    std::size_t end = point + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    std::size_t last = end;
    while (last > point + 1 && text[last - 1] == '0') --last;
    if (last == point + 1) last = point;
    return text.erase(last, end - last);
}

/// "4 h 0 min" as "4 h".
std::string withoutZeroPart(std::string text)
{
    for (const std::string_view zero : {" 0 min", " 0 s"})
        if (text.ends_with(zero)) text.erase(text.size() - zero.size());
    return text;
}

struct Formatter {
    std::string operator()(const std::string& words) const { return words; }
    std::string operator()(findings::Share value) const { return share(value.value); }
    std::string operator()(findings::Duration value) const { return duration(value.ns); }
    std::string operator()(findings::Bytes value) const { return bytes(value.value); }
    std::string operator()(findings::BytesPerSecond value) const { return bytesPerSecond(value.value); }
    std::string operator()(findings::PerSecond value) const { return perSecond(value.value); }
    std::string operator()(findings::Count value) const { return count(value.value); }
    std::string operator()(findings::Estimate value) const { return estimate(value); }
    std::string operator()(findings::When value) const { return when(value.interval); }
};

}  // namespace

std::string share(double value) { return shareNumber(plain(value)) + " %"; }

std::string shareRange(double low, double high)
{
    const std::string first = shareNumber(plain(low));
    const std::string last = shareNumber(plain(high));
    return first == last ? first + " %" : first + "–" + last + " %";
}

std::string duration(Nanos ns)
{
    static constexpr std::array<Unit, 4> units{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
    if (std::abs(ns) < 120 * Nanos{1'000'000'000}) return inUnits(static_cast<double>(ns), units);
    const Nanos seconds = (std::abs(ns) + 500'000'000) / 1'000'000'000;
    std::string text = ns < 0 ? "-" : "";
    const auto two = [&text](Nanos large, const char* unit, Nanos small, const char* smallUnit) {
        return text.append(std::to_string(large)).append(unit).append(std::to_string(small)).append(smallUnit);
    };
    if (seconds < 3600) return two(seconds / 60, " min ", seconds % 60, " s");
    const Nanos minutes = (seconds + 30) / 60;
    return two(minutes / 60, " h ", minutes % 60, " min");
}

std::string bytes(double value)
{
    static constexpr std::array<Unit, 6> units{{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}}};
    return inUnits(plain(value), units);
}

std::string bytesPerSecond(double value) { return bytes(value) + "/s"; }

std::string perSecond(double value)
{
    const double size = plain(value);
    return size >= 999.5 ? count(std::llround(size)) : threeDigits(std::max(0.0, size));
}

std::string asBytes(std::int64_t value) { return bytes(static_cast<double>(value)); }

std::string plural(std::int64_t number, const std::string& one, const std::string& many)
{
    return count(number) + " " + (number == 1 ? one : many);
}

std::string count(std::int64_t value)
{
    const std::string digits = std::to_string(value);
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const bool groupBegins = i > 0 && digits[i - 1] != '-' && (digits.size() - i) % 3 == 0;
        if (groupBegins) text += ',';
        text += digits[i];
    }
    return text;
}

std::string estimate(findings::Estimate value)
{
    const double percent = std::abs(plain(value.value)) * 100;
    const double lastDigit = percent < 0.1 ? 0.1 : percent < 0.995 ? 0.01 : percent < 9.95 ? 0.1 : 1.0;  // as in shareNumber
    const double error = std::abs(plain(value.error));
    if (error * 100 < lastDigit / 2) return share(value.value);  // below what is shown
    return share(value.value) + " (± " + shareNumber(error) + " %)";
}

std::string when(Interval interval)
{
    const Nanos length = interval.length();
    const int digits = length >= 5'000'000 || length == 0 ? 3 : length >= 5'000 ? 6 : 9;  // enough to tell begin from end
    return formatted("%.*f–%.*f s", digits, static_cast<double>(interval.begin) / 1e9, digits, static_cast<double>(interval.end) / 1e9);
}

std::string day(std::int64_t unixNs)
{
    const std::time_t seconds = unixNs / 1'000'000'000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    std::array<char, 16> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts)};
}

std::string ranks(const std::vector<int>& ranks)
{
    if (ranks.empty()) return "";
    const bool row = ranks.back() - ranks.front() + 1 == static_cast<int>(ranks.size());
    std::string text = row ? "rank " : "ranks ";
    text += std::to_string(ranks.front());
    if (ranks.size() == 1) return text;
    if (row) return text.append("–").append(std::to_string(ranks.back()));
    constexpr std::size_t shown = 6;
    for (std::size_t i = 1; i < std::min(shown, ranks.size()); ++i) text.append(", ").append(std::to_string(ranks[i]));
    if (ranks.size() > shown) text.append(" and ").append(std::to_string(ranks.size() - shown)).append(" more");
    return text;
}

std::string ratio(double value) { return threeDigits(std::max(0.0, plain(value))) + "x"; }

std::string gpuSeconds(double value)
{
    const double size = plain(value);
    const std::string number = std::abs(size) >= 999.5 ? count(std::llround(size)) : threeDigits(std::abs(size));
    return (size < 0 && std::abs(size) < 999.5 && number != "0" ? "-" : "") + number + " GPU s";
}

std::string change(double value)
{
    const double size = plain(value);
    const std::string number = shareNumber(std::abs(size));
    return (number == "0" ? "" : size < 0 ? "-" : "+") + number + " %";
}

std::string fineChange(double value)
{
    std::string number = formatted("%.1f", std::abs(plain(value)) * 100);
    if (number.ends_with(".0")) number.resize(number.size() - 2);
    return (number == "0" ? "" : value < 0 ? "-" : "+") + number + " %";
}

std::string axisLabel(double value, Quantity quantity)
{
    static constexpr std::array<Unit, 4> times{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}};
    switch (quantity) {
        case Quantity::BytesPerSecond:
            return shortened(bytesPerSecond(value));
        case Quantity::PerSecond:
            return shortened(perSecond(value));
        case Quantity::Duration:
            if (value == 0) return "0";
            if (std::abs(value) < 120e9) return shortened(inUnits(plain(value), times));
            return shortened(withoutZeroPart(duration(std::llround(plain(value)))));
        case Quantity::Share:
            return share(value);
        case Quantity::Ratio:
            return shortened(ratio(value));
        case Quantity::GpuSeconds:
            return shortened(gpuSeconds(value));
        case Quantity::Count:
            return count(std::llround(plain(value)));
    }
    return "";
}

std::vector<double> timeTicks(double seconds, int wanted)
{
    static constexpr std::array<double, 26> steps{1e-6, 1e-5, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2,  0.5,  1,
                                                  2,    5,    10,   15,   30,   60,   120,  300,  600,  900, 1800, 3600, 7200};
    double step = steps.back();
    for (const double candidate : steps)
        if (seconds / candidate <= wanted) {
            step = candidate;
            break;
        }
    while (seconds / step > wanted) step *= 2;
    std::vector<double> ticks;
    for (int i = 0; i <= wanted && step * i <= seconds * 1.0001; ++i) ticks.push_back(step * i);
    return ticks;
}

std::string timeLabel(double seconds, double whole)
{
    const double hour = 3600;
    if (whole >= 2 * hour) return formatted("%.3g h", seconds / hour);
    if (whole >= 300) return formatted("%.3g min", seconds / 60);
    if (whole >= 1 || seconds == 0) return formatted("%.3g s", seconds);
    return shortened(duration(std::llround(seconds * 1e9)));
}

std::string sentence(const findings::Sentence& sentence)
{
    std::string text;
    for (const findings::Piece& piece : sentence.pieces()) text += std::visit(Formatter{}, piece);
    return text;
}

}  // namespace flowgauge::report
