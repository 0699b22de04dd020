// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/abi.h"

/// v1 (NCCL 2.23), v2 (2.24, 2.25), v3 (2.26): each event names its communicator.
namespace flowgauge::nccl::abi {

namespace v1 {
struct Coll {
    const char* name;
    std::uint64_t commHash, seqNumber;
    std::uint8_t func;
    const void* sendBuff;
    void* recvBuff;
    std::size_t count;
    int root;
    std::uint8_t datatype;
    std::uint32_t op;
    std::size_t trafficBytes;
    std::uint8_t nMaxChannels, nWarps, algo, proto;
    int isCollnet, isNvls;
};
struct P2p {
    const char* name;
    std::uint64_t commHash;
    std::uint8_t func;
    void* buff;
    std::uint8_t datatype;
    std::size_t count;
    int peer;
};
struct Descriptor {
    static constexpr int version = 1;
    std::uint8_t type;
    void* parentObj;
    int rank;
    union {
        Coll coll;
        P2p p2p;
        ProxyOp proxyOp;
        ProxyStep proxyStep;
    };
};
using Table = abi::Table<InitAlone, Descriptor, EarlyStateArgs>;

static_assert(sizeof(Descriptor) == 120 && offsetof(Descriptor, parentObj) == 8 && offsetof(Descriptor, rank) == 16);
static_assert(offsetof(Descriptor, coll) == 24 && offsetof(Coll, commHash) + 24 == 32 && offsetof(Coll, seqNumber) + 24 == 40);
static_assert(offsetof(Coll, func) + 24 == 48 && offsetof(Coll, sendBuff) + 24 == 56 && offsetof(Coll, recvBuff) + 24 == 64);
static_assert(offsetof(Coll, count) + 24 == 72 && offsetof(Coll, root) + 24 == 80 && offsetof(Coll, datatype) + 24 == 84);
static_assert(offsetof(Coll, op) + 24 == 88 && offsetof(Coll, trafficBytes) + 24 == 96 && offsetof(Coll, nMaxChannels) + 24 == 104);
static_assert(offsetof(Coll, nWarps) + 24 == 105 && offsetof(Coll, algo) + 24 == 106 && offsetof(Coll, proto) + 24 == 107);
static_assert(offsetof(Coll, isCollnet) + 24 == 108 && offsetof(Coll, isNvls) + 24 == 112);
static_assert(offsetof(P2p, commHash) + 24 == 32 && offsetof(P2p, func) + 24 == 40 && offsetof(P2p, buff) + 24 == 48);
static_assert(offsetof(P2p, datatype) + 24 == 56 && offsetof(P2p, count) + 24 == 64 && offsetof(P2p, peer) + 24 == 72);
static_assert(offsetof(ProxyOp, channelId) + 24 == 28 && offsetof(ProxyOp, peer) + 24 == 32 && offsetof(ProxyOp, nSteps) + 24 == 36);
static_assert(offsetof(ProxyOp, chunkSize) + 24 == 40 && offsetof(ProxyOp, isSend) + 24 == 44);
}  // namespace v1

namespace v2 {
struct Coll {
    const char* name;
    std::uint64_t commHash, seqNumber;
    const char* func;
    const void* sendBuff;
    void* recvBuff;
    std::size_t count;
    int root;
    const char* datatype;
    std::size_t trafficBytes;
    std::uint8_t nMaxChannels, nWarps;
    const char* algo;
    const char* proto;
};
struct P2p {
    const char* name;
    std::uint64_t commHash;
    const char* func;
    void* buff;
    const char* datatype;
    std::size_t count;
    int peer;
};
struct Descriptor {
    static constexpr int version = 2;
    std::uint8_t type;
    void* parentObj;
    int rank;
    union {
        Coll coll;
        P2p p2p;
        ProxyOp proxyOp;
        ProxyStep proxyStep;
    };
};
using Table = abi::Table<InitAlone, Descriptor, EarlyStateArgs>;

static_assert(sizeof(Descriptor) == 128 && offsetof(Descriptor, parentObj) == 8 && offsetof(Descriptor, coll) == 24);
static_assert(offsetof(Coll, commHash) + 24 == 32 && offsetof(Coll, seqNumber) + 24 == 40 && offsetof(Coll, func) + 24 == 48);
static_assert(offsetof(Coll, sendBuff) + 24 == 56 && offsetof(Coll, recvBuff) + 24 == 64 && offsetof(Coll, count) + 24 == 72);
static_assert(offsetof(Coll, root) + 24 == 80 && offsetof(Coll, datatype) + 24 == 88 && offsetof(Coll, trafficBytes) + 24 == 96);
static_assert(offsetof(Coll, nMaxChannels) + 24 == 104 && offsetof(Coll, nWarps) + 24 == 105);
static_assert(offsetof(Coll, algo) + 24 == 112 && offsetof(Coll, proto) + 24 == 120);
static_assert(offsetof(P2p, func) + 24 == 40 && offsetof(P2p, buff) + 24 == 48 && offsetof(P2p, datatype) + 24 == 56);
static_assert(offsetof(P2p, count) + 24 == 64 && offsetof(P2p, peer) + 24 == 72);
}  // namespace v2

namespace v3 {
struct Coll {
    const char* name;
    std::uint64_t commHash, seqNumber;
    const char* func;
    const void* sendBuff;
    void* recvBuff;
    std::size_t count;
    int root;
    const char* datatype;
    std::uint8_t nMaxChannels, nWarps;
    const char* algo;
    const char* proto;
};
using P2p = v2::P2p;
struct KernelCh {
    std::uint8_t channelId;
};
struct Descriptor {
    static constexpr int version = 3;
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
using Table = abi::Table<InitAlone, Descriptor, EarlyStateArgs>;

static_assert(sizeof(Descriptor) == 120 && offsetof(Descriptor, parentObj) == 8 && offsetof(Descriptor, coll) == 24);
static_assert(offsetof(Coll, count) + 24 == 72 && offsetof(Coll, root) + 24 == 80 && offsetof(Coll, datatype) + 24 == 88);
static_assert(offsetof(Coll, nMaxChannels) + 24 == 96 && offsetof(Coll, nWarps) + 24 == 97 && offsetof(Coll, algo) + 24 == 104);
static_assert(offsetof(Coll, proto) + 24 == 112 && offsetof(NetPlugin, data) + 24 == 32);
}  // namespace v3

}  // namespace flowgauge::nccl::abi
