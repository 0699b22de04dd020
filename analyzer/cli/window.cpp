// SPDX-License-Identifier: MIT
#include "analyzer/cli/window.h"

#include "collector/record/error.h"

#include <charconv>
#include <cmath>

namespace flowgauge::cli {
namespace {

constexpr double longestSeconds = 9e9;  // what fits into Nanos

bool parseSeconds(std::string_view text, Nanos& into)
{
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || !(seconds >= 0 && seconds < longestSeconds)) return false;
    into = std::llround(seconds * 1e9);
    return true;
}

}  // namespace

Interval parseWindow(std::string_view text)
{
    const std::size_t dots = text.find("..");
    Interval window;
    const bool good = dots != std::string_view::npos && parseSeconds(text.substr(0, dots), window.begin) &&
                      parseSeconds(text.substr(dots + 2), window.end) && !window.empty();
    if (!good) throw Error("--window " + std::string(text), "expected two times in seconds, the first one earlier, as in 12.5..30");
    return window;
}

}  // namespace flowgauge::cli
