// SPDX-License-Identifier: MIT
#include "workloads/data/epoch_order.h"
#include <numeric>
#include <span>
#include <utility>
#include "workloads/data/texture.h"
#include "workloads/failure.h"

namespace flowgauge::workloads {

static constexpr std::pair<const char*, ShardRule> shardRules[] = {
    {"sticky", ShardRule::Sticky}, {"reshuffle", ShardRule::Reshuffle}, {"rotate", ShardRule::Rotate}};

ShardRule shardRuleOf(const std::string& name)
{
    for (const auto& [known, rule] : shardRules)
        if (name == known) return rule;
    throw Failure("shard rule", "expected sticky, reshuffle or rotate, found ", name);
}

const char* nameOf(ShardRule rule)
{
    for (const auto& [known, same] : shardRules)
        if (rule == same) return known;
    return "?";
}

static std::vector<std::uint32_t> range(std::uint32_t first, std::uint32_t count)
{
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), first);
    return numbers;
}

/// Fisher and Yates; std::shuffle may differ between standard libraries, and ranks must agree.
static void shuffle(std::vector<std::uint32_t>& numbers, std::uint64_t seed)
{
    Dice dice(seed);
    for (std::size_t left = numbers.size(); left > 1; --left) std::swap(numbers[left - 1], numbers[dice.next() % left]);
}

std::vector<std::uint32_t> epochOrder(const OrderRequest& request)
{
    const auto size = static_cast<std::uint32_t>(request.size), rank = static_cast<std::uint32_t>(request.rank);
    const std::uint32_t share = request.records / size;
    const std::uint64_t seed = request.seed * 1'000'003 + request.epoch;
    if (request.rule == ShardRule::Reshuffle) {
        auto all = range(0, request.records);
        shuffle(all, seed);  // the same permutation on every rank
        const auto own = std::span(all).subspan(std::size_t{rank} * share, share);
        return {own.begin(), own.end()};
    }
    const auto turn = request.rule == ShardRule::Rotate ? static_cast<std::uint32_t>((request.epoch - 1) % size) : 0;
    auto mine = range((rank + turn) % size * share, share);
    shuffle(mine, seed);
    return mine;
}

std::vector<std::uint32_t> wholeOrder(std::uint32_t records, int rank, int size)
{
    const auto cut = [&](int part) {
        return static_cast<std::uint32_t>(std::uint64_t{records} * static_cast<std::uint64_t>(part) / static_cast<std::uint64_t>(size));
    };
    return range(cut(rank), cut(rank + 1) - cut(rank));
}

}  // namespace flowgauge::workloads
