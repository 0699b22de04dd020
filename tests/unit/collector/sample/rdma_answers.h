// SPDX-License-Identifier: MIT
#pragma once
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

/// What the kernel's RDMA netlink says, put together by hand as drivers/infiniband/core/nldev.c does it.
namespace flowgauge::sample::answers {

template <typename Value>
std::string bytesOf(const Value& value)
{
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

inline std::string attribute(std::uint16_t type, const std::string& bytes)
{
    const nlattr header{static_cast<std::uint16_t>(sizeof(nlattr) + bytes.size()), type};
    return bytesOf(header) + bytes + std::string((4 - bytes.size() % 4) % 4, '\0');
}
inline std::string number(std::uint16_t type, std::uint32_t value) { return attribute(type, bytesOf(value)); }
inline std::string text(std::uint16_t type, const std::string& value) { return attribute(type, value + '\0'); }
/// Kernels since 5.10 set the bit in some places and not in others.
inline std::string nest(std::uint16_t type, const std::string& inside, bool flag = true)
{
    return attribute(static_cast<std::uint16_t>(flag ? type | NLA_F_NESTED : type), inside);
}

inline std::string message(std::uint16_t type, std::uint32_t sequence, const std::string& body)
{
    const nlmsghdr header{static_cast<std::uint32_t>(sizeof(nlmsghdr) + body.size()), type, NLM_F_MULTI, sequence, 0};
    return bytesOf(header) + body + std::string((4 - body.size() % 4) % 4, '\0');
}

inline std::string device(std::uint32_t index, const std::string& name, std::uint32_t ports)
{
    return number(RDMA_NLDEV_ATTR_DEV_INDEX, index) + text(RDMA_NLDEV_ATTR_DEV_NAME, name) + number(RDMA_NLDEV_ATTR_PORT_INDEX, ports) +
           text(RDMA_NLDEV_ATTR_FW_VERSION, "28.39.1002");
}

inline std::string binding(rdma_nl_counter_mode mode, std::uint32_t mask = 0)
{
    std::string body = number(RDMA_NLDEV_ATTR_DEV_INDEX, 0) + text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0") +
                       number(RDMA_NLDEV_ATTR_PORT_INDEX, 1) + number(RDMA_NLDEV_ATTR_STAT_MODE, mode);
    if (mode == RDMA_COUNTER_MODE_AUTO) body += number(RDMA_NLDEV_ATTR_STAT_AUTO_MODE_MASK, mask);
    return body;
}

struct Value {
    std::string name;
    std::uint64_t value;
};
inline std::string values(const std::vector<Value>& all)
{
    std::string inside;
    for (const Value& one : all)
        inside += nest(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, text(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, one.name) +
                                                                 attribute(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, bytesOf(one.value)));
    return nest(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, inside);
}

/// One counter; whose: its process or kernel name as an attribute, "" where it is not told.
struct Bound {
    std::uint32_t port, id;
    std::string whose;
    std::vector<Value> values;
    int queuePairs = 1;
};
inline std::string process(std::uint32_t pid) { return number(RDMA_NLDEV_ATTR_RES_PID, pid); }

inline std::string entry(const Bound& bound)
{
    std::string pairs;
    for (int at = 0; at < bound.queuePairs; ++at)
        pairs += nest(RDMA_NLDEV_ATTR_RES_QP_ENTRY, number(RDMA_NLDEV_ATTR_RES_LQPN, 100U + static_cast<std::uint32_t>(at)));
    return nest(RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY,
                number(RDMA_NLDEV_ATTR_PORT_INDEX, bound.port) + number(RDMA_NLDEV_ATTR_STAT_COUNTER_ID, bound.id) +
                    number(RDMA_NLDEV_ATTR_STAT_MODE, RDMA_COUNTER_MODE_AUTO) + bound.whose + nest(RDMA_NLDEV_ATTR_RES_QP, pairs) +
                    values(bound.values),
                false);
}
inline std::string boundCounters(const std::vector<Bound>& all)
{
    std::string inside;
    for (const Bound& one : all) inside += entry(one);
    return number(RDMA_NLDEV_ATTR_DEV_INDEX, 0) + text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0") +
           nest(RDMA_NLDEV_ATTR_STAT_COUNTER, inside, false);
}

}  // namespace flowgauge::sample::answers
