// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"
#include "collector/record/settings.h"
#include "collector/sample/sampler.h"
#include "instrument/io/io.h"
#include "instrument/life/place.h"
#include "instrument/mark/marks.h"
#include "instrument/mark/marks.h"

#include <pthread.h>

/// Start, fork and end of a recorded process: wiring only.
namespace flowgauge::life {
namespace {

constinit Place place{};

std::uint32_t samplePeriodMs() { return static_cast<std::uint32_t>(numberOf(Variable::SampleMs)); }

/// On the drain thread, once the process has something to record.
void onStart()
{
    announce(place);
    sample::startElected({place.spoolFolder.data(), samplePeriodMs(), ""});
}

void afterForkInParent() { io::afterForkInParent(); }

/// The recorder first: what the others forget may be recorded anew at once.
void afterForkInChild()
{
    buffer::forgetAfterFork();
    sample::forgetAfterFork();
    io::afterForkInChild();
    mark::forgetAfterFork();
}

/// Looks at the environment, and does nothing more than that in a process that belongs to no run.
[[gnu::constructor]] void begin(int, char** arguments, char**)
{
    if (arguments == nullptr || arguments[0] == nullptr || isSkipped(arguments[0]) || !findPlace(place)) return;
    buffer::enable({place.spoolFolder.data(), place.runId.data(), kindMaskOf(settingOf(Variable::Kinds)), numberOf(Variable::MaxSize),
                    numberOf(Variable::RingBytes)});
    buffer::onStart(onStart);
    if (samplePeriodMs() > 0) buffer::onBeat(sample::beatSelf, samplePeriodMs());
    pthread_atfork(nullptr, afterForkInParent, afterForkInChild);
    io::start({settingOf(Variable::Code), settingOf(Variable::Data), {place.run.data(), place.spoolFolder.data()}});
}

[[gnu::destructor]] void end()
{
    sample::stop();
    buffer::finish();
}

}  // namespace
}  // namespace flowgauge::life
