// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>

namespace flowgauge::run {

/// Does work in a child process and waits for it, so that whatever it does to itself (a crash, a killer of processes that take too
/// much memory) leaves the caller as it was. Answers "" when it went well, else one line that says what happened: the exception's
/// words, or the signal. What the work writes to files and to the standard streams stays; nothing else of it comes back.
/// Where no process can be had, the work is not done and the line says so. For a caller with one thread.
[[nodiscard]] std::string isolated(const std::function<void()>& work);

}  // namespace flowgauge::run
