// SPDX-License-Identifier: MIT
#include "collector/sample/sampler.h"

#include "collector/buffer/futex.h"
#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "collector/sample/data_files.h"
#include "collector/sample/data_set.h"
#include "collector/sample/election.h"
#include "collector/sample/process.h"
#include "collector/sample/sampler_thread.h"

namespace flowgauge::sample {
namespace {

/// How often a process looks whether its host still has a sampler.
constexpr Nanos lookNs = 1'000'000'000;
constexpr std::size_t sourcesOfAProcess = 4;

/// Everything that this process's samplers hold. Never destroyed: the drain thread may beat while the process ends.
struct State {
    std::atomic<bool> started{false};
    std::atomic<bool> beating{false};  ///< one beat at a time; a second one is dropped. The last one keeps it
    std::atomic<int> pid{0};           ///< that entered the election
    ThreadOrders orders;
    SamplerThread thread;
    Nanos lookedNs = 0;
    DataFileOffers dataFiles;

    SysRoot root;
    Scratch scratch;
    SourceTable sources;
    CounterSink sink{recorderOutlet, processFactMark};
    ProcessSampler process;
    bool processOpen = false;
};
constinit State state;

void standForElection(Nanos nowNs)
{
    state.lookedNs = nowNs;
    if (!state.thread.running() && !Election::isTaken(state.orders.spoolFolder.view())) state.thread.start(state.orders);
}

void sampleProcess(Nanos nowNs)
{
    if (!state.sources.create(sourcesOfAProcess)) return;
    state.sink.beginPass(nowNs);
    const Pass pass{state.root, state.scratch, state.sources, state.sink};
    if (!state.processOpen) {
        state.processOpen = true;
        const Availability found = state.process.open(pass);
        if (!found.present) state.sink.note("process", "absent", found.reason);
    }
    state.process.sample(pass);
}

}  // namespace

void startElected(const Options& options)
{
    if (options.periodMs == 0 || !buffer::wants(Kind::CounterSample) || state.started.load(std::memory_order_acquire)) return;
    state.orders.spoolFolder = Path(options.spoolFolder);
    state.orders.root = Path(options.root);
    state.orders.periodNs = Nanos{options.periodMs} * 1'000'000;
    state.root = SysRoot(options.root);
    state.pid.store(raw::processId(), std::memory_order_relaxed);
    standForElection(buffer::monotonicNs());
    state.dataFiles.flush(state.orders.spoolFolder.view());
    state.started.store(true, std::memory_order_release);
}

void beatSelf()
{
    if (!state.started.load(std::memory_order_acquire) || state.beating.exchange(true, std::memory_order_acquire)) return;
    const Nanos nowNs = buffer::monotonicNs();
    if (nowNs - state.lookedNs >= lookNs) standForElection(nowNs);
    sampleProcess(nowNs);
    state.dataFiles.flush(state.orders.spoolFolder.view());
    state.beating.store(false, std::memory_order_release);
}

void offerDataFile(std::string_view path, std::uint64_t device, std::uint64_t inode) { state.dataFiles.offer(path, device, inode); }

void lastBeat()
{
    const raw::KeepErrno keep;
    if (!state.started.load(std::memory_order_acquire) || state.pid.load(std::memory_order_relaxed) != raw::processId()) return;
    if (state.beating.exchange(true, std::memory_order_acquire)) return;
    if (!state.sources.create(sourcesOfAProcess)) return;
    state.sink.beginPass(buffer::monotonicNs());
    const Pass pass{state.root, state.scratch, state.sources, state.sink};
    ProcessSampler anew;
    if (anew.open(pass).present) anew.sample(pass);
    anew.close();
}

bool elected() { return state.thread.elected(); }

void awaitElection(std::uint32_t timeoutMs)
{
    constexpr Nanos lookAgainNs = 50'000;
    const Nanos until = buffer::monotonicNs() + Nanos{timeoutMs} * 1'000'000;
    buffer::FutexWord nobodyWakes{0};
    while (state.thread.running() && !state.thread.elected() && buffer::monotonicNs() < until)
        buffer::waitWhile(nobodyWakes, 0, lookAgainNs);
}

void stop(std::uint32_t timeoutMs)
{
    state.started.store(false, std::memory_order_release);
    state.thread.stop(timeoutMs);
}

void forgetAfterFork()
{
    state.thread.forgetAfterFork();
    state.process.close();
    state.dataFiles.forgetAfterFork();
    forgetDataSetAfterFork();
    state.processOpen = false;
    state.scratch.release();
    state.sources.release();
    state.beating.store(false, std::memory_order_relaxed);
    state.started.store(false, std::memory_order_relaxed);
}

}  // namespace flowgauge::sample
