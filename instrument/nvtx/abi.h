// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

/// The injection interface of NVTX as far as we need it, declared by ourselves (nvtx3/nvtxDetail/nvtxTypes.h of CUDA 10 to 13; NVTX 2 asks
/// through the same entry and has the same numbers).
namespace flowgauge::nvtx {

using Function = void (*)();
using ExportTable = const void* (*)(std::uint32_t id);

inline constexpr std::uint32_t callbacksTable = 1;
inline constexpr std::uint32_t versionTable = 3;

/// Export table 1. It lends a module's table of function slots and their number: what lies beyond that number does not exist.
struct Callbacks {
    std::size_t bytes;
    int (*moduleFunctions)(std::uint32_t module, Function*** slots, std::uint32_t* count);
};
/// Export table 3, in version 3 only.
struct VersionInfo {
    std::size_t bytes;
    std::uint32_t version, reserved;
    void (*setInjectionVersion)(std::uint32_t version);
};

enum : std::uint32_t { moduleCore = 1, moduleCore2 = 5 };

enum : std::int32_t { messageAscii = 1, messageWide = 2, messageRegistered = 3 };
enum : std::int32_t {
    payloadUnsigned = 1,
    payloadSigned = 2,
    payloadDouble = 3,
    payloadUnsigned32 = 4,
    payloadSigned32 = 5,
    payloadFloat = 6
};
/// NVTX_PAYLOAD_TYPE_EXT: the value points to `reserved` pieces of data whose layout a schema tells.
inline constexpr std::int32_t payloadExtended = static_cast<std::int32_t>(0xDFBD0009);

/// nvtxEventAttributes_v2.
struct Attributes {
    std::uint16_t version, bytes;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType;
    std::int32_t reserved;
    std::uint64_t payload;
    std::int32_t messageType;
    const void* message;
};
static_assert(sizeof(Attributes) == 48 && offsetof(Attributes, payload) == 24 && offsetof(Attributes, message) == 40);

/// nvtxPayloadData_t.
struct PayloadData {
    std::uint64_t schema;
    std::size_t bytes;
    const void* data;
};

}  // namespace flowgauge::nvtx
