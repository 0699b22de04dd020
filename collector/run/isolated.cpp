// SPDX-License-Identifier: MIT
#include "collector/run/isolated.h"

#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

namespace flowgauge::run {
namespace {

void tell(int pipe, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t put = ::write(pipe, text.data(), text.size());
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(put));
    }
}

[[noreturn]] void workAndEnd(const std::function<void()>& work, int pipe)
{
    try {
        work();
    } catch (const std::exception& error) {
        tell(pipe, error.what());
    } catch (...) {
        tell(pipe, "an exception without words");
    }
    std::fflush(nullptr);
    ::_exit(0);  // the caller's destructors are the caller's
}

std::string allOf(int pipe)
{
    std::string text;
    std::array<char, 4096> piece;
    for (;;) {
        const ssize_t got = ::read(pipe, piece.data(), piece.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace

std::string isolated(const std::function<void()>& work)
{
    std::array<int, 2> pipe;
    std::fflush(nullptr);  // or what waits in a buffer would be written twice
    if (::pipe(pipe.data()) != 0) return std::string("no pipe to a child process: ") + std::strerror(errno);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(pipe[0]);
        workAndEnd(work, pipe[1]);
    }
    ::close(pipe[1]);
    std::string text = child < 0 ? std::string("no child process: ") + std::strerror(errno) : allOf(pipe[0]);
    ::close(pipe[0]);
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child > 0 && WIFSIGNALED(status))
        text = std::string("ended by signal ") + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    return text;
}

}  // namespace flowgauge::run
