// SPDX-License-Identifier: MIT
#include "collector/ingest/ingest.h"

#include "collector/ingest/output_log.h"
#include "collector/ingest/process_ingest.h"
#include "collector/ingest/run_info.h"
#include "collector/ingest/run_lock.h"
#include "collector/record/error.h"
#include "collector/store/draft.h"
#include "collector/store/ingest_rows.h"

#include <algorithm>
#include <ctime>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

namespace flowgauge::ingest {
namespace {

struct SpoolFile {
    std::filesystem::path path;
    std::uint64_t bytes;
};

/// A process that died between making its files and writing the header: it had recorded nothing.
bool isStillborn(const std::filesystem::path& file)
{
    std::error_code problem;
    if (std::filesystem::file_size(file, problem) != 0 || problem) return false;
    const auto rings = std::filesystem::file_size(std::filesystem::path(file).replace_extension(".rings"), problem);
    return problem || rings <= spool::pageBytes;
}

/// Throws what is wrong with the first spool where all of them are bad: there is nothing to make a run of.
void refuseIfAllAreBad(const std::vector<SpoolFile>& files)
{
    std::optional<Error> first;
    for (const SpoolFile& file : files) try {
            (void)SpoolReader(file.path);
            return;
        } catch (const Error& error) {
            if (!first) first = error;
        }
    if (first) throw Error(*first);
}

/// The largest first: a process that lived long tells how fast its host's clock runs, before the short ones need it.
std::vector<SpoolFile> spoolFilesOf(const std::vector<std::filesystem::path>& folders)
{
    std::vector<SpoolFile> files;
    std::error_code problem;
    for (const auto& folder : folders)
        for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end; at.increment(problem))
            if (at->path().extension() == ".spool" && !isStillborn(at->path())) files.push_back({at->path(), at->file_size(problem)});
    std::sort(files.begin(), files.end(),
              [](const SpoolFile& a, const SpoolFile& b) { return std::tie(b.bytes, a.path) < std::tie(a.bytes, b.path); });
    return files;
}

Nanos unixNow()
{
    timespec at{};
    clock_gettime(CLOCK_REALTIME, &at);
    return static_cast<Nanos>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}

/// The run's zero: when the launcher started, else when the first process was recorded.
Nanos zeroOf(const RunInfo& info, const std::vector<SpoolFile>& files)
{
    if (const auto start = numberOf(info, "start_unix_ns")) return *start;
    Nanos first = std::numeric_limits<Nanos>::max();
    for (const SpoolFile& file : files) try {
            first = std::min(first, SpoolReader(file.path).header().startRealtimeNs);
        } catch (const Error&) {  // told when its turn comes
        }
    return first == std::numeric_limits<Nanos>::max() ? unixNow() : first;
}

std::optional<KilledProcess> killedIn(const RunInfo& info)
{
    const auto host = info.find("launched_on");
    const auto pid = numberOf(info, "job_pid");
    if (host == info.end() || !pid || numberOf(info, "job_signal").value_or(0) == 0) return std::nullopt;
    return KilledProcess{host->second, *pid};
}

/// Takes the spools one after the other and keeps the sums.
class RunIngest {
public:
    RunIngest(store::RunStore& store, Nanos tZero, const RunInfo& info, const Progress& progress)
        : m_store(store), m_batch(store), m_tZero(tZero), m_progress(progress), m_killed(killedIn(info))
    {
    }

