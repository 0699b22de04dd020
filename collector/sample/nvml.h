// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

/// NVML as far as we need it, declared by ourselves from the public header (nvml.h 11.8, 12.4 and 13 agree on all of this) and opened at
/// run time.
namespace flowgauge::sample {

using NvmlStatus = int;  ///< nvmlReturn_t; 0 is success
using NvmlDevice = void*;
using NvmlGpmSample = void*;

struct NvmlUtilization {
    unsigned gpu, memory;  ///< percent
};
struct NvmlMemory {
    unsigned long long total, free, used;
};
/// nvmlFieldValue_t. Each entry has a status of its own.
struct NvmlField {
    std::uint32_t id, scope;
    std::int64_t timestampUs, latencyUs;
    std::int32_t type;  ///< 0 double, 1 unsigned, 2 unsigned long, 3 unsigned long long, 4 long long, 5 int, 6 unsigned short
    NvmlStatus status;
    std::uint64_t value;
};
static_assert(sizeof(NvmlField) == 40 && offsetof(NvmlField, status) == 28);
struct NvmlGpmSupport {
    unsigned version = 1, isSupported = 0;
};
struct NvmlGpmMetric {
    unsigned id;
    NvmlStatus status;
    double value;
    const char* shortName;
    const char* longName;
    const char* unit;
};
static_assert(sizeof(NvmlGpmMetric) == 40);
/// The array has 98 entries in old headers and 333 in the newest, under one version number: room for the largest.
struct NvmlGpmMetrics {
    unsigned version, count;
    NvmlGpmSample first, second;
    std::array<NvmlGpmMetric, 333> metrics;
};
static_assert(offsetof(NvmlGpmMetrics, metrics) == 24);

enum : std::uint32_t {
    nvmlFieldNvlinkSpeed = 90,  ///< 10^6 bytes/s of one link each way, where all are alike
    nvmlFieldNvlinkCount = 91,
    nvmlFieldNvlinkTx = 138,  ///< KiB of data, all links where the scope is ~0
    nvmlFieldNvlinkRx = 139,
    nvmlFieldPcieTx = 197,  ///< bytes; headers since 12.2
    nvmlFieldPcieRx = 198,
};
enum : unsigned { nvmlGpmSmActive = 2, nvmlGpmTensorActive = 5, nvmlGpmDramActive = 10 };
enum : int { nvmlClockSm = 1, nvmlClockMemory = 2, nvmlSensorGpu = 0 };

/// The functions; a member is nullptr where the library lacks it.
struct Nvml {
#define FLOWGAUGE_NVML(member, function, ...) NvmlStatus (*member)(__VA_ARGS__);
#include "collector/sample/nvml.def"
#undef FLOWGAUGE_NVML
};

/// Opens libnvidia-ml.so.1. False when it is not there, or lacks what any use of it needs.
[[nodiscard]] bool openNvml(Nvml& into);

}  // namespace flowgauge::sample
