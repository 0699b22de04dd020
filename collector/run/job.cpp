// SPDX-License-Identifier: MIT
#include "collector/run/job.h"

#include "collector/record/error.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace flowgauge::run {
namespace {

constexpr std::array passedOn{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT, SIGTSTP};

sigset_t handledSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : passedOn) sigaddset(&set, signal);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGPIPE);  // a write to a closed place then fails with EPIPE, and the relay lets go
    return set;
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));  // exec's type knows no const
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace

Job::Job(const JobPlan& plan, OutputKeeper* keeper) : m_keeper(keeper)
{
    const sigset_t handled = handledSignals();
    sigprocmask(SIG_BLOCK, &handled, &m_maskBefore);
    m_signals = ::signalfd(-1, &handled, SFD_CLOEXEC);
    (void)::prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::array<int, 2> errorPipe{-1, -1};
    if (m_signals < 0 || ::pipe2(errorPipe.data(), O_CLOEXEC) != 0)
        throw Error(plan.command.front(), "cannot be started: ", std::strerror(errno));
    m_child = ::fork();
    if (m_child < 0) throw Error(plan.command.front(), "cannot be started: ", std::strerror(errno));
    if (m_child == 0) runChild(plan, errorPipe[1]);
    ::close(errorPipe[1]);
    ssize_t got = -1;
    do got = ::read(errorPipe[0], &m_execError, sizeof m_execError);
    while (got < 0 && errno == EINTR);
    ::close(errorPipe[0]);
}

Job::~Job()
{
    if (m_signals >= 0) ::close(m_signals);
    sigprocmask(SIG_SETMASK, &m_maskBefore, nullptr);
}

void Job::runChild(const JobPlan& plan, int errorPipe) const
{
    if (m_keeper != nullptr) m_keeper->connectChild();
    (void)::prctl(PR_SET_CHILD_SUBREAPER, 0);
    const std::vector<char*> arguments = pointersTo(plan.command);
    const std::vector<char*> environment = pointersTo(plan.environment);
    sigprocmask(SIG_SETMASK, &m_maskBefore, nullptr);
    ::execvpe(arguments[0], arguments.data(), environment.data());
    const int problem = errno;
    (void)!::write(errorPipe, &problem, sizeof problem);
    ::_exit(127);
}

int Job::wait()
{
    for (;;) {
        int status = 0;
        for (pid_t ended = ::waitpid(-1, &status, WNOHANG); ended > 0; ended = ::waitpid(-1, &status, WNOHANG))
            if (ended == m_child) return status;
        signalfd_siginfo received{};
        if (::read(m_signals, &received, sizeof received) != sizeof received) continue;
        // A key on the terminal (SI_KERNEL) reached the whole foreground group, the job included: once is enough.
        handle(static_cast<int>(received.ssi_signo), received.ssi_code != SI_KERNEL);
    }
}

void Job::handle(int signal, bool sentToUsAlone) const
{
    if (signal == SIGCHLD || signal == SIGPIPE) return;
    if (signal == SIGWINCH && m_keeper != nullptr) {
        m_keeper->resize();
        (void)::kill(m_child, SIGWINCH);  // again, now that the size it will ask for is the new one
        return;
    }
    if (sentToUsAlone) (void)::kill(m_child, signal);
    if (signal == SIGTSTP) (void)::raise(SIGSTOP);  // the shell sees us stop, as it would see the job
}

bool Job::buryOrphans()
{
    pid_t ended = 1;
    while (ended > 0) ended = ::waitpid(-1, nullptr, WNOHANG);
    return ended == 0;
}

}  // namespace flowgauge::run
