// SPDX-License-Identifier: MIT
#include "collector/run/launcher.h"

#include "collector/buffer/recorder.h"
#include "collector/ingest/ingest.h"
#include "collector/ingest/liveness.h"
#include "collector/ingest/run_info.h"
#include "collector/ingest/spool_reader.h"
#include "collector/record/error.h"
#include "collector/remote/poller.h"
#include "collector/run/job.h"
#include "collector/run/job_environment.h"
#include "collector/run/program.h"
#include "collector/run/progress_bar.h"
#include "collector/run/run_place.h"
#include "collector/sample/gpu.h"
#include "collector/sample/sampler.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

namespace flowgauge::run {
namespace {

using namespace std::chrono_literals;

/// How long a process that records may go on after the job's first process ended, before we store without it.
constexpr auto patience = 2s;

void say(const std::string& line) { (void)std::fprintf(stderr, "flowgauge: %s\n", line.c_str()); }

std::int64_t unixNow()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::vector<std::string> ownEnvironment()
{
    std::vector<std::string> texts;
    for (char** at = environ; *at != nullptr; ++at) texts.emplace_back(*at);
    return texts;
}

/// The launcher stands first: it outlives the job's processes, and NVML is asked by nobody else. The job waits for the first
/// reading, without which nobody could say what its first reads cost; a driver that wakes slowly does not hold it up for longer.
constexpr std::uint32_t firstReadingMs = 1000;
/// For the last reading, when the job is over.
constexpr std::uint32_t lastReadingMs = 2000;

/// This host's sampler, while the launcher lives. It records through the same door as the job does.
class HostSampler {
public:
    HostSampler(const Options& options, const RunPlace& place)
    {
        if (options.samplePeriodMs == 0 && options.remote.empty()) return;
        m_on = true;
        buffer::enable({place.spoolFolder.c_str(), place.runId.c_str(), kindMaskOf(options.kinds), options.maxSpoolBytes, 0});
        for (const remote::Orders& server : options.remote) m_poller.start(server);
        if (options.samplePeriodMs == 0) return;
        sample::permitNvml();
        sample::startElected({place.spoolFolder.c_str(), options.samplePeriodMs, ""});
        sample::awaitElection(firstReadingMs);
    }
    HostSampler(const HostSampler&) = delete;
    HostSampler& operator=(const HostSampler&) = delete;
    ~HostSampler() { stop(); }
    void stop()
    {
        if (!m_on) return;
        m_on = false;
        m_poller.stop();
        sample::stop(lastReadingMs);
        (void)buffer::flush(1000);
        buffer::finish();
    }

private:
    remote::Poller m_poller;
    bool m_on = false;
};

bool stillRecords(const std::filesystem::path& spoolFile)
{
    try {
        const ingest::SpoolReader reader(spoolFile);
        return reader.header().pid != ::getpid() && ingest::isAlive(reader.header());
    } catch (const Error&) {
        return false;  // no header yet, or none at all: ingest will tell
    }
}

/// How many processes of this host still record.
int countRecording(const RunPlace& place)
{
    int recording = 0;
    std::error_code problem;
    for (const auto& folder : ingest::spoolFoldersOf(place.run, ingest::hostName()))
        for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
            if (at->path().extension() == ".spool" && stillRecords(at->path())) ++recording;
    return recording;
}

void awaitRecording(const RunPlace& place)
{
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
        (void)Job::buryOrphans();
        if (countRecording(place) == 0) return;
        std::this_thread::sleep_for(20ms);
    }
}

/// Stores the recording and says where it is. Whatever fails here is a line on stderr: the job's outcome is not ours to change.
void store(const Options& options, const RunPlace& place)
try {
    const ingest::SpoolFolders folders = ingest::findSpoolFolders(place.run);
    ProgressBar bar("storing");
    const ingest::Summary summary = ingest::ingest(place.run, folders.found, [&](double share) { return bar.show(share), true; });
    bar.clear();
    constexpr std::size_t mostWarnings = 5;
    for (std::size_t i = 0; i < summary.warnings.size() && i < mostWarnings; ++i) say("warning: " + summary.warnings[i]);
    if (summary.warnings.size() > mostWarnings)
        say("warning: and " + std::to_string(summary.warnings.size() - mostWarnings) + " more, see the ledger");
    if (summary.lost > 0) say("warning: " + std::to_string(summary.lost) + " events were lost, the report says why");
    for (const std::string& host : folders.missing)
        say("host " + host + " keeps its own recording: run `flowgauge collect " + place.run.native() +
            "` there, then `flowgauge report` here");
    if (summary.running > 0)
        say(std::to_string(summary.running) +
            " processes of the job are still recording; `flowgauge report` takes in the rest when they have ended");
    else if (!options.keepSpools && summary.warnings.empty())
        removeSpools(place);  // only here: everything they held is committed, and nothing is damaged
    const std::string shown = options.output.empty() ? place.run.filename().native() : options.output.native();
    say("recorded " + std::to_string(summary.events) + " events of " + std::to_string(summary.processes) +
        (summary.processes == 1 ? " process in " : " processes in ") + shown + "; read it with: flowgauge report " + shown);
} catch (const std::exception& error) {
    say(error.what());
    say("the recording is safe in " + place.spoolFolder.native() + "; `flowgauge report " + place.run.native() + "` will try again");
}

ingest::RunInfo infoOf(const Options& options)
{
    return {{"start_unix_ns", std::to_string(unixNow())},
            {"command", joined(options.command)},
            {"directory", std::filesystem::current_path().native()},
            {"launched_on", ingest::hostName()},
            {"sample_ms", std::to_string(options.samplePeriodMs)}};
}

Outcome outcomeOf(int waitStatus, const RunPlace& place)
{
    if (WIFSIGNALED(waitStatus)) return {128 + WTERMSIG(waitStatus), WTERMSIG(waitStatus), place.run};
    return {WEXITSTATUS(waitStatus), 0, place.run};
}

/// Undoes makePlace for a job that never started.
void removePlace(const RunPlace& place)
{
    removeSpools(place);
    std::error_code problem;
    std::filesystem::remove_all(place.run, problem);
}

}  // namespace

