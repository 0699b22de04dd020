// SPDX-License-Identifier: MIT
#include "instrument/cuda/records.h"

namespace flowgauge::cuda {
namespace {

constexpr std::size_t probeBytes = 4096;

constexpr std::uint32_t leastOf(Activity kind)
{
#define FLOWGAUGE_FIELD(record, name, offset, width)
#define FLOWGAUGE_RECORD(record, least) constexpr std::uint32_t record = least;
#include "instrument/cuda/records.def"
#undef FLOWGAUGE_RECORD
#undef FLOWGAUGE_FIELD
    switch (kind) {
        case Activity::Memcpy:
            return Memcpy;
        case Activity::Memset:
            return Memset;
        case Activity::Kernel:
        case Activity::ConcurrentKernel:
            return Kernel;
        case Activity::Driver:
        case Activity::Runtime:
            return Api;
        case Activity::Overhead:
            return Overhead;
        case Activity::MemcpyPeer:
            return MemcpyPeer;
        case Activity::Synchronization:
            return Synchronization;
        case Activity::GraphTrace:
            return GraphTrace;
    }
    return 0;
}

/// A buffer in which every 8-byte slot could be the beginning of a record of that kind.
std::uint32_t strideOf(NextRecord next, Activity kind)
{
    alignas(8) static std::array<std::uint8_t, probeBytes> buffer;
    buffer.fill(0);
    const auto number = static_cast<std::uint32_t>(kind);
    for (std::size_t at = 0; at < buffer.size(); at += 8) std::memcpy(buffer.data() + at, &number, sizeof number);
    std::uint8_t* record = nullptr;
    if (next(buffer.data(), buffer.size(), &record) != statusSuccess || record != buffer.data()) return 0;
    if (next(buffer.data(), buffer.size(), &record) != statusSuccess || record <= buffer.data()) return 0;
    return static_cast<std::uint32_t>(record - buffer.data());
}

}  // namespace

Strides probeStrides(NextRecord next)
{
    Strides found;
    for (const Activity kind : knownActivities) {
        const std::uint32_t stride = strideOf(next, kind);
        found.set(kind, stride >= leastOf(kind) ? stride : 0);
    }
    return found;
}

}  // namespace flowgauge::cuda
