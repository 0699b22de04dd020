// SPDX-License-Identifier: MIT
#include "instrument/hook/vendor.h"
#include "instrument/nccl/grouped.h"
#include "instrument/nccl/nccl.h"
#include "instrument/nccl/plugin.h"
#include "instrument/nccl/words.h"

#include <cstdlib>
#include <cstring>

namespace flowgauge::nccl {
namespace {

constexpr const char* slotVariable = "NCCL_PROFILER_PLUGIN";
constexpr std::size_t longestPath = 254;  // NCCL copies the name into 255 bytes

}  // namespace

void start()
{
    if (plugin::maskFor(6) == 0 || std::getenv(slotVariable) != nullptr) return;
    hook::LibraryPath own;
    // An absolute path: 2.23 to 2.25 try the value as it stands, and nothing else.
    if (hook::ownFile(own) && std::strlen(own.data()) <= longestPath) setenv(slotVariable, own.data(), 0);
}

void finish() { plugin::finishAll(); }

void forgetAfterFork()
{
    plugin::forgetAfterFork();
    communicators::forgetAll();
    grouped::forget();
    forgetWords();
}

}  // namespace flowgauge::nccl
