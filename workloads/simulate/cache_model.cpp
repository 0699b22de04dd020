// SPDX-License-Identifier: MIT
#include "workloads/simulate/cache_model.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::simulate {
namespace {

constexpr double pagesOfMemory = 0.9;  // the rest holds programs

}  // namespace

double CacheModel::cacheBytes() const { return m_parameters.cluster.memoryGb * 1e9 * pagesOfMemory; }

double CacheModel::fetchedShare(int epoch) const
{
    if (epoch <= 1 || m_parameters.data.bytes <= 0) return 1;
    const double nodes = m_parameters.cluster.nodes;
    const double data = m_parameters.data.bytes;
    const double room = std::min(1.0, cacheBytes() / data);
    const double ranksOfNode = m_parameters.cluster.gpusPerNode;
    switch (m_parameters.data.rule) {
        case ShardRule::Sticky:
            return 1 - std::min(1.0, cacheBytes() / (data / nodes));
        case ShardRule::Reshuffle:
            return 1 - std::min(room, 1 - std::pow(1 - 1 / nodes, epoch - 1));
        case ShardRule::Rotate: {
            const bool seenAll = epoch - 1 > (nodes - 1) * ranksOfNode;
            return std::max(seenAll ? 0 : 1 / ranksOfNode, 1 - room);
        }
    }
    return 1;
}

double CacheModel::diskShare(int epoch) const
{
    const double data = m_parameters.data.bytes;
    if (epoch > 1 && data > 0) return 1 - std::min(1.0, m_parameters.storage.cacheGb * 1e9 / data);
    return std::pow(1 - m_parameters.storage.sharedReadAhead, std::log2(m_parameters.cluster.nodes));
}

double CacheModel::nodeRate() const
{
    return std::min(m_parameters.storage.nodeMbPerS, m_parameters.storage.bandwidthMbPerS / m_parameters.cluster.nodes) * 1e6;
}

}  // namespace flowgauge::simulate
