// SPDX-License-Identifier: MIT
#include "collector/sample/route_socket.h"

#include "collector/record/raw.h"

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <array>
#include <cstring>

namespace flowgauge::sample {
namespace {

struct Question {
    nlmsghdr header;
    if_stats_msg body;
};
static_assert(sizeof(Question) == NLMSG_ALIGN(sizeof(Question)), "questions follow each other without a gap");

/// An answer holds two headers and rtnl_link_stats64, which grows with the kernel: 25 numbers in 6.x.
constexpr std::size_t answerBytes = 1024;

/// The kernel may print more numbers than this build knows, or fewer (before 4.7 there were 23).
void takeStats(std::span<const char> attributes, LinkCounters& into)
{
    rtnl_link_stats64 stats = {};
    while (attributes.size() >= sizeof(rtattr)) {
        rtattr attribute;
        std::memcpy(&attribute, attributes.data(), sizeof attribute);
        if (attribute.rta_len < sizeof attribute || attribute.rta_len > attributes.size()) return;
        const std::size_t length = attribute.rta_len - sizeof attribute;
        if (attribute.rta_type == IFLA_STATS_LINK_64) {
            std::memcpy(&stats, attributes.data() + sizeof attribute, length < sizeof stats ? length : sizeof stats);
            // /proc/net/dev and every tool that reads it count a missed packet as dropped.
            into = {into.index,     stats.rx_bytes,  stats.rx_packets, stats.rx_errors, stats.rx_dropped + stats.rx_missed_errors,
                    stats.tx_bytes, stats.tx_packets};
            return;
        }
        const std::size_t step = RTA_ALIGN(attribute.rta_len);
        attributes = attributes.subspan(step < attributes.size() ? step : attributes.size());
    }
}

}  // namespace

int RouteSocket::indexOf(std::string_view name) const
{
    ifreq request = {};
    if (!m_socket.isOpen() || name.size() >= sizeof request.ifr_name) return 0;
    std::memcpy(request.ifr_name, name.data(), name.size());
    return raw::call(SYS_ioctl, m_socket.descriptor(), SIOCGIFINDEX, &request) == 0 ? request.ifr_ifindex : 0;
}

int RouteSocket::ask(std::span<LinkCounters> links)
{
    if (!m_socket.isOpen() || links.size() > mostLinks) return EINVAL;
    ++m_round;
    const int error = send(links);
    return error != 0 ? error : receive(links);
}

/// All questions in one message: the kernel answers each before the call returns.
int RouteSocket::send(std::span<const LinkCounters> links)
{
    std::array<Question, mostLinks> questions;
    for (std::size_t at = 0; at < links.size(); ++at) {
        questions[at] = {};
        questions[at].header = {sizeof(Question), RTM_GETSTATS, NLM_F_REQUEST, firstNumber() + static_cast<std::uint32_t>(at), 0};
        questions[at].body.ifindex = static_cast<std::uint32_t>(links[at].index);
        questions[at].body.filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64);
    }
    const long sent =
        raw::call(SYS_sendto, m_socket.descriptor(), questions.data(), links.size() * sizeof(Question), MSG_DONTWAIT, nullptr, 0);
    return sent < 0 ? static_cast<int>(-sent) : 0;
}

int RouteSocket::receive(std::span<LinkCounters> links)
{
    std::array<std::array<char, answerBytes>, mostLinks> answers;
    std::array<iovec, mostLinks> pieces;
    std::array<mmsghdr, mostLinks> messages{};
    for (std::size_t at = 0; at < links.size(); ++at) {
        pieces[at] = {answers[at].data(), answers[at].size()};
        messages[at].msg_hdr.msg_iov = &pieces[at];
        messages[at].msg_hdr.msg_iovlen = 1;
    }
    const long got = raw::call(SYS_recvmmsg, m_socket.descriptor(), messages.data(), links.size(), MSG_DONTWAIT, nullptr);
    if (got < 0) return static_cast<int>(-got);
    std::array<bool, mostLinks> answered{};
    for (std::size_t at = 0; at < static_cast<std::size_t>(got); ++at) {
        const std::span<const char> answer(answers[at].data(), messages[at].msg_len);
        nlmsghdr header = {};
        if (answer.size() < sizeof(Question)) continue;
        std::memcpy(&header, answer.data(), sizeof header);
        const std::uint32_t place = header.nlmsg_seq - firstNumber();
        // An error, the answer to an older question, or one that was cut.
        if (header.nlmsg_type != RTM_NEWSTATS || place >= links.size() || header.nlmsg_len > answer.size()) continue;
        takeStats(answer.subspan(sizeof(Question)), links[place]);
        answered[place] = true;
    }
    for (std::size_t at = 0; at < links.size(); ++at)
        if (!answered[at]) links[at].index = 0;
    return 0;
}

}  // namespace flowgauge::sample
