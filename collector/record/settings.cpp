// SPDX-License-Identifier: MIT
#include "collector/record/settings.h"

#include "collector/record/kind.h"

#include <cstdlib>
#include <limits>

namespace flowgauge {
namespace {

static_assert(kindCount <= std::tuple_size_v<KindMask>);

/// Cuts the next word off a comma separated list. No substr here: it can throw, and an injected room has nothing to throw with.
std::string_view nextWord(std::string_view& list)
{
    std::size_t length = 0;
    while (length < list.size() && list[length] != ',') ++length;
    const std::string_view word(list.data(), length);
    list.remove_prefix(length < list.size() ? length + 1 : length);
    return word;
}

bool names(std::string_view word, const KindRow& row) { return word == row.sqlName || word == laneName(row.lane); }

bool namesAny(std::string_view word)
{
    for (const KindRow& row : kindRows)
        if (names(word, row)) return true;
    return false;
}

bool scaleOf(std::string_view suffix, std::uint64_t& scale)
{
    if (suffix.empty()) return scale = 1, true;
    if (suffix == "K" || suffix == "k") return scale = std::uint64_t{1} << 10, true;
    if (suffix == "M" || suffix == "m") return scale = std::uint64_t{1} << 20, true;
    if (suffix == "G" || suffix == "g") return scale = std::uint64_t{1} << 30, true;
    return false;
}

}  // namespace

const char* settingOf(Variable variable)
{
    const char* const value = std::getenv(rowOf(variable).name);
    return value != nullptr && *value != '\0' ? value : rowOf(variable).standard;
}

std::uint64_t numberOf(Variable variable)
{
    std::uint64_t value = 0;
    if (!parseSize(settingOf(variable), value)) (void)parseSize(rowOf(variable).standard, value);
    return value;
}

bool parseSize(std::string_view text, std::uint64_t& into)
{
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
        const auto digit = static_cast<std::uint64_t>(text[digits] - '0');
        if (value > (most - digit) / 10) return false;
        value = value * 10 + digit;
    }
    std::uint64_t scale = 1;
    if (digits == 0 || !scaleOf(std::string_view(text.data() + digits, text.size() - digits), scale) || value > most / scale) return false;
    into = value * scale;
    return true;
}

KindMask kindMaskOf(std::string_view list)
{
    KindMask mask{};
    for (const KindRow& row : kindRows) mask[static_cast<std::size_t>(row.kind)] = list.empty() || row.lane == Lane::Meta;
    while (!list.empty()) {
        const std::string_view word = nextWord(list);
        for (const KindRow& row : kindRows)
            if (names(word, row)) mask[static_cast<std::size_t>(row.kind)] = true;
    }
    return mask;
}

std::string_view unknownKindWord(std::string_view list)
{
    while (!list.empty()) {
        const std::string_view word = nextWord(list);
        if (!namesAny(word)) return word;
    }
    return {};
}

}  // namespace flowgauge
