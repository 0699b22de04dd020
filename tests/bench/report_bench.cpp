// SPDX-License-Identifier: MIT
// A report on a large run: writes a run of the given size (default 10 million events) as ingest would, then times `flowgauge
// report` on it, the real program in a process of its own, and asks the kernel for its peak memory.
//
//   report_bench [EVENTS] [FOLDER]        the folder is kept when it is named
#include "collector/store/run_store.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace flowgauge;

constexpr int ranks = 4;
constexpr int readers = 2;
constexpr std::int64_t epochs = 10;
constexpr std::int64_t readsPerStep = 256;
constexpr std::int64_t reducesPerStep = 20;
constexpr std::int64_t marksPerStep = 6;
constexpr std::int64_t eventsPerStep = readsPerStep + reducesPerStep + marksPerStep;

/// One rank's run: steps of a compute phase and reductions, readers that read records of 64 files ahead.
class RankWriter {
public:
    RankWriter(store::RunStore& store, store::Id host, int rank) : m_store(store), m_random(static_cast<unsigned>(rank))
    {
        store::ProcessRow row;
        row.host = host;
        row.pid = 1000 + rank;
        row.spool = std::to_string(row.pid) + "-1";
        row.program = "train";
        row.rank = rank;
        row.worldSize = ranks;
        row.ended = "normally";
        m_process = store.process(row);
        m_marks = track(host, Lane::Mark, 0);
        m_comm = track(host, Lane::Comm, 1);
        for (int i = 0; i < readers; ++i) m_io.push_back(track(host, Lane::Io, 10 + i));
        for (const char* name : {"input", "forward", "backward", "communication"}) m_phases.push_back(store.name(name));
        for (int i = 0; i < 64; ++i) m_files.push_back(store.name("/data/train-" + std::to_string(i) + ".rec"));
    }

    void step(std::int64_t number)
    {
        const Nanos begin = number * 10'000'000;
        std::vector<store::StoredEvent> marks;
        const std::array<Nanos, 5> borders{0, 300'000, 3'000'000, 8'000'000, 9'000'000};
        for (std::size_t i = 0; i < m_phases.size(); ++i)
            marks.push_back({begin + borders[i], begin + borders[i + 1], 0, Kind::PhaseMark, 0, {m_phases[i], 0, 0, 0}});
        marks.push_back({begin, begin + 9'500'000, 0, Kind::StepMark, 0, {number, 32, 0, 0}});
        m_store.append(m_marks, marks);
        std::vector<store::StoredEvent> reduces;
        for (std::int64_t i = 0; i < reducesPerStep; ++i) {
            const Nanos at = begin + 3'500'000 + i * 260'000 + below(20'000);
            reduces.push_back({at, at + 150'000 + below(90'000), 0, Kind::Allreduce, 0, {77, 5 << 20, number * reducesPerStep + i, -1}});
        }
        m_store.append(m_comm, reduces);
        for (int reader = 0; reader < readers; ++reader) readSome(begin, reader);
    }

    void epoch(std::int64_t number, Interval when)
    {
        const store::StoredEvent mark{when.begin, when.end, 0, Kind::EpochMark, 0, {number, 1'000'000, 0, 0}};
        m_store.append(m_marks, std::span(&mark, 1));
    }

private:
    void readSome(Nanos begin, int reader)
    {
        std::vector<store::StoredEvent> reads;
        Nanos at = begin + below(10'000);
        for (std::int64_t i = 0; i < readsPerStep / readers; ++i) {
            const Nanos took = 2'000 + below(20'000);
            const std::int64_t bytes = 20'000 + below(200'000);
            reads.push_back(
                {at, at + took, 0, Kind::FileRead, 0, {m_files[static_cast<std::size_t>(below(64))], below(1 << 30), bytes, bytes}});
            at += took + 5'000 + below(40'000);
        }
        m_store.append(m_io[static_cast<std::size_t>(reader)], reads);
    }
    store::Id track(store::Id host, Lane lane, std::int64_t thread)
    {
        store::TrackKey key;
        key.host = host;
        key.process = m_process;
        key.thread = thread;
        key.lane = lane;
        return m_store.track(key);
    }
    std::int64_t below(std::int64_t limit) { return static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(limit)); }

    store::RunStore& m_store;
    std::mt19937_64 m_random;
    store::Id m_process = 0, m_marks = 0, m_comm = 0;
    std::vector<store::Id> m_io, m_phases, m_files;
};

void write(const std::filesystem::path& file, std::int64_t events)
{
    store::RunStore store = store::RunStore::create(file, 1'700'000'000'000'000'000);
    store::Transaction transaction(store.database());
    const store::Id host = store.host({0, "node-a", "boot", 0});
    std::vector<RankWriter> writers;
    for (int rank = 0; rank < ranks; ++rank) writers.emplace_back(store, host, rank);
    const std::int64_t steps = std::max<std::int64_t>(epochs, events / ranks / eventsPerStep);
    for (std::int64_t step = 0; step < steps; ++step)
        for (RankWriter& writer : writers) writer.step(step);
    for (std::int64_t number = 0; number < epochs; ++number)
        for (RankWriter& writer : writers)
            writer.epoch(number + 1, {steps * number / epochs * 10'000'000, steps * (number + 1) / epochs * 10'000'000 - 500'000});
    store.flush();
    transaction.commit();
    store.finalize();
}

struct Cost {
    double seconds = 0, megabytes = 0;
    int status = 0;
};

Cost report(const std::string& program, const std::string& run)
{
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
        if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(126);
        ::execl(program.c_str(), program.c_str(), "report", run.c_str(), nullptr);
        ::_exit(127);
    }
    Cost cost;
    rusage usage{};
    ::wait4(child, &cost.status, 0, &usage);
    cost.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    cost.megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
    return cost;
}

}  // namespace

int main(int count, char** arguments)
{
    namespace fs = std::filesystem;
    const std::int64_t events = count > 1 ? std::atoll(arguments[1]) : 10'000'000;
    const bool keep = count > 2;
    const fs::path folder =
        keep ? fs::path(arguments[2]) : fs::temp_directory_path() / ("flowgauge-report-bench-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    if (!fs::exists(folder / "run.db")) write(folder / "run.db", events);
    const std::string program = fs::canonical("/proc/self/exe").parent_path() / "flowgauge";
    Cost best = report(program, folder);
    for (int again = 0; again < 2; ++again) {
        const Cost cost = report(program, folder);
        if (cost.seconds < best.seconds) best = cost;
    }
    std::printf("report on %.1f million events (%.1f MB): %.2f s, %.0f MB; goal 1 s, 150 MB; at least 2 s, 500 MB\n",
                static_cast<double>(events) / 1e6, static_cast<double>(fs::file_size(folder / "run.db")) / 1e6, best.seconds,
                best.megabytes);
    if (!keep) fs::remove_all(folder);
    return best.status;
}
