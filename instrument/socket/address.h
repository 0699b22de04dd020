// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/text.h"

#include <sys/socket.h>

namespace flowgauge::sockets {

/// "tcp 10.0.0.1:40000 -> [2001:db8::2]:443"
using ConnectionName = buffer::Text<128>;

/// Adds "10.0.0.1:443", "[2001:db8::2]:443", or "?" for an address of another family. An IPv4 address inside IPv6 (::ffff:a.b.c.d) is
/// written as IPv4: both sides of a connection then write it alike.
void addAddress(ConnectionName& into, const sockaddr_storage& address);

/// The name of a connection, its own side first. Two system calls; what the kernel does not tell any more is a "?".
void nameConnection(int fd, ConnectionName& into);

}  // namespace flowgauge::sockets
