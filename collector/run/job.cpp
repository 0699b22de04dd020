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
#include <utility>

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
    pointers.reserve(texts.size() + 1);
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
    if (m_signals < 0 || ::pipe2(m_startPipe.data(), O_CLOEXEC) != 0 || ::pipe2(m_errorPipe.data(), O_CLOEXEC) != 0)
        throw Error(plan.command.front(), "cannot be started: ", std::strerror(errno));
    m_child = ::fork();
    if (m_child < 0) throw Error(plan.command.front(), "cannot be started: ", std::strerror(errno));
    if (m_child == 0) runChild(plan);
    ::close(std::exchange(m_startPipe[0], -1));
    ::close(std::exchange(m_errorPipe[1], -1));
}

Job::~Job()
{
    for (const int descriptor : {m_signals, m_startPipe[1], m_errorPipe[0]})
        if (descriptor >= 0) ::close(descriptor);
    sigprocmask(SIG_SETMASK, &m_maskBefore, nullptr);
}

int Job::start()
{
    int execError = 0;
    (void)!::write(m_startPipe[1], "g", 1);
    while (::read(m_errorPipe[0], &execError, sizeof execError) < 0 && errno == EINTR) continue;
    return execError;
}

void Job::runChild(const JobPlan& plan) const
{
    ::close(m_startPipe[1]);  // else the end of the launcher would never be seen here
    if (m_keeper != nullptr) m_keeper->connectChild();
    (void)::prctl(PR_SET_CHILD_SUBREAPER, 0);
    const std::vector<char*> arguments = pointersTo(plan.command);
    const std::vector<char*> environment = pointersTo(plan.environment);
    char begin = 0;
    if (::read(m_startPipe[0], &begin, 1) != 1) ::_exit(127);
    sigprocmask(SIG_SETMASK, &m_maskBefore, nullptr);
    ::execvpe(arguments[0], arguments.data(), environment.data());
    const int problem = errno;
    (void)!::write(m_errorPipe[1], &problem, sizeof problem);
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
