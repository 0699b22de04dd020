// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

/// What the kernel answers to questions about RDMA devices (NETLINK_RDMA, client NLDEV; kernel drivers/infiniband/core/nldev.c). Reads in
/// place: nothing is copied, an attribute that is not known is passed over, and one whose length lies ends its block.
namespace flowgauge::sample {

struct NetlinkMessage {
    std::uint16_t type = 0;
    std::uint32_t sequence = 0;
    std::span<const char> body;
    /// errno that an error or the end of a list carries; 0: none.
    [[nodiscard]] int error() const;
    [[nodiscard]] bool isEnd() const;  ///< an error, an acknowledgement, or the end of a list
};

/// The messages of one datagram.
class NetlinkMessages {
public:
    explicit NetlinkMessages(std::span<const char> datagram) : m_rest(datagram) {}
    bool next(NetlinkMessage& into);

private:
    std::span<const char> m_rest;
};

struct RdmaAttribute {
    std::uint16_t type = 0;  ///< without the bits for nesting and byte order: kernels differ in setting them
    std::span<const char> bytes;
    /// False, and `into` untouched, when it is not as long as the number.
    [[nodiscard]] bool number(std::uint32_t& into) const;
    [[nodiscard]] bool number(std::uint64_t& into) const;
    [[nodiscard]] std::string_view text() const;  ///< up to its zero
};

/// The attributes of a message, or within one that nests.
class RdmaAttributes {
public:
    explicit RdmaAttributes(std::span<const char> block) : m_rest(block) {}
    bool next(RdmaAttribute& into);

private:
    std::span<const char> m_rest;
};

/// A device, as RDMA_NLDEV_CMD_GET tells it.
struct RdmaDevice {
    std::uint32_t index = 0, ports = 0;
    std::string_view name;
};
/// False where index, name or number of ports is missing.
[[nodiscard]] bool parseRdmaDevice(std::span<const char> body, RdmaDevice& into);

/// How counters are bound to the queue pairs of a port (rdma_nl_counter_mode).
enum class CounterBinding : std::uint8_t {
    None,       ///< nothing is bound; a driver that has no such counters looks just the same
    ByProcess,  ///< a counter for each process, maybe for each of its types of queue pairs
    ByType,     ///< the kernel does not tell whose a counter is
    ByHand,     ///< nor here
};
/// From the answer about a port's mode. False where it tells none that is known.
[[nodiscard]] bool parseBinding(std::span<const char> body, CounterBinding& into);

/// One counter set that is bound to queue pairs.
struct BoundCounter {
    std::uint32_t port = 0, id = 0;  ///< id: of the set within its device; taken again once it is free
    /// As this pid namespace counts. 0: not told (bound by type or by hand; ended; of another namespace, since 5.7 — before, the kernel
    /// leaves such a counter out).
    std::uint32_t process = 0;
    std::string_view kernelName;   ///< of a user within the kernel ("nvme_rdma"), or ""
    std::span<const char> values;  ///< for NamedValues
};

/// The bound counters in one message of the dump (RDMA_NLDEV_CMD_STAT_GET with STAT_RES = RES_QP).
class BoundCounters {
public:
    explicit BoundCounters(std::span<const char> body);
    bool next(BoundCounter& into);

private:
    RdmaAttributes m_entries;
};

/// The values of a port in the answer to RDMA_NLDEV_CMD_STAT_GET without STAT_RES; none where it tells none.
[[nodiscard]] std::span<const char> portValues(std::span<const char> body);

struct NamedValue {
    std::string_view name;  ///< as the driver calls it: the name of its file in hw_counters
    std::uint64_t value = 0;
};
class NamedValues {
public:
    explicit NamedValues(std::span<const char> values) : m_entries(values) {}
    bool next(NamedValue& into);

private:
    RdmaAttributes m_entries;
};

}  // namespace flowgauge::sample
