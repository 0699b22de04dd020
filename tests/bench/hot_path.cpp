// SPDX-License-Identifier: MIT
// What a recorded call costs, the real call being a stub. Prints a table: two time stamps alone, the recorded call, the same
// by several threads at once, and the fastest rate at which nothing is lost. Ratios within one run carry to other machines.
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace flowgauge;

namespace {

constexpr int repeats = 9;

[[gnu::noinline]] long stubbedRead(int, void*, std::size_t bytes)
{
    asm volatile("" ::: "memory");
    return static_cast<long>(bytes);
}

void recordedRead(std::int64_t offset)
{
    const Ticks begin = now();
    const long got = stubbedRead(3, nullptr, 4096);
    buffer::record(fileTransfer({begin, now()}, Kind::FileRead, {1, offset, got, 4096}));
}

[[gnu::noinline]] Ticks stampedRead()
{
    const Ticks begin = now();
    (void)stubbedRead(3, nullptr, 4096);
    return now() - begin;
}

std::int64_t clockNs(clockid_t clock)
{
    timespec at;
    clock_gettime(clock, &at);
    return static_cast<std::int64_t>(at.tv_sec) * 1'000'000'000 + at.tv_nsec;
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// ns of this thread's processor time a call.
double cpuPerCall(std::int64_t calls, const std::function<void(std::int64_t)>& loop)
{
    const std::int64_t before = clockNs(CLOCK_THREAD_CPUTIME_ID);
    loop(calls);
    return static_cast<double>(clockNs(CLOCK_THREAD_CPUTIME_ID) - before) / static_cast<double>(calls);
}

void enableIn(const std::filesystem::path& folder)
{
    const std::string path = folder.string();
    buffer::enable({path.c_str(), "bench", kindMaskOf(""), 0, 0});
}

/// Bursts that fit into a ring, drained in between: every event is kept, and the drain's work is not in the time.
double keptCall()
{
    std::vector<double> samples;
    for (int repeat = 0; repeat < repeats * 100; ++repeat) {
        (void)buffer::flush(1000);
        samples.push_back(cpuPerCall(1000, [](std::int64_t calls) {
            for (std::int64_t i = 0; i < calls; ++i) recordedRead(i);
        }));
    }
    return median(samples);
}

struct Result {
    double stamps, kept, threads, pacedRate;
};

/// What our own process page and rings say.
struct Told {
    std::uint64_t lost, ownCpuNs, spoolBytes;
};

Told told()
{
    // The counts are in the process's own rings file; the bench reads them as any reader would.
    std::string rings = buffer::spoolPath();
    rings.replace(rings.size() - 6, 6, ".rings");
    std::ifstream in(rings, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const auto& page = *reinterpret_cast<const spool::ProcessPage*>(bytes.data());
    std::uint64_t lost = 0;
    std::size_t at = spool::pageBytes;
    for (std::uint64_t i = 0; i < page.segments; ++i) {
        const auto& ring = *reinterpret_cast<const spool::RingHeader*>(bytes.data() + at);
        for (const auto& count : ring.lost) lost += count;
        at += spool::segmentBytes(ring.capacity);
    }
    return {lost, page.ownCpuNs, page.spoolBytes};
}

/// Offers `perSecond` events for a while and prints what became of them; true when none was lost.
bool losslessAt(double perSecond)
{
    const Told before = told();
    constexpr std::int64_t length = 400'000'000;
    const double tickNs = 1e9 / perSecond;
    const std::int64_t start = clockNs(CLOCK_MONOTONIC);
    std::int64_t done = 0;
    for (std::int64_t at = 0; at < length; at = clockNs(CLOCK_MONOTONIC) - start)
        for (const auto due = static_cast<std::int64_t>(static_cast<double>(at) / tickNs); done < due; ++done) recordedRead(done);
    (void)buffer::flush(5000);
    const Told after = told();
    const double drained = static_cast<double>(after.spoolBytes - before.spoolBytes) / 64;
    std::printf("  offered %5.1f M events/s from one thread: %5.2f %% lost; drain %.1f ns of processor an event\n",
                static_cast<double>(done) / static_cast<double>(length) * 1e3,
                100 * static_cast<double>(after.lost - before.lost) / static_cast<double>(done),
                static_cast<double>(after.ownCpuNs - before.ownCpuNs) / drained);
    return after.lost == before.lost;
}

double byThreads(int count)
{
    std::vector<std::thread> threads;
    std::vector<double> cost(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        threads.emplace_back([&cost, i] {
            std::vector<double> samples;
            for (int repeat = 0; repeat < 200; ++repeat) {
                samples.push_back(cpuPerCall(1000, [](std::int64_t calls) {
                    for (std::int64_t n = 0; n < calls; ++n) recordedRead(n);
                }));
                (void)buffer::flush(1000);
            }
            cost[static_cast<std::size_t>(i)] = median(samples);
        });
    for (std::thread& thread : threads) thread.join();
    return median(cost);
}

void measure(Result& result)
{
    std::vector<double> stamps;
    volatile Ticks sink = 0;
    recordedRead(0);
    for (int repeat = 0; repeat < repeats; ++repeat)
        stamps.push_back(cpuPerCall(1'000'000, [&](std::int64_t calls) {
            for (std::int64_t i = 0; i < calls; ++i) sink = stampedRead();
        }));
    result.stamps = median(stamps);
    result.kept = keptCall();
    result.threads = byThreads(8);
    for (const double rate : {1e6, 2e6, 5e6, 1e7, 1.5e7, 2e7, 2.5e7})
        if (losslessAt(rate)) result.pacedRate = rate;
}

}  // namespace

int main(int count, char** words)
{
    const std::filesystem::path folder =
        std::filesystem::path(count > 1 ? words[1] : "/tmp") / ("flowgauge-bench-" + std::to_string(::getpid()));
    Result result{};
    enableIn(folder);
    measure(result);
    buffer::finish();
    std::filesystem::remove_all(folder);
    std::printf("clock                                  %10s\n", clockSource() == ClockSource::Tsc ? "TSC" : "MONOTONIC");
    std::printf("two time stamps around a stub          %10.1f ns\n", result.stamps);
    std::printf("recorded call, one thread              %10.1f ns   goal <= 30, at least stamps + 20 = %.1f\n", result.kept,
                result.stamps + 20);
    std::printf("recorded call, 8 threads, CPU each     %10.1f ns   x %.2f of one, at least x 1.25\n", result.threads,
                result.threads / result.kept);
    std::printf("lossless from one thread               %10.1f M/s  goal >= 10\n", result.pacedRate / 1e6);
    return 0;
}
