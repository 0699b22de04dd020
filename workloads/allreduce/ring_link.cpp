// SPDX-License-Identifier: MIT
#include "workloads/allreduce/ring_link.h"
#include "workloads/allreduce/patience.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace flowgauge::workloads::allreduce {
namespace {

/// Between two groups of one process: messages wait in order until they are asked for.
class MemoryChannel final : public Channel {
public:
    void send(std::span<const float> values, int) override
    {
        const std::lock_guard lock(m_mutex);
        m_messages.emplace_back(values.begin(), values.end());
    }
    [[nodiscard]] bool sent() override { return true; }
    void receive(std::span<float> into, int) override { m_into = into; }
    [[nodiscard]] bool received() override
    {
        const std::lock_guard lock(m_mutex);
        if (m_messages.empty()) return false;
        std::copy(m_messages.front().begin(), m_messages.front().end(), m_into.begin());
        m_messages.pop_front();
        return true;
    }

private:
    std::mutex m_mutex;
    std::deque<std::vector<float>> m_messages;
    std::span<float> m_into;  // the receiving thread's alone
};

}  // namespace

bool RingLink::shift(std::span<const float> outgoing, std::span<float> incoming, int tag, bool (*stop)(const void*),
                     const void* argument) const
{
    bool sent = outgoing.empty(), received = incoming.empty();
    if (!received) fromPrevious->receive(incoming, tag);
    if (!sent) toNext->send(outgoing, tag);
    for (Patience patience;; patience.pause()) {
        sent = sent || toNext->sent();
        received = received || fromPrevious->received();
        if (sent && received) return true;
        if (stop(argument)) return false;
    }
}

std::vector<RingLink> stretchInMemory(std::size_t first, std::size_t count, std::size_t groups)
{
    std::vector<RingLink> links;
    for (std::size_t i = 0; i < count; ++i) {
        links.push_back({first + i, groups, nullptr, nullptr});
        if (i > 0) links[i - 1].toNext = links[i].fromPrevious = std::make_shared<MemoryChannel>();
    }
    return links;
}

std::vector<RingLink> ringInMemory(std::size_t groups)
{
    std::vector<RingLink> links = stretchInMemory(0, groups, groups);
    links.back().toNext = links.front().fromPrevious = std::make_shared<MemoryChannel>();
    return links;
}

}  // namespace flowgauge::workloads::allreduce
