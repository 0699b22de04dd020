// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <string>

namespace flowgauge::run {

/// A bar on stderr, if that is a terminal; shown only for what lasts longer than a moment.
class ProgressBar {
public:
    explicit ProgressBar(std::string what);
    void show(double share);
    void clear();

private:
    std::string m_what;
    bool m_terminal;
    bool m_shown = false;
    std::chrono::steady_clock::time_point m_next;
};

}  // namespace flowgauge::run
