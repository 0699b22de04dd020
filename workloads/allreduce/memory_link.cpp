// SPDX-License-Identifier: MIT
#include "workloads/allreduce/node_link.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>

namespace flowgauge::workloads::allreduce {
namespace {

/// What is on its way to one node, in order.
struct Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::vector<float>> messages;
};

class MemoryLink final : public NodeLink {
public:
    MemoryLink(std::shared_ptr<std::vector<Mailbox>> boxes, std::size_t node) : m_boxes(std::move(boxes)), m_node(node) {}
    [[nodiscard]] std::size_t node() const override { return m_node; }
    [[nodiscard]] std::size_t nodes() const override { return m_boxes->size(); }
    [[nodiscard]] bool shift(std::span<const float> toNext, std::span<float> fromPrevious, int, bool (*stop)(const void*),
                             const void* argument) override
    {
        if (!toNext.empty()) send(toNext);
        return fromPrevious.empty() || receive(fromPrevious, stop, argument);
    }

private:
    void send(std::span<const float> values)
    {
        Mailbox& box = (*m_boxes)[(m_node + 1) % nodes()];
        const std::lock_guard lock(box.mutex);
        box.messages.emplace_back(values.begin(), values.end());
        box.changed.notify_one();
    }
    bool receive(std::span<float> into, bool (*stop)(const void*), const void* argument)
    {
        Mailbox& box = (*m_boxes)[m_node];
        std::unique_lock lock(box.mutex);
        while (box.messages.empty()) {
            if (stop(argument)) return false;
            box.changed.wait_for(lock, std::chrono::milliseconds(1));
        }
        std::copy(box.messages.front().begin(), box.messages.front().end(), into.begin());
        box.messages.pop_front();
        return true;
    }
    std::shared_ptr<std::vector<Mailbox>> m_boxes;
    std::size_t m_node;
};

}  // namespace

std::vector<std::unique_ptr<NodeLink>> memoryLinks(std::size_t nodes)
{
    const auto boxes = std::make_shared<std::vector<Mailbox>>(nodes);
    std::vector<std::unique_ptr<NodeLink>> links;
    for (std::size_t node = 0; node < nodes; ++node) links.push_back(std::make_unique<MemoryLink>(boxes, node));
    return links;
}

}  // namespace flowgauge::workloads::allreduce
