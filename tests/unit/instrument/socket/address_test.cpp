// SPDX-License-Identifier: MIT
#include "instrument/socket/address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <cstring>
#include <string>

namespace flowgauge::sockets {
namespace {

std::string textOf(int family, const char* host, in_port_t port)
{
    sockaddr_storage storage{};
    if (family == AF_INET6) {
        sockaddr_in6 address{};
        address.sin6_family = AF_INET6;
        address.sin6_port = htons(port);
        ::inet_pton(AF_INET6, host, &address.sin6_addr);
        std::memcpy(&storage, &address, sizeof address);
    } else {
        sockaddr_in address{};
        address.sin_family = static_cast<sa_family_t>(family);
        address.sin_port = htons(port);
        ::inet_pton(AF_INET, host, &address.sin_addr);
        std::memcpy(&storage, &address, sizeof address);
    }
    ConnectionName name;
    addAddress(name, storage);
    return name.text();
}

TEST(Address, IsWrittenAsItIsTyped)
{
    EXPECT_EQ(textOf(AF_INET, "10.0.0.1", 443), "10.0.0.1:443");
    EXPECT_EQ(textOf(AF_INET6, "2001:db8::2", 65535), "[2001:db8::2]:65535");
    EXPECT_EQ(textOf(AF_INET6, "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe", 1), "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe]:1");
}

TEST(Address, Ipv4InsideIpv6IsWrittenAsBothSidesKnowIt) { EXPECT_EQ(textOf(AF_INET6, "::ffff:10.0.0.1", 80), "10.0.0.1:80"); }

TEST(Address, OfAnotherFamilyIsAQuestionMark) { EXPECT_EQ(textOf(AF_UNIX, "1.2.3.4", 5), "?"); }

TEST(Address, OfAConnectionThatTheKernelDoesNotKnowStandsThere)
{
    ConnectionName name;
    nameConnection(-1, name);
    EXPECT_STREQ(name.text(), "tcp ? -> ?");
}

}  // namespace
}  // namespace flowgauge::sockets
