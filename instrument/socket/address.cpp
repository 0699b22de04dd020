// SPDX-License-Identifier: MIT
#include "instrument/socket/address.h"

#include "collector/record/raw.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <array>
#include <cstring>

namespace flowgauge::sockets {
namespace {

/// Of IPv4 inside IPv6: ten zeros and two bytes of ones come before it.
constexpr std::size_t mappedAt = 12;

void addHost(ConnectionName& into, int family, const void* bytes)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    const raw::KeepErrno keep;
    into.add(::inet_ntop(family, bytes, text.data(), text.size()) != nullptr ? text.data() : "?");
}

void addIpv6(ConnectionName& into, const sockaddr_in6& address)
{
    if (IN6_IS_ADDR_V4MAPPED(&address.sin6_addr)) return addHost(into, AF_INET, address.sin6_addr.s6_addr + mappedAt);
    into.add("[");
    addHost(into, AF_INET6, &address.sin6_addr);
    into.add("]");
}

void addSide(ConnectionName& into, long call, int fd)
{
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (raw::call(call, fd, &address, &length) != 0) address.ss_family = AF_UNSPEC;
    addAddress(into, address);
}

}  // namespace

void addAddress(ConnectionName& into, const sockaddr_storage& address)
{
    in_port_t port = 0;
    if (address.ss_family == AF_INET) {
        sockaddr_in ipv4;
        std::memcpy(&ipv4, &address, sizeof ipv4);
        addHost(into, AF_INET, &ipv4.sin_addr);
        port = ipv4.sin_port;
    } else if (address.ss_family == AF_INET6) {
        sockaddr_in6 ipv6;
        std::memcpy(&ipv6, &address, sizeof ipv6);
        addIpv6(into, ipv6);
        port = ipv6.sin6_port;
    } else {
        into.add("?");
        return;
    }
    into.add(":").add(std::uint64_t{ntohs(port)});
}

void nameConnection(int fd, ConnectionName& into)
{
    into.clear();
    into.add("tcp ");
    addSide(into, SYS_getsockname, fd);
    into.add(" -> ");
    addSide(into, SYS_getpeername, fd);
}

}  // namespace flowgauge::sockets
