// SPDX-License-Identifier: MIT
#include "collector/sample/kernel_socket.h"

#include "collector/buffer/descriptor.h"
#include "collector/record/raw.h"

#include <linux/netlink.h>
#include <sys/socket.h>

namespace flowgauge::sample {

static_assert(NETLINK_ROUTE == 0, "the default of open()");

int KernelSocket::open(int protocol)
{
    close();
    const long low = raw::call(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
    if (low < 0) return static_cast<int>(-low);
    m_fd = buffer::moveHigh(static_cast<int>(low));
    m_owner = raw::processId();
    return 0;
}

void KernelSocket::close()
{
    if (m_fd >= 0 && m_owner == raw::processId()) raw::close(m_fd);
    m_fd = -1;
}

}  // namespace flowgauge::sample
