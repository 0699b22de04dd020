// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

/// Reading the kernel's texts piece by piece: nothing is copied, nothing can throw, and a cut text ends early.
namespace flowgauge::sample {

[[nodiscard]] constexpr bool startsWith(std::string_view text, std::string_view head)
{
    return text.size() >= head.size() && std::string_view(text.data(), head.size()) == head;
}

[[nodiscard]] constexpr bool endsWith(std::string_view text, std::string_view tail)
{
    return text.size() >= tail.size() && std::string_view(text.data() + text.size() - tail.size(), tail.size()) == tail;
}

/// The text without its first `count` characters (string_view::substr could throw, so it needs the C++ library).
[[nodiscard]] constexpr std::string_view from(std::string_view text, std::size_t count)
{
    text.remove_prefix(count < text.size() ? count : text.size());
    return text;
}

/// The first `count` characters.
[[nodiscard]] constexpr std::string_view upTo(std::string_view text, std::size_t count)
{
    return {text.data(), count < text.size() ? count : text.size()};
}

/// The lines of a text, without their newline. A last line that has none was cut in the middle and is not given out: half a
/// number is worse than none.
class Lines {
public:
    explicit constexpr Lines(std::string_view text) : m_rest(text) {}
    constexpr bool next(std::string_view& line)
    {
        const std::size_t end = m_rest.find('\n');
        if (end == std::string_view::npos) return false;
        line = upTo(m_rest, end);
        m_rest = from(m_rest, end + 1);
        return true;
    }

private:
    std::string_view m_rest;
};

/// The words of a line, split at any run of spaces and tabs.
class Words {
public:
    explicit constexpr Words(std::string_view line) : m_rest(line) {}
    constexpr bool next(std::string_view& word)
    {
        std::size_t begin = 0;
        while (begin < m_rest.size() && isBlank(m_rest[begin])) ++begin;
        std::size_t end = begin;
        while (end < m_rest.size() && !isBlank(m_rest[end])) ++end;
        word = upTo(from(m_rest, begin), end - begin);
        m_rest = from(m_rest, end);
        return end > begin;
    }
    [[nodiscard]] constexpr std::string_view rest() const { return m_rest; }

private:
    // find_first_of asks the C library once a letter: that alone was half of a pass.
    static constexpr bool isBlank(char letter) { return letter == ' ' || letter == '\t'; }
    std::string_view m_rest;
};

/// A whole word of decimal digits. Leaves `into` alone and returns false on anything else ("N/A (no PMA)", "-1", overflow).
[[nodiscard]] constexpr bool parseNumber(std::string_view word, std::uint64_t& into)
{
    std::uint64_t value = 0;
    for (const char digit : word) {
        if (digit < '0' || digit > '9') return false;
        const auto add = static_cast<std::uint64_t>(digit - '0');
        if (value > (UINT64_MAX - add) / 10) return false;
        value = value * 10 + add;
    }
    if (word.empty()) return false;
    into = value;
    return true;
}

/// Up to `limit` numbers from the front of a line; how many there were before its end or the first other word.
template <typename Array>
constexpr std::size_t parseNumbers(std::string_view line, Array& into)
{
    Words words(line);
    std::string_view word;
    std::size_t count = 0;
    while (count < into.size() && words.next(word) && parseNumber(word, into[count])) ++count;
    return count;
}

/// The number in decimal digits, in `into` (20 fit any number).
template <typename Array>
[[nodiscard]] constexpr std::string_view decimal(std::uint64_t number, Array& into)
{
    std::size_t at = into.size();
    do {
        into[--at] = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number > 0 && at > 0);
    return {into.data() + at, into.size() - at};
}

/// The number that a file of one value holds, with its newline (or two: mlx4). False when it holds something else.
[[nodiscard]] constexpr bool parseValueFile(std::string_view text, std::uint64_t& into)
{
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    return parseNumber(text, into);
}

}  // namespace flowgauge::sample
