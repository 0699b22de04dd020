// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/cuda/abi.h"
#include "instrument/hook/vendor.h"

#include <string_view>

namespace flowgauge::cuda {

/// CUPTI's functions; a member is nullptr where this copy of the library lacks it.
struct Cupti {
#define FLOWGAUGE_CUPTI(member, function, need, ...) Status (*member)(__VA_ARGS__);
#include "instrument/cuda/cupti.def"
#undef FLOWGAUGE_CUPTI
    std::uint32_t version;
    hook::LibraryPath path;  ///< where it was loaded from
};

/// Why there is no CUPTI to use; "" when there is.
using Reason = std::string_view;

/// Fills the table from the copy that is loaded already, else the framework's (beside the CUDA wheels of this Python), else the
/// toolkit's; two copies in one process do not work together. Loads at most one library, so only call it where CUDA is in use.
[[nodiscard]] Reason openCupti(Cupti& into);

/// The parts of the driver that are asked; its library is loaded already in every process that gets here.
struct Driver {
    int (*driverVersion)(int*);
    int (*deviceCount)(int*);
    int (*deviceGet)(int*, int);
    int (*deviceName)(char*, int, int);
    int (*deviceUuid)(std::uint8_t*, int);  ///< of the whole device; cuDeviceGetUuid_v2 would name a MIG instance
    int (*deviceBusId)(char*, int, int);
};
[[nodiscard]] Driver openDriver();

/// True when this machine shows a GPU to this process: a device node of any of the drivers.
[[nodiscard]] bool seesGpu();

}  // namespace flowgauge::cuda
