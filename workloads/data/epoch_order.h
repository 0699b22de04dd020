// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace flowgauge::workloads {

/// Which records a rank reads in an epoch, and so what a node's page cache can save it (D bytes, N ranks):
/// Sticky: always the same D/N, read once from storage. Reshuffle: another random D/N each epoch (PyTorch's DistributedSampler).
/// Rotate: the next rank's D/N each epoch (DALI without stick_to_shard).
enum class ShardRule { Sticky, Reshuffle, Rotate };

[[nodiscard]] ShardRule shardRuleOf(const std::string& name);
[[nodiscard]] const char* nameOf(ShardRule rule);

/// Who asks for an order.
struct OrderRequest {
    ShardRule rule = ShardRule::Reshuffle;
    std::uint32_t records = 0;
    int rank = 0, size = 1;
    std::uint64_t seed = 1, epoch = 1;  ///< epochs count from 1
};

/// The rank's records in the order of this epoch. Every rank gets floor(records / size); the orders of one epoch share no record;
/// equal requests give equal orders.
[[nodiscard]] std::vector<std::uint32_t> epochOrder(const OrderRequest& request);

/// The rank's records of a pass over all, unshuffled, remainder included.
[[nodiscard]] std::vector<std::uint32_t> wholeOrder(std::uint32_t records, int rank, int size);

}  // namespace flowgauge::workloads
