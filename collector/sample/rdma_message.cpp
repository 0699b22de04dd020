// SPDX-License-Identifier: MIT
#include "collector/sample/rdma_message.h"

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <cstring>

namespace flowgauge::sample {
namespace {

constexpr std::uint32_t aligned(std::uint32_t bytes) { return (bytes + 3U) & ~3U; }

/// What follows the first `bytes`; the last of a block may come without the bytes that align it.
std::span<const char> behind(std::span<const char> block, std::size_t bytes)
{
    return block.subspan(bytes < block.size() ? bytes : block.size());
}

template <typename Number>
bool take(std::span<const char> bytes, Number& into)
{
    if (bytes.size() != sizeof into) return false;
    std::memcpy(&into, bytes.data(), sizeof into);
    return true;
}

/// What an attribute nests; none where it is missing.
std::span<const char> nested(std::span<const char> block, std::uint16_t type)
{
    RdmaAttributes attributes(block);
    for (RdmaAttribute one; attributes.next(one);)
        if (one.type == type) return one.bytes;
    return {};
}

}  // namespace

bool NetlinkMessage::isEnd() const { return type == NLMSG_DONE || type == NLMSG_ERROR; }

int NetlinkMessage::error() const
{
    std::int32_t told = 0;
    if (!isEnd() || body.size() < sizeof told) return 0;
    std::memcpy(&told, body.data(), sizeof told);
    return told < 0 && told > -4096 ? -told : 0;
}

bool NetlinkMessages::next(NetlinkMessage& into)
{
    nlmsghdr header;
    if (m_rest.size() < sizeof header) return false;
    std::memcpy(&header, m_rest.data(), sizeof header);
    if (header.nlmsg_len < sizeof header || header.nlmsg_len > m_rest.size()) return false;
    into = {header.nlmsg_type, header.nlmsg_seq, m_rest.subspan(sizeof header, header.nlmsg_len - sizeof header)};
    m_rest = behind(m_rest, aligned(header.nlmsg_len));
    return true;
}

bool RdmaAttribute::number(std::uint32_t& into) const { return take(bytes, into); }
bool RdmaAttribute::number(std::uint64_t& into) const { return take(bytes, into); }

std::string_view RdmaAttribute::text() const
{
    const std::string_view all(bytes.data(), bytes.size());
    const std::size_t end = all.find('\0');
    return {all.data(), end < all.size() ? end : all.size()};
}

bool RdmaAttributes::next(RdmaAttribute& into)
{
    nlattr header;
    if (m_rest.size() < sizeof header) return false;
    std::memcpy(&header, m_rest.data(), sizeof header);
    if (header.nla_len < sizeof header || header.nla_len > m_rest.size()) {
        m_rest = {};
        return false;
    }
    into = {static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK), m_rest.subspan(sizeof header, header.nla_len - sizeof header)};
    m_rest = behind(m_rest, aligned(header.nla_len));
    return true;
}

bool parseRdmaDevice(std::span<const char> body, RdmaDevice& into)
{
    into = {};
    bool indexed = false, counted = false;
    RdmaAttributes attributes(body);
    for (RdmaAttribute one; attributes.next(one);) {
        if (one.type == RDMA_NLDEV_ATTR_DEV_INDEX) indexed = one.number(into.index);
        if (one.type == RDMA_NLDEV_ATTR_PORT_INDEX) counted = one.number(into.ports);  // in this answer: how many there are
        if (one.type == RDMA_NLDEV_ATTR_DEV_NAME) into.name = one.text();
    }
    return indexed && counted && !into.name.empty();
}

bool parseBinding(std::span<const char> body, CounterBinding& into)
{
    std::uint32_t mode = RDMA_COUNTER_MODE_MAX, mask = 0;
    RdmaAttributes attributes(body);
    for (RdmaAttribute one; attributes.next(one);) {
        if (one.type == RDMA_NLDEV_ATTR_STAT_MODE) static_cast<void>(one.number(mode));
        if (one.type == RDMA_NLDEV_ATTR_STAT_AUTO_MODE_MASK) static_cast<void>(one.number(mask));
    }
    if (mode >= RDMA_COUNTER_MODE_MAX) return false;
    const CounterBinding automatic = (mask & RDMA_COUNTER_MASK_PID) != 0 ? CounterBinding::ByProcess : CounterBinding::ByType;
    into = mode == RDMA_COUNTER_MODE_NONE ? CounterBinding::None : mode == RDMA_COUNTER_MODE_AUTO ? automatic : CounterBinding::ByHand;
    return true;
}

BoundCounters::BoundCounters(std::span<const char> body) : m_entries(nested(body, RDMA_NLDEV_ATTR_STAT_COUNTER)) {}

/// An entry without a port, a number or values is passed over.
bool BoundCounters::next(BoundCounter& into)
{
    for (RdmaAttribute entry; m_entries.next(entry);) {
        if (entry.type != RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY) continue;
        into = {};
        bool placed = false, named = false;
        RdmaAttributes attributes(entry.bytes);
        for (RdmaAttribute one; attributes.next(one);) {
            if (one.type == RDMA_NLDEV_ATTR_PORT_INDEX) placed = one.number(into.port);
            if (one.type == RDMA_NLDEV_ATTR_STAT_COUNTER_ID) named = one.number(into.id);
            if (one.type == RDMA_NLDEV_ATTR_RES_PID) static_cast<void>(one.number(into.process));
            if (one.type == RDMA_NLDEV_ATTR_RES_KERN_NAME) into.kernelName = one.text();
            if (one.type == RDMA_NLDEV_ATTR_STAT_HWCOUNTERS) into.values = one.bytes;
        }
        if (placed && named && !into.values.empty()) return true;
    }
    return false;
}

std::span<const char> portValues(std::span<const char> body) { return nested(body, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS); }

bool NamedValues::next(NamedValue& into)
{
    for (RdmaAttribute entry; m_entries.next(entry);) {
        if (entry.type != RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY) continue;
        into = {};
        bool valued = false;
        RdmaAttributes attributes(entry.bytes);
        for (RdmaAttribute one; attributes.next(one);) {
            if (one.type == RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME) into.name = one.text();
            if (one.type == RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE) valued = one.number(into.value);
        }
        if (valued && !into.name.empty()) return true;
    }
    return false;
}

}  // namespace flowgauge::sample
