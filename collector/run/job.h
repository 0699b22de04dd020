// SPDX-License-Identifier: MIT
#pragma once
#include "collector/run/output_keeper.h"

#include <sys/types.h>
#include <array>
#include <csignal>
#include <string>
#include <vector>

namespace flowgauge::run {

/// What is to be started.
struct JobPlan {
    std::vector<std::string> command;
    std::vector<std::string> environment;
};

/// The job's first process. It stays in our process group and session, so the terminal treats it as without us. Signals that
/// were sent to us alone are passed on; those of the terminal reach the whole group by themselves.
class Job {
public:
    /// Blocks the signals that it will pass on, then forks: threads of ours can begin afterwards. The child waits for start(), or
    /// ends with us. Throws Error when it cannot fork.
    Job(const JobPlan& plan, OutputKeeper* keeper);
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    [[nodiscard]] pid_t pid() const { return m_child; }

    /// Lets the program begin. 0, or the error number with which exec failed.
    [[nodiscard]] int start();

    /// Passes signals on until the job's first process has ended; also buries orphans that became ours. Its wait status.
    [[nodiscard]] int wait();

    /// Takes the dead among the orphans; returns whether any are left.
    static bool buryOrphans();

private:
    [[noreturn]] void runChild(const JobPlan& plan) const;
    void handle(int signal, bool sentToUsAlone) const;

    OutputKeeper* m_keeper;
    pid_t m_child = -1;
    int m_signals = -1;
    std::array<int, 2> m_startPipe{-1, -1}, m_errorPipe{-1, -1};
    sigset_t m_maskBefore;
};

}  // namespace flowgauge::run
