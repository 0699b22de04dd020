// SPDX-License-Identifier: MIT
#include "collector/foreign/microseconds.h"

#include <charconv>

namespace flowgauge::foreign {
namespace {

constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Digits without their point, and where the point stands: value = digits x 10^exponent.
struct Decimal {
    std::int64_t digits = 0;
    int exponent = 0;
};

/// Reads digits and a point; nothing where neither stands there, or the number is too long to keep exactly.
std::optional<Decimal> takeDecimal(std::string_view& text)
{
    constexpr std::int64_t most = INT64_MAX / 10 - 1;
    Decimal decimal;
    bool any = false;
    bool pointSeen = false;
    while (!text.empty() && (isDigit(text.front()) || (text.front() == '.' && !pointSeen))) {
        const char c = text.front();
        text.remove_prefix(1);
        if (c == '.') {
            pointSeen = true;
            continue;
        }
        any = true;
        if (decimal.digits > most) {
            if (!pointSeen) return std::nullopt;
            continue;  // a fraction finer than can be kept
        }
        decimal.digits = decimal.digits * 10 + (c - '0');
        if (pointSeen) --decimal.exponent;
    }
    return any ? std::optional(decimal) : std::nullopt;
}

std::optional<int> takeExponent(std::string_view& text)
{
    if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return 0;
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    int exponent = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (problem != std::errc() || exponent > 30 || exponent < -30) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return exponent;
}

std::optional<std::int64_t> scaled(Decimal decimal)
{
    for (; decimal.exponent > 0; --decimal.exponent) {
        if (decimal.digits > INT64_MAX / 10) return std::nullopt;
        decimal.digits *= 10;
    }
    int dropped = 0;
    for (; decimal.exponent < 0; ++decimal.exponent) {
        dropped = static_cast<int>(decimal.digits % 10);
        decimal.digits /= 10;
    }
    return decimal.digits + (dropped >= 5 ? 1 : 0);
}

}  // namespace

std::optional<Nanos> nanosOf(std::string_view microseconds)
{
    const bool negative = microseconds.starts_with('-');
    if (negative) microseconds.remove_prefix(1);
    std::optional<Decimal> decimal = takeDecimal(microseconds);
    if (!decimal) return std::nullopt;
    const std::optional<int> exponent = takeExponent(microseconds);
    if (!exponent || !microseconds.empty()) return std::nullopt;
    decimal->exponent += *exponent + 3;
    const std::optional<std::int64_t> nanos = scaled(*decimal);
    return nanos && negative ? -*nanos : nanos;
}

std::optional<std::int64_t> numberIn(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size() && !isDigit(text[at])) ++at;
    if (at == text.size()) return std::nullopt;
    if (at > 0 && text[at - 1] == '-') --at;
    std::int64_t number = 0;
    const auto [stop, problem] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    return problem == std::errc() ? std::optional(number) : std::nullopt;
}

}  // namespace flowgauge::foreign
