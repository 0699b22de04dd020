// SPDX-License-Identifier: MIT
#include "instrument/nvtx/patterns.h"

#include <array>
#include <cstring>

namespace flowgauge::nvtx {
namespace {

using std::string_view;

struct Row {
    string_view meaning, pattern;
};
constexpr std::array builtIn{
#define FLOWGAUGE_MEANS(meaning, pattern) Row{meaning, pattern},
#include "instrument/nvtx/patterns.def"
#undef FLOWGAUGE_MEANS
};

constinit std::array<char, 2048> ownText{};
constinit std::size_t ownLength = 0;

constexpr char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }
constexpr bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }
constexpr bool isSeparator(char letter) { return string_view(" _-:#=/.").find(letter) != string_view::npos; }

/// As far as a number goes; 18 digits at most, so that it fits.
std::size_t digitsOf(string_view text, std::int64_t& number)
{
    std::size_t length = 0;
    number = 0;
    while (length < text.size() && length < 18 && isDigit(text[length])) number = number * 10 + (text[length++] - '0');
    return length;
}

string_view after(string_view text, std::size_t count)
{
    text.remove_prefix(count < text.size() ? count : text.size());
    return text;
}

/// Recursion goes as deep as the pattern has letters: patterns are short, and a name's length does not deepen it.
bool fits(string_view pattern, string_view name, Meaning& into)
{
    if (pattern.empty()) return name.empty();
    const char wanted = pattern[0];
    const string_view rest = after(pattern, 1);
    if (wanted == '*') {
        for (std::size_t skipped = 0; skipped <= name.size(); ++skipped)
            if (fits(rest, after(name, skipped), into)) return true;
        return false;
    }
    if (wanted == '%') {
        std::int64_t number = 0;
        const std::size_t digits = digitsOf(name, number);
        if (digits == 0 || !fits(rest, after(name, digits), into)) return false;
        into.numbered = true;
        into.number = number;
        return true;
    }
    if (wanted == ' ') {
        while (!name.empty() && isSeparator(name[0])) name.remove_prefix(1);
        return fits(rest, name, into);
    }
    return !name.empty() && lower(wanted) == lower(name[0]) && fits(rest, after(name, 1), into);
}

Meaning meant(string_view meaning, Meaning found)
{
    if (meaning == "epoch")
        found.role = Role::Epoch;
    else if (meaning == "step")
        found.role = Role::Step;
    else if (meaning != "none")
        found.role = Role::Phase, found.phase = meaning;
    return found;
}

string_view cutAt(string_view& list, char border)
{
    const std::size_t end = list.find(border) == string_view::npos ? list.size() : list.find(border);
    const string_view part(list.data(), end);
    list = after(list, end + 1);
    return part;
}

}  // namespace

void setPatterns(string_view list)
{
    ownLength = list.size() < ownText.size() ? list.size() : ownText.size();
    if (ownLength > 0) std::memcpy(ownText.data(), list.data(), ownLength);
}

bool matchesName(string_view pattern, string_view name, Meaning& into) { return fits(pattern, name, into); }

Meaning meaningOf(string_view name)
{
    string_view list(ownText.data(), ownLength);
    while (!list.empty()) {
        string_view pattern = cutAt(list, ';');
        const string_view meaning = cutAt(pattern, '=');
        Meaning found;
        if (!pattern.empty() && fits(pattern, name, found)) return meant(meaning, found);
    }
    for (const Row& row : builtIn) {
        Meaning found;
        if (fits(row.pattern, name, found)) return meant(row.meaning, found);
    }
    return {};
}

}  // namespace flowgauge::nvtx
