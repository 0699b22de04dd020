// SPDX-License-Identifier: MIT
// The exported names of cuda_calls.def, and what `life` calls.
#include "collector/buffer/recorder.h"
#include "instrument/cuda/cuda.h"
#include "instrument/cuda/session.h"
#include "instrument/hook/next.h"

#include <cstdlib>
#include <string_view>

namespace flowgauge::cuda {
namespace {

constexpr const char* driverDoor = "CUDA_INJECTION64_PATH";

/// The value is only looked at again when the process records: most never do.
std::atomic<bool> doorIsTaken{false};

/// Calls of ours go through the table and never come by here; a CUPTI that calls its own exported names does.
constinit thread_local unsigned depth = 0;

class Nested {
public:
    Nested() { ++depth; }
    ~Nested() { --depth; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
};

void beforeTaking(const char* call)
{
    if (depth == 1) session.yield(call);
}

void afterGiving(std::string_view call, Status status)
{
    if (depth == 1 && status == statusSuccess) session.comeBack(call == "cuptiFinalize");
}

bool wantsGpu()
{
    for (const KindRow& row : kindRows)
        if ((row.lane == Lane::Gpu || row.lane == Lane::Api) && buffer::wants(row.kind)) return true;
    return false;
}

#define FLOWGAUGE_DOOR(call, sentence)
#define FLOWGAUGE_TAKE(call, parameters, arguments) constinit hook::Next<Status(*) parameters> next_##call{#call};
#define FLOWGAUGE_GIVE(call, parameters, arguments) constinit hook::Next<Status(*) parameters> next_##call{#call};
#include "instrument/cuda/cuda_calls.def"
#undef FLOWGAUGE_TAKE
#undef FLOWGAUGE_GIVE

}  // namespace

void start()
{
    if (!wantsGpu() || wishesOf(settingOf(Variable::Gpu)).off) return;
    hook::LibraryPath own;
    if (!hook::ownFile(own)) return;
    const char* const named = std::getenv(driverDoor);
    if (named == nullptr || *named == '\0')
        setenv(driverDoor, own.data(), 1);
    else if (std::string_view(named) != own.data() && !hook::isSameFile(named, own.data()))
        doorIsTaken.store(true, std::memory_order_relaxed);
}

void onStart()
{
    if (doorIsTaken.load(std::memory_order_relaxed) && seesGpu())
        buffer::ledger("GPU kernels", "absent", "CUDA_INJECTION64_PATH names another tool, which was left in peace");
}

void stop() { session.stop(); }

void noteAbruptEnd()
{
    if (session.phase() == Phase::Active && session.isOurProcess())
        buffer::ledger("GPU kernels", "degraded", "the process ended without its exit handlers: up to a second of GPU records is missing");
}

void forgetAfterFork() { session.forgetAfterFork(); }

}  // namespace flowgauge::cuda

extern "C" {

/// Always a success: the driver would unload us otherwise, and call again at the next cuInit.
FLOWGAUGE_EXPORT int InitializeInjection()
{
    flowgauge::cuda::session.begin();
    return 1;
}

#define FLOWGAUGE_TAKE(call, parameters, arguments)                                        \
    FLOWGAUGE_EXPORT int call parameters                                                   \
    {                                                                                      \
        const flowgauge::cuda::Nested nested;                                              \
        flowgauge::cuda::beforeTaking(#call);                                              \
        return flowgauge::cuda::next_##call.getFor(__builtin_return_address(0)) arguments; \
    }
#define FLOWGAUGE_GIVE(call, parameters, arguments)                                                    \
    FLOWGAUGE_EXPORT int call parameters                                                               \
    {                                                                                                  \
        const flowgauge::cuda::Nested nested;                                                          \
        const int status = flowgauge::cuda::next_##call.getFor(__builtin_return_address(0)) arguments; \
        flowgauge::cuda::afterGiving(#call, status);                                                   \
        return status;                                                                                 \
    }
#include "instrument/cuda/cuda_calls.def"
#undef FLOWGAUGE_DOOR
#undef FLOWGAUGE_TAKE
#undef FLOWGAUGE_GIVE
}
