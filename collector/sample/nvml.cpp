// SPDX-License-Identifier: MIT
#include "collector/sample/nvml.h"

#include <dlfcn.h>

namespace flowgauge::sample {

bool openNvml(Nvml& into)
{
    void* const library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return dlerror(), false;
#define FLOWGAUGE_NVML(member, function, ...) into.member = reinterpret_cast<NvmlStatus (*)(__VA_ARGS__)>(dlsym(library, #function));
#include "collector/sample/nvml.def"
#undef FLOWGAUGE_NVML
    dlerror();  // a failed lookup leaves a message that the program would take for its own
    return into.init != nullptr && into.count != nullptr && into.byIndex != nullptr && into.uuid != nullptr;
}

}  // namespace flowgauge::sample
