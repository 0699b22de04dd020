// SPDX-License-Identifier: MIT
#include "collector/foreign/trace_clock.h"

#include "collector/foreign/microseconds.h"
#include "collector/foreign/text_source.h"
#include "collector/record/error.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace flowgauge::foreign {
namespace {

/// What stands behind a key: `: 17.5,` or `: "17.5"`. Nothing where the text ends before the value does.
std::optional<std::string_view> valueAt(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n:\"");
    if (first == std::string_view::npos) return std::nullopt;
    const std::size_t end = text.find_first_not_of("0123456789+-.eE", first);
    if (end == std::string_view::npos) return std::nullopt;
    return text.substr(first, end - first);
}

/// Calls with the text behind each place where `key` stands; the callee says whether it was complete. Returns where to look again.
template <typename Take>
std::size_t eachValue(std::string_view text, std::string_view key, Take take)
{
    std::size_t at = 0;
    while (at < text.size()) {
        const void* const found = ::memmem(text.data() + at, text.size() - at, key.data(), key.size());
        if (found == nullptr) return text.size();
        const std::size_t place = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
        const auto value = valueAt(text.substr(place + key.size()));
        if (!value) return place;
        take(*value);
        at = place + key.size();
    }
    return at;
}

class ClockScan {
public:
    void look(std::string_view text)
    {
        std::size_t again = eachValue(text, "\"ts\"", [this](std::string_view value) { takeBegin(value); });
        again = std::min(again, eachValue(text, "\"baseTimeNanoseconds\"", [this](std::string_view value) {
                             if (const auto base = numberIn(value)) m_clock.baseNs = *base;
                         }));
        // A key may be cut by the end of the piece, too.
        constexpr std::size_t longestKey = 24;
        again = std::min(again, text.size() - std::min(text.size(), longestKey));
        m_rest.assign(text.substr(again));
    }
    [[nodiscard]] std::string& rest() { return m_rest; }
    [[nodiscard]] TraceClock clock() const
    {
        TraceClock clock = m_clock;
        if (m_first) clock.firstNs = *m_first + clock.baseNs;
        return clock;
    }

private:
    void takeBegin(std::string_view value)
    {
        const auto begin = nanosOf(value);
        if (begin && *begin > 0 && (!m_first || *begin < *m_first)) m_first = begin;
    }
    TraceClock m_clock;
    std::optional<Nanos> m_first;
    std::string m_rest;
};

}  // namespace

TraceClock clockOf(const std::filesystem::path& file, const Progress& progress)
{
    TextSource source(file);
    ClockScan scan;
    std::string text;
    while (source.fill()) {
        if (progress && !progress(source.share())) throw Error(file.string(), "import was stopped");
        text.swap(scan.rest());
        constexpr std::size_t longestRest = 4096;  // a value that long is none
        if (text.size() > longestRest) text.erase(0, text.size() - longestRest);
        text.append(source.begin(), source.end());
        scan.look(text);
    }
    return scan.clock();
}

}  // namespace flowgauge::foreign