    [[nodiscard]] bool takeAll(const std::vector<SpoolFile>& files)
    {
        for (const SpoolFile& file : files) m_total += file.bytes;
        for (const SpoolFile& file : files)
            if (!takeOne(file)) break;
        store::IngestRows(m_store.database()).markReplacedImages();
        m_batch.finish();
        return !m_stopped;
    }
    [[nodiscard]] Summary& summary() { return m_summary; }

private:
    bool takeOne(const SpoolFile& file)
    {
        const std::uint64_t before = m_done;
        if (const auto process = open(file)) {
            const ProcessOutcome outcome = process->take();
            m_summary.processes += 1;
            m_summary.events += outcome.events;
            m_summary.lost += outcome.lost;
            m_summary.running += outcome.running ? 1 : 0;
            m_summary.warnings.insert(m_summary.warnings.end(), process->warnings().begin(), process->warnings().end());
            m_stopped = outcome.stopped;
        }
        m_done = before + file.bytes;
        return !m_stopped;
    }
    /// Nothing for a file that is no spool of ours: it is told, and the others are taken.
    std::unique_ptr<ProcessIngest> open(const SpoolFile& file)
    {
        try {
            return std::make_unique<ProcessIngest>(ProcessIngest::Context{m_store, m_batch, m_slopes, m_tZero, m_killed,
                                                                          [this](std::uint64_t bytes) { return advance(bytes); }},
                                                   file.path);
        } catch (const Error& error) {
            m_summary.warnings.emplace_back(error.what());
            m_store.putLedger({0, 0, "spool", "absent", error.what(), 1});
            return nullptr;
        }
    }
    bool advance(std::uint64_t bytes)
    {
        m_done += bytes;
        return !m_progress || m_progress(m_total == 0 ? 1.0 : std::min(1.0, static_cast<double>(m_done) / static_cast<double>(m_total)));
    }

    store::RunStore& m_store;
    Batch m_batch;
    Slopes m_slopes;
    Nanos m_tZero;
    const Progress& m_progress;
    std::optional<KilledProcess> m_killed;
    Summary m_summary;
    std::uint64_t m_total = 0, m_done = 0;
    bool m_stopped = false;
};

void putInfo(store::RunStore& store, const RunInfo& info)
{
    store::Transaction transaction(store.database());
    store::IngestRows rows(store.database());
    for (const auto& [key, value] : info) rows.putMetaText(key, value);
    transaction.commit();
}

bool isFinalized(const std::filesystem::path& file) { return store::RunStore::openForReading(file).meta("finalized").value_or(0) == 1; }

/// What is asked of one call.
struct Work {
    std::filesystem::path run;
    std::vector<SpoolFile> files;
    RunInfo info;
};

/// Fills the store and leaves it safe on the disk.
Summary fill(store::RunStore store, const Work& work, const Progress& progress)
{
    const Nanos tZero = store.meta("t_zero").value_or(0);
    putInfo(store, work.info);
    RunIngest all(store, tZero, work.info, progress);
    const bool whole = all.takeAll(work.files);
    if (whole) storeOutput(work.run, store, tZero);
    if (whole && all.summary().running == 0)
        store.finalize();
    else
        store.settle();
    return std::move(all.summary());
}

/// The first time nobody can look on, and a crash starts again from the spools: the fast way.
Summary fillNew(const std::filesystem::path& file, const Work& work, const Progress& progress)
{
    const store::Draft draft(file);
    Summary summary = fill(store::RunStore::create(draft.file(), zeroOf(work.info, work.files)), work, progress);
    draft.keep();
    return summary;
}

}  // namespace

Summary ingest(const std::filesystem::path& run, const std::vector<std::filesystem::path>& spoolFolders, const Progress& progress)
{
    const Work work{run, spoolFilesOf(spoolFolders), readRunInfo(run)};
    const std::filesystem::path file = run / "run.db";
    const bool exists = std::filesystem::exists(file);
    if (!exists && work.files.empty() && work.info.empty())
        throw Error(run.native(), "holds no run: expected run.db, or hosts/*.spool that lead to recorded spools, found neither");
    if (exists && work.files.empty() && isFinalized(file)) return {};

    if (!exists) refuseIfAllAreBad(work.files);

    const RunLock lock(run);
    return std::filesystem::exists(file) ? fill(store::RunStore::openForWriting(file), work, progress) : fillNew(file, work, progress);
}

}  // namespace flowgauge::ingest
