// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"
#include "collector/record/raw.h"
#include "collector/record/settings.h"
#include "collector/sample/sampler.h"
#include "instrument/cuda/cuda.h"
#include "instrument/hook/next.h"
#include "instrument/io/io.h"
#include "instrument/life/hand_over.h"
#include "instrument/life/place.h"
#include "instrument/mark/marks.h"
#include "instrument/nccl/nccl.h"
#include "instrument/nvtx/nvtx.h"
#include "instrument/socket/sockets.h"

/// What pthread_atfork of glibc calls. musl has it not: children that are linked with it, as a container's shell may be, load us too, must
/// run, and are not recorded, since little that we stand in front of is the same there.
extern "C" {
[[gnu::weak]] int __register_atfork(void (*before)(), void (*inParent)(), void (*inChild)(), void* library);
extern void* __dso_handle __attribute__((visibility("hidden")));
}

/// Start, fork and end of a recorded process: wiring only.
namespace flowgauge::life {
namespace {

constinit Place place{};

std::uint32_t samplePeriodMs() { return static_cast<std::uint32_t>(numberOf(Variable::SampleMs)); }

/// A launcher on this host has told where the spools are before it started us. Without one nobody would find them, so that comes
/// before the first event, whatever happens to the process afterwards. Connections are read by a thread that has to share the program's
/// descriptors: threads that the drain starts do not.
void onFiles()
{
    if (!place.launchedHere) announce(place);
    if (place.handsOver) announceRecording(place);
    sockets::onFiles();
}

constexpr io::DescriptorWatch connections{sockets::closing, sockets::closingRange, sockets::duplicated};

/// On the drain thread, once the process has something to record.
void onStart()
{
    if (place.launchedHere) announce(place);
    cuda::onStart();
    nvtx::onStart();
    sample::startElected({place.spoolFolder.data(), samplePeriodMs(), ""});
}

void afterForkInParent() { io::afterForkInParent(); }

/// The recorder first: what the others forget may be recorded anew at once.
void afterForkInChild()
{
    buffer::forgetAfterFork();
    sample::forgetAfterFork();
    io::afterForkInChild();
    sockets::afterForkInChild();
    mark::forgetAfterFork();
    cuda::forgetAfterFork();
    nvtx::forgetAfterFork();
    nccl::forgetAfterFork();
}

/// Looks at the environment, and does nothing more than that in a process that belongs to no run.
[[gnu::constructor]] void begin(int, char** arguments, char**)
{
    if (__register_atfork == nullptr) return;
    if (arguments == nullptr || arguments[0] == nullptr || isSkipped(arguments[0]) || !findPlace(place)) return;
    buffer::enable({place.spoolFolder.data(), place.runId.data(), kindMaskOf(settingOf(Variable::Kinds)), numberOf(Variable::MaxSize),
                    numberOf(Variable::RingBytes)});
    buffer::onFiles(onFiles);
    buffer::onStart(onStart);
    if (samplePeriodMs() > 0) buffer::onBeat(sample::beatSelf, samplePeriodMs());
    if (samplePeriodMs() > 0 && buffer::wants(Kind::CounterSample)) io::onDataFile(sample::offerDataFile);
    __register_atfork(nullptr, afterForkInParent, afterForkInChild, __dso_handle);
    cuda::start();
    nvtx::start();
    nccl::start();
    sockets::start(samplePeriodMs());
    io::watchDescriptors(connections);
    io::start({settingOf(Variable::Code), settingOf(Variable::Data), {place.run.data(), place.spoolFolder.data()}});
}

/// How long the end of a program may wait until its recording is on the launcher's host.
constexpr std::uint32_t handOverMs = 10'000;

void closeRecording()
{
    nccl::finish();
    if (place.handsOver) static_cast<void>(buffer::finishWith([] { handOver(place, handOverMs); }, handOverMs));
    buffer::finish();
}

[[gnu::destructor]] void end()
{
    cuda::stop();
    sockets::lastReadings();
    sample::lastBeat();
    sample::stop();
    closeRecording();
}

[[noreturn]] void exitNow(int status)
{
    for (;;) raw::call(SYS_exit_group, status);
}

#define FLOWGAUGE_LIFE(call) constinit hook::Next<void (*)(int)> next##call{#call, exitNow};
#include "instrument/life/life_calls.def"
#undef FLOWGAUGE_LIFE

}  // namespace
}  // namespace flowgauge::life

extern "C" {
#define FLOWGAUGE_LIFE(name)                       \
    FLOWGAUGE_EXPORT void name(int status)         \
    {                                              \
        flowgauge::cuda::noteAbruptEnd();          \
        flowgauge::sockets::lastReadings();        \
        flowgauge::sample::lastBeat();             \
        flowgauge::life::closeRecording();         \
        flowgauge::life::next##name.get()(status); \
        flowgauge::life::exitNow(status);          \
    }
#include "instrument/life/life_calls.def"
#undef FLOWGAUGE_LIFE
}
