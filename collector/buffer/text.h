// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace flowgauge::buffer {

/// A zero-terminated text of at most N - 1 bytes, put together without allocating. What does not fit is cut, and `whole` says so.
template <std::size_t N>
class Text {
public:
    constexpr Text() = default;

    Text& add(std::string_view part)
    {
        const std::size_t room = N - 1 - m_length;
        const std::size_t taken = part.size() < room ? part.size() : room;
        std::memcpy(m_bytes.data() + m_length, part.data(), taken);
        m_length += taken;
        m_bytes[m_length] = '\0';
        m_whole = m_whole && taken == part.size();
        return *this;
    }
    Text& add(std::uint64_t number)
    {
        std::array<char, 20> digits;
        std::size_t from = digits.size();
        do digits[--from] = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0);
        return add(std::string_view(digits.data() + from, digits.size() - from));
    }
    void clear() { m_length = 0, m_whole = true, m_bytes[0] = '\0'; }

    [[nodiscard]] const char* text() const { return m_bytes.data(); }
    [[nodiscard]] std::size_t length() const { return m_length; }
    [[nodiscard]] bool whole() const { return m_whole; }

private:
    std::array<char, N> m_bytes{};
    std::size_t m_length = 0;
    bool m_whole = true;
};

using PathText = Text<1024>;

}  // namespace flowgauge::buffer
