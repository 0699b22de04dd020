// SPDX-License-Identifier: MIT
// What it costs to turn spools into a finished run.db, everything included: reading and checking the spools, clocks, names,
// chunks, tiles, statistics, the tidy file at the end.
//
//     ingest_bench [MILLIONS OF EVENTS, default 10] [FOLDER: kept when named, and its spools are used again]
#include "collector/ingest/ingest.h"
#include "tests/bench/spool_generator.h"

#include <sys/resource.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

namespace fs = std::filesystem;
using namespace flowgauge;

constexpr int processes = 8;

double processorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

double wallSeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double peakMiB()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void line(const char* what, double value, const char* unit, const char* goal, const char* least)
{
    std::printf("%-66s %10.2f %-12s %10s %10s\n", what, value, unit, goal, least);
}

int measure(const fs::path& folder, std::uint64_t events)
{
    const bool made = !fs::create_directories(folder / "spool");
    fs::remove(folder / "run.db");
    for (int rank = 0; rank < processes && !made; ++rank)
        bench::SpoolGenerator(folder / "spool" / (std::to_string(1000 * (rank + 1)) + "-1.spool"), rank).write(events / processes);
    const double processor = processorSeconds();
    const double wall = wallSeconds();
    const ingest::Summary summary = ingest::ingest(folder, {folder / "spool"});
    const double usedProcessor = processorSeconds() - processor;
    const double usedWall = wallSeconds() - wall;
    for (const std::string& warning : summary.warnings) std::printf("%s\n", warning.c_str());
    const auto stored = static_cast<double>(summary.events);
    line("spool -> finished run.db, by processor time of one thread", stored / usedProcessor / 1e6, "M events/s", ">= 15", ">= 6");
    line("spool -> finished run.db, by wall time", stored / usedWall / 1e6, "M events/s", "-", "-");
    line("finished file", static_cast<double>(fs::file_size(folder / "run.db")) / stored, "bytes/event", "<= 7", "<= 9");
    line("peak memory", peakMiB(), "MiB", "-", "-");
    return summary.events >= static_cast<std::int64_t>(events) && summary.warnings.empty() ? 0 : 1;
}

}  // namespace

int main(int count, char** argument)
{
    const auto events = static_cast<std::uint64_t>(std::max(1L, count > 1 ? std::atol(argument[1]) : 10)) * 1'000'000;
    const fs::path folder =
        count > 2 ? fs::path(argument[2]) : fs::temp_directory_path() / ("flowgauge-ingest-bench-" + std::to_string(::getpid()));
    const int status = measure(folder, events);
    if (count <= 2) fs::remove_all(folder);
    return status;
}
