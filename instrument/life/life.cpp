// SPDX-License-Identifier: MIT
#include "collector/buffer/recorder.h"
#include "collector/record/settings.h"
#include "instrument/io/io.h"
#include "instrument/life/place.h"

#include <pthread.h>

/// Start, fork and end of a recorded process: wiring only.
namespace flowgauge::life {
namespace {

constinit Place place{};

void onStart() { announce(place); }

void afterForkInParent() { io::afterForkInParent(); }

void afterForkInChild()
{
    buffer::forgetAfterFork();
    io::afterForkInChild();
}

/// Looks at the environment, and does nothing more than that in a process that belongs to no run.
[[gnu::constructor]] void begin(int, char** arguments, char**)
{
    if (arguments == nullptr || arguments[0] == nullptr || isSkipped(arguments[0]) || !findPlace(place)) return;
    buffer::enable({place.spoolFolder.data(), place.runId.data(), kindMaskOf(settingOf(Variable::Kinds)), numberOf(Variable::MaxSize),
                    numberOf(Variable::RingBytes)});
    buffer::onStart(onStart);
    pthread_atfork(nullptr, afterForkInParent, afterForkInChild);
    io::start({settingOf(Variable::Code), settingOf(Variable::Data), {place.run.data(), place.spoolFolder.data()}});
}

[[gnu::destructor]] void end() { buffer::finish(); }

}  // namespace
}  // namespace flowgauge::life
