// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <cstdint>
#include <regex>
#include <string_view>

namespace flowgauge::facts {

/// What a pattern found in a line, its groups as numbers.
class Found {
public:
    /// Searches anywhere in the text. std::regex recurses with the length of what it matches, so that longer texts are not looked at.
    Found(std::string_view text, const std::regex& pattern)
    {
        constexpr std::size_t longest = 4096;
        if (text.size() <= longest) m_found = std::regex_search(text.data(), text.data() + text.size(), m_match, pattern);
    }
    explicit operator bool() const { return m_found; }
    [[nodiscard]] bool has(std::size_t group) const { return m_match[group].matched; }
    [[nodiscard]] std::string_view text(std::size_t group) const
    {
        return has(group) ? std::string_view(m_match[group].first, static_cast<std::size_t>(m_match[group].length())) : std::string_view{};
    }
    /// 0 where the group is not there.
    [[nodiscard]] double number(std::size_t group) const
    {
        double value = 0;
        const std::string_view word = text(group);
        std::from_chars(word.data(), word.data() + word.size(), value);
        return value;
    }
    [[nodiscard]] std::int64_t whole(std::size_t group) const
    {
        std::int64_t value = 0;
        const std::string_view word = text(group);
        std::from_chars(word.data(), word.data() + word.size(), value);
        return value;
    }

private:
    std::match_results<const char*> m_match;
    bool m_found = false;
};

}  // namespace flowgauge::facts
