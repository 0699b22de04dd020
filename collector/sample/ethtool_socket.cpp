// SPDX-License-Identifier: MIT
#include "collector/sample/ethtool_socket.h"

#include "collector/record/raw.h"

#include <linux/ethtool.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <array>
#include <cstring>

namespace flowgauge::sample {
namespace {

static_assert(EthtoolStrings::bytesEach == ETH_GSTRING_LEN);

/// The kernel writes as many as the driver has by then, however many were asked for (net/ethtool/ioctl.c, ethtool_get_stats): room for
/// queues that are added between the question for their number and this one.
constexpr std::size_t roomForMore = 16'384;
constexpr std::size_t mostStatistics = 65'536;

}  // namespace

std::string_view EthtoolStrings::operator[](std::size_t at) const
{
    const std::string_view name(m_bytes.data() + at * bytesEach, bytesEach);
    return upTo(name, name.find('\0'));
}

bool EthtoolSocket::ask(std::string_view interface, void* request) const
{
    ifreq asked = {};
    if (!m_socket.isOpen() || interface.size() >= sizeof asked.ifr_name) return false;
    std::memcpy(asked.ifr_name, interface.data(), interface.size());
    asked.ifr_data = static_cast<char*>(request);
    return raw::call(SYS_ioctl, m_socket.descriptor(), SIOCETHTOOL, &asked) == 0;
}

std::size_t EthtoolSocket::count(std::string_view interface) const
{
    alignas(ethtool_sset_info) std::array<char, sizeof(ethtool_sset_info) + sizeof(std::uint32_t)> bytes{};
    ethtool_sset_info asked = {};
    asked.cmd = ETHTOOL_GSSET_INFO;
    asked.sset_mask = std::uint64_t{1} << ETH_SS_STATS;
    std::memcpy(bytes.data(), &asked, sizeof asked);
    if (!ask(interface, bytes.data())) return 0;
    std::memcpy(&asked, bytes.data(), sizeof asked);
    std::uint32_t count = 0;  // stands behind it, if the driver has any
    std::memcpy(&count, bytes.data() + sizeof asked, sizeof count);
    return asked.sset_mask != 0 && count <= mostStatistics ? count : 0;
}

EthtoolStrings EthtoolSocket::names(std::string_view interface, Scratch& scratch) const
{
    const std::size_t expected = count(interface);
    if (expected == 0 || !scratch.reserve(sizeof(ethtool_gstrings) + (expected + roomForMore) * ETH_GSTRING_LEN)) return {};
    ethtool_gstrings header = {};
    header.cmd = ETHTOOL_GSTRINGS;
    header.string_set = ETH_SS_STATS;
    header.len = static_cast<std::uint32_t>(expected);
    std::memcpy(scratch.data(), &header, sizeof header);
    if (!ask(interface, scratch.data())) return {};
    std::memcpy(&header, scratch.data(), sizeof header);
    return EthtoolStrings({scratch.data() + sizeof header, std::size_t{header.len} * ETH_GSTRING_LEN});
}

std::span<const std::uint64_t> EthtoolSocket::values(std::string_view interface, Scratch& scratch) const
{
    const std::size_t expected = count(interface);
    if (expected == 0 || !scratch.reserve(sizeof(ethtool_stats) + (expected + roomForMore) * sizeof(std::uint64_t))) return {};
    ethtool_stats header = {};
    header.cmd = ETHTOOL_GSTATS;
    header.n_stats = static_cast<std::uint32_t>(expected);
    std::memcpy(scratch.data(), &header, sizeof header);
    if (!ask(interface, scratch.data())) return {};
    std::memcpy(&header, scratch.data(), sizeof header);
    return {reinterpret_cast<const std::uint64_t*>(scratch.data() + sizeof header), header.n_stats};  // mapped memory: aligned
}

}  // namespace flowgauge::sample
