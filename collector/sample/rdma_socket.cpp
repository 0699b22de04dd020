// SPDX-License-Identifier: MIT
#include "collector/sample/rdma_socket.h"

#include "collector/record/raw.h"

#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <sys/socket.h>

namespace flowgauge::sample {
namespace {

int openRdma(KernelSocket& socket) { return socket.open(NETLINK_RDMA); }

long sendTo(const KernelSocket& socket, std::span<const char> question)
{
    return raw::call(SYS_sendto, socket.descriptor(), question.data(), question.size(), MSG_DONTWAIT, nullptr, 0);
}

long receiveFrom(const KernelSocket& socket, std::span<char> into)
{
    return raw::call(SYS_recvfrom, socket.descriptor(), into.data(), into.size(), MSG_DONTWAIT, nullptr, nullptr);
}

/// As the kernel reads it: a header, and numbers that are an attribute each.
struct QuestionBytes {
    struct Number {
        nlattr header;
        std::uint32_t value;
    };
    nlmsghdr header;
    std::array<Number, 4> numbers;
};
static_assert(sizeof(QuestionBytes) == sizeof(nlmsghdr) + 4 * (sizeof(nlattr) + sizeof(std::uint32_t)),
              "attributes follow each other without a gap");

}  // namespace

constinit const RdmaKernel rdmaKernel{true, openRdma, sendTo, receiveFrom};

RdmaQuestion everyDevice() { return {RDMA_NLDEV_CMD_GET, true, {}, 0}; }

RdmaQuestion bindingOf(std::uint32_t device, std::uint32_t port)
{
    // STAT_MODE has to be there; its value is not looked at.
    return {RDMA_NLDEV_CMD_STAT_GET,
            false,
            {{{RDMA_NLDEV_ATTR_DEV_INDEX, device},
              {RDMA_NLDEV_ATTR_PORT_INDEX, port},
              {RDMA_NLDEV_ATTR_STAT_RES, RDMA_NLDEV_ATTR_RES_QP},
              {RDMA_NLDEV_ATTR_STAT_MODE, 0}}},
            4};
}

RdmaQuestion boundCountersOf(std::uint32_t device)
{
    return {RDMA_NLDEV_CMD_STAT_GET, true, {{{RDMA_NLDEV_ATTR_DEV_INDEX, device}, {RDMA_NLDEV_ATTR_STAT_RES, RDMA_NLDEV_ATTR_RES_QP}}}, 2};
}

RdmaQuestion countersOf(std::uint32_t device, std::uint32_t port)
{
    return {RDMA_NLDEV_CMD_STAT_GET, false, {{{RDMA_NLDEV_ATTR_DEV_INDEX, device}, {RDMA_NLDEV_ATTR_PORT_INDEX, port}}}, 2};
}

int RdmaSocket::send(const RdmaQuestion& question)
{
    QuestionBytes bytes{};
    const std::size_t size = sizeof bytes.header + question.count * sizeof bytes.numbers[0];
    bytes.header.nlmsg_len = static_cast<std::uint32_t>(size);
    bytes.header.nlmsg_type = static_cast<std::uint16_t>(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, question.command));
    bytes.header.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | (question.list ? NLM_F_DUMP : 0));
    bytes.header.nlmsg_seq = ++m_sequence;
    for (std::size_t at = 0; at < question.count; ++at)
        bytes.numbers[at] = {{sizeof bytes.numbers[at], question.numbers[at].attribute}, question.numbers[at].value};
    const long sent = m_kernel->send(m_socket, {reinterpret_cast<const char*>(&bytes), size});
    return sent < 0 ? static_cast<int>(-sent) : 0;
}

int RdmaSocket::restart(int error)
{
    close();
    static_cast<void>(open());
    return error;
}

}  // namespace flowgauge::sample
