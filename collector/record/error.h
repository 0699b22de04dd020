// SPDX-License-Identifier: MIT
#pragma once
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace flowgauge {

/// The one exception of the offline rooms: where it happened (a path, a command), what was expected and found, what to do.
/// Thrown where the truth is known; caught in main and in the window's loader. Injected rooms never include this header.
class Error : public std::runtime_error {
public:
    template <typename... Parts>
    explicit Error(std::string_view where, const Parts&... what) : std::runtime_error(join(where, what...))
    {
    }

private:
    template <typename... Parts>
    static std::string join(std::string_view where, const Parts&... what)
    {
        std::ostringstream text;
        text << where << ": ";
        (text << ... << what);
        return text.str();
    }
};

}  // namespace flowgauge
