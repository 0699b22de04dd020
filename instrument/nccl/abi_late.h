// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/abi.h"

/// v4 (NCCL 2.27), v5 (2.28), v6 (2.29 and later): the communicator is told once, in init.
namespace flowgauge::nccl::abi {

namespace v4 {
struct Coll {
    std::uint64_t seqNumber;
    const char* func;
    const void* sendBuff;
    void* recvBuff;
    std::size_t count;
    int root;
    const char* datatype;
    std::uint8_t nChannels, nWarps;
    const char* algo;
    const char* proto;
};
struct P2p {
    const char* func;
    void* buff;
    const char* datatype;
    std::size_t count;
    int peer;
    std::uint8_t nChannels;
};
struct KernelCh {
    std::uint8_t channelId;
    std::uint64_t pTimer;
};
struct Descriptor {
    static constexpr int version = 4;
    std::uint8_t type;
    void* parentObj;
    int rank;
    union {
        Coll coll;
        P2p p2p;
        ProxyOp proxyOp;
        ProxyStep proxyStep;
        KernelCh kernelCh;
        NetPlugin netPlugin;
    };
};
using Table = abi::Table<InitV4, Descriptor, LateStateArgs>;

static_assert(sizeof(Descriptor) == 104 && offsetof(Descriptor, parentObj) == 8 && offsetof(Descriptor, coll) == 24);
static_assert(offsetof(Coll, func) + 24 == 32 && offsetof(Coll, sendBuff) + 24 == 40 && offsetof(Coll, recvBuff) + 24 == 48);
static_assert(offsetof(Coll, count) + 24 == 56 && offsetof(Coll, root) + 24 == 64 && offsetof(Coll, datatype) + 24 == 72);
static_assert(offsetof(Coll, nChannels) + 24 == 80 && offsetof(Coll, nWarps) + 24 == 81 && offsetof(Coll, algo) + 24 == 88);
static_assert(offsetof(Coll, proto) + 24 == 96);
static_assert(offsetof(P2p, buff) + 24 == 32 && offsetof(P2p, datatype) + 24 == 40 && offsetof(P2p, count) + 24 == 48);
static_assert(offsetof(P2p, peer) + 24 == 56 && offsetof(P2p, nChannels) + 24 == 60 && offsetof(KernelCh, pTimer) + 24 == 32);
}  // namespace v4

namespace v5 {
struct Coll {
    std::uint64_t seqNumber;
    const char* func;
    const void* sendBuff;
    void* recvBuff;
    std::size_t count;
    int root;
    const char* datatype;
    std::uint8_t nChannels, nWarps;
    const char* algo;
    const char* proto;
    void* parentGroup;
};
struct P2p {
    const char* func;
    void* buff;
    const char* datatype;
    std::size_t count;
    int peer;
    std::uint8_t nChannels;
    void* parentGroup;
};
struct GroupApi {
    bool graphCaptured;
    int groupDepth;
};
struct CollApi {
    const char* func;
    std::size_t count;
    const char* datatype;
    int root;
    void* stream;
    bool graphCaptured;
};
struct P2pApi {
    const char* func;
    std::size_t count;
    const char* datatype;
    void* stream;
    bool graphCaptured;
};
struct KernelLaunch {
    void* stream;
};
struct Descriptor {
    static constexpr int version = 5;
    std::uint64_t type;
    void* parentObj;
    int rank;
    union {
        GroupApi groupApi;
        CollApi collApi;
        P2pApi p2pApi;
        KernelLaunch kernelLaunch;
        Coll coll;
        P2p p2p;
        ProxyOp proxyOp;
        ProxyStep proxyStep;
        v4::KernelCh kernelCh;
        NetPlugin netPlugin;
    };
};
using Table = abi::Table<InitV5, Descriptor, LateStateArgs>;

static_assert(sizeof(Descriptor) == 112 && offsetof(Descriptor, parentObj) == 8 && offsetof(Descriptor, coll) == 24);
static_assert(offsetof(Coll, proto) + 24 == 96 && offsetof(Coll, parentGroup) + 24 == 104 && offsetof(P2p, parentGroup) + 24 == 64);
static_assert(offsetof(GroupApi, groupDepth) + 24 == 28);
static_assert(offsetof(CollApi, count) + 24 == 32 && offsetof(CollApi, datatype) + 24 == 40 && offsetof(CollApi, root) + 24 == 48);
static_assert(offsetof(CollApi, stream) + 24 == 56 && offsetof(CollApi, graphCaptured) + 24 == 64);
static_assert(offsetof(P2pApi, datatype) + 24 == 40 && offsetof(P2pApi, stream) + 24 == 48 && offsetof(P2pApi, graphCaptured) + 24 == 56);
}  // namespace v5

namespace v6 {
/// A collective carried out by copy engines: no kernel, and never a recordEventState.
struct CeColl {
    std::uint64_t seqNumber;
    const char* func;
    const void* sendBuff;
    void* recvBuff;
    std::size_t count;
    int root;
    const char* datatype;
    const char* syncStrategy;
    bool intraBatchSync;
    std::uint32_t batchSize, numBatches, ceSeqNum;
    void* stream;
};
struct Descriptor {
    static constexpr int version = 6;
    std::uint64_t type;
    void* parentObj;
    int rank;
    union {
        v5::GroupApi groupApi;
        v5::CollApi collApi;
        v5::P2pApi p2pApi;
        v5::KernelLaunch kernelLaunch;
        v5::Coll coll;
        v5::P2p p2p;
        ProxyOp proxyOp;
        ProxyStep proxyStep;
        v4::KernelCh kernelCh;
        NetPlugin netPlugin;
        CeColl ceColl;
    };
};
using Table = abi::Table<InitV5, Descriptor, LateStateArgs>;

static_assert(sizeof(Descriptor) == 112 && offsetof(Descriptor, parentObj) == 8 && offsetof(Descriptor, coll) == 24);
static_assert(offsetof(CeColl, count) + 24 == 56 && offsetof(CeColl, root) + 24 == 64 && offsetof(CeColl, datatype) + 24 == 72);
static_assert(offsetof(CeColl, syncStrategy) + 24 == 80 && offsetof(CeColl, intraBatchSync) + 24 == 88);
static_assert(offsetof(CeColl, batchSize) + 24 == 92 && offsetof(CeColl, numBatches) + 24 == 96 && offsetof(CeColl, ceSeqNum) + 24 == 100);
static_assert(offsetof(CeColl, stream) + 24 == 104);
}  // namespace v6

}  // namespace flowgauge::nccl::abi
