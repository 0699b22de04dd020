// SPDX-License-Identifier: MIT
#include "collector/record/raw.h"
#include "collector/record/settings.h"
#include "instrument/hook/vendor.h"
#include "instrument/nccl/grouped.h"
#include "instrument/nccl/nccl.h"
#include "instrument/nccl/plugin.h"
#include "instrument/nccl/theirs.h"
#include "instrument/nccl/words.h"

#include <strings.h>
#include <cstdlib>
#include <cstring>

/// The one place for a profiler plugin that NCCL has, and who takes it.
namespace flowgauge::nccl {
namespace {

constexpr const char* slotVariable = "NCCL_PROFILER_PLUGIN";
constexpr std::size_t longestPath = 254;  // NCCL copies the name into 255 bytes

/// "none" switches profiling off; any beginning of STATIC_PLUGIN stands for a plugin inside the program itself. Both are left alone.
bool isLeftAlone(const char* value)
{
    return strcasecmp(value, "none") == 0 || strncasecmp(value, "STATIC_PLUGIN", std::strlen(value)) == 0;
}

/// Who was here before us: the user's variable, or, in a child of a recorded process, what that process remembers of it.
const char* formerOwner(const char* value, const char* own)
{
    if (value == nullptr || *value == '\0') return "";
    return hook::isSameFile(value, own) ? settingOf(Variable::NcclPlugin) : value;
}

}  // namespace

void start()
{
    if (plugin::maskFor(6) == 0) return;
    const char* const value = std::getenv(slotVariable);
    if (value != nullptr && *value != '\0' && isLeftAlone(value)) return;
    hook::LibraryPath own;
    // An absolute path: 2.23 to 2.25 try the value as it stands, and nothing else.
    if (!hook::ownFile(own) || std::strlen(own.data()) > longestPath) return;
    const char* const former = formerOwner(value, own.data());
    theirs::setName(former);
    if (*former != '\0') setenv(rowOf(Variable::NcclPlugin).name, former, 1);
    setenv(slotVariable, own.data(), 1);
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
