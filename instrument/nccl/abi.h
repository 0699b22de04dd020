// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

/// NCCL's profiler plugin interface in our own words; no header of NCCL is used. Every size and offset was measured against the
/// headers of the release that brought the version (2.23.4, 2.24.3, 2.26.2, 2.27.3, 2.28.9, 2.29.2).
namespace flowgauge::nccl::abi {

/// What an event is about, one bit each. The bits never changed their meaning; later versions added some.
enum Type : std::uint64_t {
    typeGroup = 1 << 0,
    typeColl = 1 << 1,
    typeP2p = 1 << 2,
    typeProxyOp = 1 << 3,
    typeProxyStep = 1 << 4,
    typeProxyCtrl = 1 << 5,
    typeKernelCh = 1 << 6,       ///< v3
    typeNetPlugin = 1 << 7,      ///< v3
    typeGroupApi = 1 << 8,       ///< v5
    typeCollApi = 1 << 9,        ///< v5
    typeP2pApi = 1 << 10,        ///< v5
    typeKernelLaunch = 1 << 11,  ///< v5
    typeCeColl = 1 << 12,        ///< v6
    typeCeSync = 1 << 13,        ///< v6
    typeCeBatch = 1 << 14,       ///< v6
};

/// What recordEventState tells. Numbers are the same in all versions.
enum State : int {
    opSendDone = 3,  ///< v1 to v3
    opRecvDone = 7,  ///< v1 to v3
    stepSendGpuWait = 8,
    stepSendWait = 9,
    stepRecvWait = 10,
    stepRecvFlushWait = 11,
    stepRecvGpuWait = 12,
    stepSendPeerWait = 20,  ///< v4; told again at every poll until the receiver is ready
};

inline constexpr int success = 0;

// Members that are alike in every version.
struct ProxyOp {
    std::int32_t pid;
    std::uint8_t channelId;
    int peer, nSteps, chunkSize, isSend;
};
struct ProxyStep {
    int step;
};
struct NetPlugin {
    std::int64_t id;
    void* data;
};

/// A table that NCCL looks up by name: a data object, 48 bytes in every version.
template <typename Init, typename Descriptor, typename StateArgs>
struct Table {
    const char* name;
    Init init;
    int (*startEvent)(void* context, void** handle, Descriptor* descriptor);
    int (*stopEvent)(void* handle);
    int (*recordEventState)(void* handle, int state, StateArgs* args);
    int (*finalize)(void* context);
};

using Logger = void (*)(int level, unsigned long subsystem, const char* file, int line, const char* format, ...);

/// Before v4 a plugin is told nothing of the communicator.
using InitAlone = int (*)(void** context, int* mask);
using InitV4 = int (*)(void** context, int* mask, const char* name, std::uint64_t hash, int nodes, int ranks, int rank, Logger log);
/// The same words as v4 in another order.
using InitV5 = int (*)(void** context, std::uint64_t hash, int* mask, const char* name, int nodes, int ranks, int rank, Logger log);

/// States of proxies as v1 to v3 hand them over: bytes are summed per operation.
union EarlyStateArgs {
    struct {
        std::size_t transSize;
        int steps;
    } proxyOp;
    struct {
        int appendedProxyOps;
    } proxyCtrl;
};
/// From v4 on: bytes are those of one step, valid only in stepSendWait and stepRecvFlushWait.
union LateStateArgs {
    struct {
        std::size_t transSize;
    } proxyStep;
    struct {
        int appendedProxyOps;
    } proxyCtrl;
    struct {
        void* data;
    } netPlugin;
    struct {
        std::uint64_t pTimer;
    } kernelCh;
};
static_assert(sizeof(EarlyStateArgs) == 16 && sizeof(LateStateArgs) == 8);
static_assert(sizeof(Table<InitAlone, int, int>) == 48);

}  // namespace flowgauge::nccl::abi
