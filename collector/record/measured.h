// SPDX-License-Identifier: MIT
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace flowgauge {

/// A value, or the reason why there is none. What could not be measured is never 0 and never NaN. Offline rooms only.
template <typename T>
class Measured {
public:
    Measured() : m_reason("not looked for") {}
    Measured(T value) : m_value(std::move(value)) {}  // NOLINT(google-explicit-constructor): a plain value is a measured one

    [[nodiscard]] static Measured missing(std::string_view reason)
    {
        Measured result;
        result.m_reason = reason;
        return result;
    }

    [[nodiscard]] bool known() const { return m_value.has_value(); }
    [[nodiscard]] const T& value() const
    {
        assert(m_value && "ask known() first");
        return *m_value;
    }
    [[nodiscard]] T valueOr(T other) const { return m_value.value_or(std::move(other)); }
    [[nodiscard]] const std::string& reason() const { return m_reason; }  ///< "" when known

    friend bool operator==(const Measured&, const Measured&) = default;

private:
    std::optional<T> m_value;
    std::string m_reason;
};

}  // namespace flowgauge
