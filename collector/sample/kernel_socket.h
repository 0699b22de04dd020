// SPDX-License-Identifier: MIT
#pragma once

namespace flowgauge::sample {

/// A netlink socket: for questions about network interfaces by rtnetlink or by ioctl (any socket will do for those, and this kind is there
/// where IPv4 is not), or about RDMA devices. Of the network namespace of the thread that opened it. A child after fork leaves it alone.
class KernelSocket {
public:
    constexpr KernelSocket() = default;
    /// protocol: of netlink. 0, or errno (EPROTONOSUPPORT: this kernel, or this network namespace, has none).
    int open(int protocol = 0);
    void close();
    [[nodiscard]] bool isOpen() const { return m_fd >= 0; }
    [[nodiscard]] int descriptor() const { return m_fd; }

private:
    int m_fd = -1;
    int m_owner = 0;  ///< the process that opened it
};

}  // namespace flowgauge::sample
