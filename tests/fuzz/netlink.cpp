// SPDX-License-Identifier: MIT
#include "collector/sample/rdma_message.h"

#include <cstdlib>

using namespace flowgauge::sample;

namespace {

/// Aborts where a piece does not lie within the whole: nothing may be read that the kernel did not send.
void demandWithin(std::span<const char> whole, std::span<const char> piece)
{
    if (piece.empty()) return;
    if (piece.data() < whole.data() || piece.data() + piece.size() > whole.data() + whole.size()) std::abort();
}

std::size_t walkValues(std::span<const char> whole, std::span<const char> values)
{
    demandWithin(whole, values);
    std::size_t count = 0;
    NamedValues all(values);
    for (NamedValue one; all.next(one); ++count) {
        if (one.name.empty() || one.name.find('\0') != std::string_view::npos) std::abort();
        demandWithin(values, one.name);
    }
    return count;
}

/// A value takes two attributes within one, a counter three: what were told twice would not fit.
void walkBody(std::span<const char> body)
{
    constexpr std::size_t leastOfAValue = 4 + 5 + 12, leastOfACounter = 4 + 8 + 8 + 4;
    std::size_t needed = 0;
    BoundCounters counters(body);
    for (BoundCounter one; counters.next(one);) {
        demandWithin(body, one.kernelName);
        needed += leastOfACounter + walkValues(body, one.values) * leastOfAValue;
    }
    if (needed > body.size()) std::abort();
    if (walkValues(body, portValues(body)) * leastOfAValue > body.size()) std::abort();
    RdmaDevice device;
    if (parseRdmaDevice(body, device)) demandWithin(body, device.name);
    CounterBinding binding{};
    static_cast<void>(parseBinding(body, binding));
}

}  // namespace

/// Any bytes in the place of what the kernel sends by NETLINK_RDMA: as a datagram, and as what one message holds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::span<const char> datagram(reinterpret_cast<const char*>(data), size);
    NetlinkMessages messages(datagram);
    for (NetlinkMessage one; messages.next(one);) {
        demandWithin(datagram, one.body);
        if (one.error() < 0 || one.error() > 4095) std::abort();
        walkBody(one.body);
    }
    walkBody(datagram);
    return 0;
}
