// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace flowgauge::findings {

// Quantities that keep their meaning until the report formats them (analyzer/report/units.h is the only place that does).
struct Share {
    double value = 0;  ///< 0..1
    friend bool operator==(const Share&, const Share&) = default;
};
struct Duration {
    Nanos ns = 0;
    friend bool operator==(const Duration&, const Duration&) = default;
};
struct Bytes {
    double value = 0;
    friend bool operator==(const Bytes&, const Bytes&) = default;
};
struct BytesPerSecond {
    double value = 0;
    friend bool operator==(const BytesPerSecond&, const BytesPerSecond&) = default;
};
struct PerSecond {
    double value = 0;
    friend bool operator==(const PerSecond&, const PerSecond&) = default;
};
struct Count {
    std::int64_t value = 0;
    friend bool operator==(const Count&, const Count&) = default;
};
/// A share that is known only so well: "24 % (± 4 %)".
struct Estimate {
    double value = 0;
    double error = 0;
    friend bool operator==(const Estimate&, const Estimate&) = default;
};
/// A piece of run time: "8.412–8.540 s".
struct When {
    Interval interval;
    friend bool operator==(const When&, const When&) = default;
};

using Piece = std::variant<std::string, Share, Duration, Bytes, BytesPerSecond, PerSecond, Count, Estimate, When>;

/// Words with quantities between them; nothing in it is formatted yet.
class Sentence {
public:
    Sentence() = default;
    template <typename... Parts>
    explicit Sentence(const Parts&... parts)
    {
        (add(parts), ...);
    }
    [[nodiscard]] const std::vector<Piece>& pieces() const { return m_pieces; }
    [[nodiscard]] bool empty() const { return m_pieces.empty(); }
    friend bool operator==(const Sentence&, const Sentence&) = default;

private:
    void add(std::string_view words) { m_pieces.emplace_back(std::string(words)); }
    void add(const char* words) { m_pieces.emplace_back(std::string(words)); }
    void add(const std::string& words) { m_pieces.emplace_back(words); }
    template <typename Quantity>
    void add(const Quantity& quantity)
    {
        m_pieces.emplace_back(quantity);
    }
    std::vector<Piece> m_pieces;
};

}  // namespace flowgauge::findings
