// SPDX-License-Identifier: MIT
#include "collector/run/progress_bar.h"

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <utility>

namespace flowgauge::run {
using namespace std::chrono_literals;

ProgressBar::ProgressBar(std::string what)
    : m_what(std::move(what)), m_terminal(::isatty(STDERR_FILENO) == 1), m_next(std::chrono::steady_clock::now() + 300ms)
{
}

void ProgressBar::show(double share)
{
    if (!m_terminal || std::chrono::steady_clock::now() < m_next) return;
    m_next = std::chrono::steady_clock::now() + 100ms;
    m_shown = true;
    constexpr std::size_t width = 30;
    const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
    const std::string bar = std::string(full, '#') + std::string(width - full, '.');
    (void)std::fprintf(stderr, "\rflowgauge: %s [%s] %3.0f %%", m_what.c_str(), bar.c_str(), share * 100);
    (void)std::fflush(stderr);
}

void ProgressBar::clear()
{
    if (m_shown) (void)std::fprintf(stderr, "\r\033[K");
    m_shown = false;
}

}  // namespace flowgauge::run
