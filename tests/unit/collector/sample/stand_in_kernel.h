// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/rdma_socket.h"
#include "tests/unit/collector/sample/rdma_answers.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <deque>
#include <map>

namespace flowgauge::sample {

using namespace answers;

/// Stands where the kernel stands and answers by netlink. One at a time.
class StandInKernel {
public:
    StandInKernel() { current = this; }
    ~StandInKernel() { current = nullptr; }
    StandInKernel(const StandInKernel&) = delete;
    StandInKernel& operator=(const StandInKernel&) = delete;

    struct Port {
        rdma_nl_counter_mode mode = RDMA_COUNTER_MODE_NONE;
        std::uint32_t mask = 0;
        std::vector<Value> values{};  ///< of its hw_counters; none: the driver has none
    };
    struct Device {
        std::string name;
        std::vector<Port> ports;
        std::vector<std::vector<Bound>> parts{{}};  ///< of the list of its counters, a datagram each
    };
    std::vector<Device> devices;
    int refusesToOpen = 0, refusesModes = 0, refusesLists = 0;
    int opened = 0, lists = 0, questions = 0;

    static int open(KernelSocket&)
    {
        ++current->opened;
        return current->refusesToOpen;
    }
    static long send(const KernelSocket&, std::span<const char> question) { return current->take(question); }
    static long receive(const KernelSocket&, std::span<char> into) { return current->give(into); }
    static constexpr RdmaKernel kernel{false, open, send, receive};

private:
    long take(std::span<const char> question)
    {
        NetlinkMessages messages(question);
        NetlinkMessage asked;
        EXPECT_TRUE(messages.next(asked));
        std::map<int, std::uint32_t> numbers;
        RdmaAttributes attributes(asked.body);
        for (RdmaAttribute one; attributes.next(one);) EXPECT_TRUE(one.number(numbers[one.type]));
        m_answers.clear();
        const int command = RDMA_NL_GET_OP(asked.type);
        EXPECT_EQ(RDMA_NL_GET_CLIENT(asked.type), RDMA_NL_NLDEV);
        if (command == RDMA_NLDEV_CMD_GET) return answerDevices(asked);
        EXPECT_EQ(command, RDMA_NLDEV_CMD_STAT_GET) << "all that may ever be asked";
        const std::uint32_t device = numbers[RDMA_NLDEV_ATTR_DEV_INDEX];
        if (device >= devices.size()) return end(asked, NLMSG_ERROR, EINVAL);
        if (numbers.count(RDMA_NLDEV_ATTR_STAT_RES) == 0) return answerValues(asked, devices[device], numbers[RDMA_NLDEV_ATTR_PORT_INDEX]);
        EXPECT_EQ(numbers[RDMA_NLDEV_ATTR_STAT_RES], std::uint32_t{RDMA_NLDEV_ATTR_RES_QP});
        if (numbers.count(RDMA_NLDEV_ATTR_STAT_MODE) == 1) return answerMode(asked, devices[device], numbers[RDMA_NLDEV_ATTR_PORT_INDEX]);
        return answerList(asked, devices[device]);
    }
    long answerDevices(const NetlinkMessage& asked)
    {
        for (std::size_t at = 0; at < devices.size(); ++at)
            m_answers.push_back(
                message(asked.type, asked.sequence,
                        device(static_cast<std::uint32_t>(at), devices[at].name, static_cast<std::uint32_t>(devices[at].ports.size()))));
        return end(asked, NLMSG_DONE, 0);
    }
    long answerMode(const NetlinkMessage& asked, const Device& device, std::uint32_t port)
    {
        if (refusesModes != 0) return end(asked, NLMSG_ERROR, refusesModes);
        const Port& one = device.ports.at(port - 1);
        m_answers.push_back(message(asked.type, asked.sequence, binding(one.mode, one.mask)));
        return 0;
    }
    long answerValues(const NetlinkMessage& asked, const Device& device, std::uint32_t port)
    {
        ++questions;
        const Port& one = device.ports.at(port - 1);
        if (one.values.empty()) return end(asked, NLMSG_ERROR, EINVAL);
        m_answers.push_back(message(asked.type, asked.sequence, number(RDMA_NLDEV_ATTR_PORT_INDEX, port) + values(one.values)));
        return 0;
    }
    long answerList(const NetlinkMessage& asked, const Device& device)
    {
        ++lists;
        if (refusesLists != 0) return end(asked, NLMSG_ERROR, refusesLists);
        for (const std::vector<Bound>& part : device.parts)
            if (!part.empty() || device.parts.size() > 1) m_answers.push_back(message(asked.type, asked.sequence, boundCounters(part)));
        return end(asked, NLMSG_DONE, 0);
    }
    long end(const NetlinkMessage& asked, int type, int error)
    {
        m_answers.push_back(message(static_cast<std::uint16_t>(type), asked.sequence, bytesOf(std::int32_t{-error})));
        return 0;
    }
    long give(std::span<char> into)
    {
        if (m_answers.empty()) return -EAGAIN;
        const std::string answer = m_answers.front();
        m_answers.pop_front();
        EXPECT_LE(answer.size(), into.size());
        std::copy(answer.begin(), answer.end(), into.begin());
        return static_cast<long>(answer.size());
    }

    static inline StandInKernel* current = nullptr;
    std::deque<std::string> m_answers;
};

}  // namespace flowgauge::sample
