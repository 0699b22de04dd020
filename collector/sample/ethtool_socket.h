// SPDX-License-Identifier: MIT
#pragma once
#include "collector/sample/kernel_socket.h"
#include "collector/sample/sys_root.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace flowgauge::sample {

/// A driver's names as the kernel gives them: 32 bytes each, filled up with zeros.
class EthtoolStrings {
public:
    static constexpr std::size_t bytesEach = 32;
    EthtoolStrings() = default;
    explicit EthtoolStrings(std::span<const char> bytes) : m_bytes(bytes) {}
    [[nodiscard]] std::size_t size() const { return m_bytes.size() / bytesEach; }
    [[nodiscard]] std::string_view operator[](std::size_t at) const;

private:
    std::span<const char> m_bytes;
};

/// What `ethtool -S` asks the kernel (SIOCETHTOOL): statistics of an interface's driver, in the network namespace of the thread that
/// opened it. It needs no privilege. The driver may ask its firmware, under a lock that who configures an interface holds too:
/// milliseconds.
class EthtoolSocket {
public:
    /// 0, or errno.
    int open() { return m_socket.open(); }
    void close() { m_socket.close(); }
    /// The names of all statistics, in the scratch; none where the driver has none.
    [[nodiscard]] EthtoolStrings names(std::string_view interface, Scratch& scratch) const;
    /// Their values in the same order, in the scratch; as many as there are by now, none when refused.
    [[nodiscard]] std::span<const std::uint64_t> values(std::string_view interface, Scratch& scratch) const;

private:
    [[nodiscard]] bool ask(std::string_view interface, void* request) const;
    [[nodiscard]] std::size_t count(std::string_view interface) const;
    KernelSocket m_socket;
};

}  // namespace flowgauge::sample
