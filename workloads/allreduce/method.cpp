// SPDX-License-Identifier: MIT
#include "workloads/allreduce/method.h"

#include <algorithm>
#include <thread>

namespace flowgauge::workloads::allreduce {
namespace {

class HostBuffers final : public MemberBuffers {
public:
    HostBuffers(const Shape& shape, bool inPlace)
        : m_inPlace(inPlace),
          m_from(shape.groupSize),
          m_into(shape.groupSize),
          m_inputs(shape.groupSize),
          m_outputs(shape.groupSize),
          m_group(shape)
    {
    }
    [[nodiscard]] Group& group() override { return m_group; }
    void resize(std::size_t elements) override
    {
        for (std::size_t local = 0; local < m_from.size(); ++local) {
            m_from[local].resize(elements);
            m_into[local].assign(m_inPlace ? 0 : elements, -1);
            m_inputs[local] = m_from[local];
            m_outputs[local] = m_inPlace ? m_from[local] : m_into[local];
        }
        m_group.use(m_inputs, m_outputs);
    }
    void fill(std::size_t local, std::span<const float> values) override { std::copy(values.begin(), values.end(), m_from[local].begin()); }
    [[nodiscard]] std::vector<float> sums(std::size_t local) const override { return {m_outputs[local].begin(), m_outputs[local].end()}; }

private:
    bool m_inPlace;
    std::vector<std::vector<float>> m_from, m_into;
    std::vector<std::span<const float>> m_inputs;
    std::vector<std::span<float>> m_outputs;
    HostGroup m_group;
};

class HostBackend final : public Backend {
public:
    [[nodiscard]] DeviceLinks links() const override { return DeviceLinks(1); }
    [[nodiscard]] DeviceLinks reachable() const override { return DeviceLinks(1); }
    [[nodiscard]] std::unique_ptr<MemberBuffers> buffers(const Shape& shape, std::span<const std::size_t>, bool inPlace) override
    {
        return std::make_unique<HostBuffers>(shape, inPlace);
    }
};

}  // namespace

std::unique_ptr<Backend> hostBackend() { return std::make_unique<HostBackend>(); }

GroupedMethod::GroupedMethod(Backend& backend, const Grouping& grouping, const std::vector<RingLink>& ring, const GroupedSettings& settings)
    : m_shape{ring.front().groups, grouping.groupSize, std::max(settings.chunkElements, grouping.groupSize)}
{
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const auto devices = std::span(grouping.deviceOf).subspan(i * grouping.groupSize, grouping.groupSize);
        std::unique_ptr<MemberBuffers> buffers = backend.buffers(m_shape, devices, settings.inPlace);
        auto engine = std::make_unique<GroupedAllreduce>(m_shape, ring[i], buffers->group(), settings.engine);
        m_groups.push_back({std::move(buffers), std::move(engine)});
    }
}

void GroupedMethod::resize(std::size_t elements)
{
    m_elements = elements;
    for (GroupAndEngine& one : m_groups) one.buffers->resize(elements);
}

void GroupedMethod::fill(std::size_t member, std::span<const float> values)
{
    m_groups[member / m_shape.groupSize].buffers->fill(member % m_shape.groupSize, values);
}

std::string GroupedMethod::run()
{
    std::vector<std::string> said(m_groups.size());
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < m_groups.size(); ++i) others.emplace_back([&, i] { said[i] = m_groups[i].engine->run(m_elements); });
    said[0] = m_groups[0].engine->run(m_elements);
    for (std::thread& other : others) other.join();
    const auto wrong = std::find_if(said.begin(), said.end(), [](const std::string& words) { return !words.empty(); });
    return wrong == said.end() ? "" : *wrong;
}

std::vector<float> GroupedMethod::sums(std::size_t member) const
{
    return m_groups[member / m_shape.groupSize].buffers->sums(member % m_shape.groupSize);
}

StageTimes GroupedMethod::times() const
{
    StageTimes sum;
    for (const GroupAndEngine& one : m_groups) {
        const StageTimes& times = one.engine->times();
        sum.reduce += times.reduce, sum.exchange += times.exchange, sum.gather += times.gather;
    }
    return sum;
}

}  // namespace flowgauge::workloads::allreduce
