// SPDX-License-Identifier: MIT
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

namespace flowgauge::workloads {

/// The one exception of the workloads: where it went wrong, what was expected and what was found.
class Failure : public std::runtime_error {
public:
    template <typename Where, typename... What>
    explicit Failure(const Where& where, const What&... what) : std::runtime_error(sentence(where, what...))
    {
    }

private:
    template <typename Where, typename... What>
    static std::string sentence(const Where& where, const What&... what)
    {
        std::ostringstream text;
        text << where << ": ";
        (text << ... << what);
        return text.str();
    }
};

}  // namespace flowgauge::workloads
