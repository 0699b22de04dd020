// SPDX-License-Identifier: MIT
#include "workloads/allreduce/group.h"

#include <algorithm>

namespace flowgauge::workloads::allreduce {

HostGroup::HostGroup(const Shape& shape)
{
    for (auto& place : m_sums) place.assign(shape.groupSize, std::vector<float>(shape.largestSlice()));
}

void HostGroup::use(std::span<const std::span<const float>> from, std::span<const std::span<float>> into)
{
    m_from = from;
    m_into = into;
}

void HostGroup::reduce(const Part& part)
{
    const std::span<float> into = sums(part);
    for (std::size_t i = 0; i < into.size(); ++i) {
        float sum = m_from[0][part.slice.begin + i];
        for (std::size_t member = 1; member < m_from.size(); ++member) sum += m_from[member][part.slice.begin + i];
        into[i] = sum;
    }
}

std::span<float> HostGroup::sums(const Part& part) { return std::span(m_sums[part.place][part.owner]).first(part.slice.size()); }

void HostGroup::gather(std::span<const Part> parts, std::size_t reader)
{
    for (const Part& part : parts) {
        const std::span<const float> from = sums(part);
        std::copy(from.begin(), from.end(), m_into[reader].begin() + static_cast<std::ptrdiff_t>(part.slice.begin));
    }
}

}  // namespace flowgauge::workloads::allreduce
