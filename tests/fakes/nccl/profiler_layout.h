// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

/// A stand-in's own knowledge of NCCL's profiler interface: byte offsets alone, so that it shares no declaration with the product.
namespace fake_nccl {

constexpr int none = -1;

/// Where each member lies in a descriptor, by version; none where the version has no such member.
struct Layout {
    std::size_t size;
    bool wideType;  ///< the type is 8 bytes, not 1
    bool numbers;   ///< functions, types, algorithms and protocols are numbers of one byte
    int collName, collHash, collSeq, collFunc, collCount, collRoot, collType, collChannels, collAlgo, collProto, collGroup;
    int p2pName, p2pHash, p2pFunc, p2pType, p2pCount, p2pPeer, p2pChannels, p2pGroup;
};

constexpr Layout layouts[] = {
    {},
    {120, false, true, 24, 32, 40, 48, 72, 80, 84, 104, 106, 107, none, 24, 32, 40, 56, 64, 72, none, none},
    {128, false, false, 24, 32, 40, 48, 72, 80, 88, 104, 112, 120, none, 24, 32, 40, 56, 64, 72, none, none},
    {120, false, false, 24, 32, 40, 48, 72, 80, 88, 96, 104, 112, none, 24, 32, 40, 56, 64, 72, none, none},
    {104, false, false, none, none, 24, 32, 56, 64, 72, 80, 88, 96, none, none, none, 24, 40, 48, 56, 60, none},
    {112, true, false, none, none, 24, 32, 56, 64, 72, 80, 88, 96, 104, none, none, 24, 40, 48, 56, 60, 64},
    {112, true, false, none, none, 24, 32, 56, 64, 72, 80, 88, 96, 104, none, none, 24, 40, 48, 56, 60, 64},
};

enum Type : std::uint64_t {
    group = 1,
    coll = 2,
    p2p = 4,
    proxyOp = 8,
    proxyStep = 16,
    proxyCtrl = 32,
    kernelCh = 64,
    netPlugin = 128,
    groupApi = 256,
    collApi = 512,
    p2pApi = 1024,
    kernelLaunch = 2048,
    ceColl = 4096,
};

/// A descriptor under construction. Bytes that no member covers are filled with a pattern, as a stack leaves them.
class Descriptor {
public:
    Descriptor(int version, std::uint64_t type, void* parent, int rank) : m_layout(layouts[version])
    {
        std::memset(m_bytes, 0xA5, sizeof m_bytes);
        if (m_layout.wideType)
            put(0, type);
        else
            put(0, static_cast<std::uint8_t>(type));
        put(8, parent);
        put(16, rank);
    }
    template <typename Value>
    void put(int offset, Value value)
    {
        if (offset != none) std::memcpy(m_bytes + offset, &value, sizeof value);
    }
    /// A word, or its number where the version has numbers.
    void word(int offset, const char* text, int number)
    {
        if (m_layout.numbers)
            put(offset, static_cast<std::uint8_t>(number));
        else
            put(offset, text);
    }
    [[nodiscard]] const Layout& at() const { return m_layout; }
    [[nodiscard]] void* bytes() { return m_bytes; }

private:
    const Layout& m_layout;
    alignas(16) unsigned char m_bytes[160];
};

}  // namespace fake_nccl