Outcome launch(const Options& options)
{
    const char* const searchPath = std::getenv("PATH");
    const Program program = findProgram(options.command.front(), searchPath != nullptr ? searchPath : "/usr/bin:/bin");
    if (program.status != 0) return say(program.problem), Outcome{program.status, 0, {}};
    if (!program.warning.empty()) say("warning: " + program.warning);

    const RunPlace place = makePlace(options.output, options.spoolRoot);
    const JobPlan plan{options.command, jobEnvironment(ownEnvironment(), options, place)};
    ingest::RunInfo info = infoOf(options);
    ingest::writeRunInfo(place.run, info);
    std::optional<OutputLog> log;
    std::optional<OutputKeeper> keeper;
    if (options.keepOutput) {
        log.emplace(place.run);
        keeper.emplace(*log).prepare();
    }
    Outcome outcome;
    {
        Job job(plan, keeper ? &*keeper : nullptr);
        HostSampler sampler(options, place);
        if (const int problem = job.start(); problem != 0) {
            sampler.stop();
            say(options.command.front() + ": " + std::strerror(problem));
            removePlace(place);
            return {problem == ENOENT ? 127 : 126, 0, {}};
        }
        if (keeper) keeper->start();
        info["job_pid"] = std::to_string(job.pid());
        outcome = outcomeOf(job.wait(), place);
        awaitRecording(place);
        sampler.stop();
        if (keeper) keeper->finish(500);
    }
    info["end_unix_ns"] = std::to_string(unixNow());
    info["exit_status"] = std::to_string(outcome.status);
    info["job_signal"] = std::to_string(outcome.signal);
    ingest::writeRunInfo(place.run, info);
    store(options, place);
    return outcome;
}

int endAs(const Outcome& outcome)
{
    if (outcome.signal == 0) return outcome.status;
    const rlimit none{0, 0};
    (void)::setrlimit(RLIMIT_CORE, &none);  // the job left its core; ours would overwrite it
    (void)::signal(outcome.signal, SIG_DFL);
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, outcome.signal);
    sigprocmask(SIG_UNBLOCK, &one, nullptr);
    (void)::raise(outcome.signal);
    return outcome.status;
}

}  // namespace flowgauge::run
