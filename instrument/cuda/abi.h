// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

/// CUPTI as far as we need it, declared by ourselves: the product builds where no toolkit is, and one binary reads CUPTI 11.2 to 13.x.
/// Numbers and layouts are those of the public headers of CUPTI 11.2, 11.8, 12.4 and 13.0, in which no field below ever moved:
/// records only grow at their tail. tests/unit/instrument/cuda compares them with the real header where one is installed.
namespace flowgauge::cuda {

using Status = std::int32_t;  ///< CUptiResult

/// The results that mean something to us; any other is an error like the rest.
enum : Status {
    statusSuccess = 0,
    statusMaxLimit = 12,        ///< the walker has reached the end of the buffer
    statusNotInitialized = 15,  ///< no driver (CUPTI up to 12)
    statusTaken = 39,           ///< another tool of this process holds CUPTI
    statusUnknown = 999,        ///< no driver (CUPTI 13)
};

/// CUpti_ActivityKind.
enum class Activity : std::uint32_t {
    Memcpy = 1,
    Memset = 2,
    Kernel = 3,
    Driver = 4,
    Runtime = 5,
    ConcurrentKernel = 10,
    Overhead = 17,
    MemcpyPeer = 22,
    Synchronization = 38,
    GraphTrace = 51,
};

/// CUpti_CallbackDomain and the callbacks that are listened to.
enum : std::uint32_t {
    domainDriver = 1,
    domainRuntime = 2,
    domainResource = 3,
    domainState = 6,
    resourceContextCreated = 1,
    resourceInitFinished = 5,
    stateFatalError = 1,
};

/// CUpti_ActivityAttribute: 1 byte each.
enum : std::int32_t { attributeZeroedBuffers = 5, attributePerThreadBuffers = 9 };

inline constexpr std::uint32_t flushFinished = 0;   ///< only buffers whose records are all complete
inline constexpr std::uint32_t flushForced = 1;     ///< running kernels too; they are never delivered again
inline constexpr std::uint32_t threadIdSystem = 1;  ///< API records carry gettid()

/// Versions as cuptiGetVersion tells them.
inline constexpr std::uint32_t version12_6 = 24;  ///< before it, starting again next to CUDA graphs crashed (pytorch #112507)

using Request = void (*)(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords);
using Complete = void (*)(void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t bytes, std::size_t validBytes);
using Callback = void (*)(void* user, std::uint32_t domain, std::uint32_t id, const void* data);
using TimestampCallback = std::uint64_t (*)();
using Subscriber = void*;

/// CUpti_SubscriberParams of 13.0.
struct SubscriberParameters {
    std::size_t bytes;
    const char* name;  ///< of ours, up to 53 letters
    char* holder;      ///< room for the name of whoever holds CUPTI
    std::size_t holderBytes;
};
static_assert(sizeof(SubscriberParameters) == 32);

}  // namespace flowgauge::cuda
