// SPDX-License-Identifier: MIT
#include "workloads/allreduce/bench.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

namespace flowgauge::workloads::allreduce {
namespace {

constexpr std::uint32_t kinds = 97;  // values of a member repeat after so many elements

Shape shapeOf(const Options& options, std::size_t nodes)
{
    return {nodes, options.groupSize, std::max<std::size_t>(options.chunkBytes / sizeof(float), options.groupSize)};
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

double algorithmBandwidth(const Line& line) { return line.seconds > 0 ? static_cast<double>(line.bytes) / line.seconds : 0; }

double busBandwidth(const Line& line, std::size_t members)
{
    if (members < 2) return 0;
    return algorithmBandwidth(line) * 2 * static_cast<double>(members - 1) / static_cast<double>(members);
}

void fillValues(std::span<float> values, std::size_t member, std::uint32_t round)
{
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i + 7 * member + round) % kinds);
}

float expectedSum(std::size_t element, std::size_t members, std::uint32_t round)
{
    std::size_t sum = 0;
    for (std::size_t member = 0; member < members; ++member) sum += (element + 7 * member + round) % kinds;
    return static_cast<float>(sum);
}

GroupedBench::GroupedBench(const Options& options, NodeLink& link)
    : m_options(options),
      m_link(link),
      m_shape(shapeOf(options, link.nodes())),
      m_engine(m_shape, link, {std::chrono::milliseconds(options.deadlineMs), options.overlap, 0, {}}),
      m_from(options.groupSize),
      m_into(options.groupSize)
{
}

Line GroupedBench::measure(std::uint64_t bytes)
{
    const std::size_t elements = bytes / sizeof(float);
    Line line{bytes, 0, 0, 0, 0, ""};
    std::vector<double> seconds;
    for (int round = 0; round < m_options.iterations && line.wrong.empty(); ++round) {
        std::vector<std::span<const float>> from;
        std::vector<std::span<float>> into;
        for (std::size_t local = 0; local < m_shape.groupSize; ++local) {
            m_from[local].resize(elements);
            m_into[local].assign(m_options.inPlace ? 0 : elements, -1);
            fillValues(m_from[local], m_link.node() * m_shape.groupSize + local, static_cast<std::uint32_t>(round));
            from.emplace_back(m_from[local]);
            into.emplace_back(m_options.inPlace ? m_from[local] : m_into[local]);
        }
        const auto begin = std::chrono::steady_clock::now();
        line.wrong = m_engine.run(from, into);
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        if (line.wrong.empty()) line.wrong = check(elements, static_cast<std::uint32_t>(round));
        for (const auto& [link, moved] : linkTable(m_shape, elements)) m_links[link] += moved;
        ++m_operations;
    }
    line.seconds = median(seconds);
    const StageTimes& times = m_engine.times();
    line.reduce = std::chrono::duration<double>(times.reduce).count();
    line.exchange = std::chrono::duration<double>(times.exchange).count();
    line.gather = std::chrono::duration<double>(times.gather).count();
    return line;
}

std::string GroupedBench::check(std::size_t elements, std::uint32_t round) const
{
    for (std::size_t local = 0; local < m_shape.groupSize; ++local) {
        const std::vector<float>& sums = m_options.inPlace ? m_from[local] : m_into[local];
        for (std::size_t i = 0; i < elements; ++i)
            if (sums[i] != expectedSum(i, m_shape.members(), round))
                return "member " + std::to_string(local) + ", element " + std::to_string(i) + ": " + std::to_string(sums[i]) +
                       " instead of " + std::to_string(expectedSum(i, m_shape.members(), round));
    }
    return "";
}

std::vector<std::uint64_t> sizesOf(const Options& options)
{
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t bytes = options.leastBytes; bytes < options.mostBytes; bytes *= 4) sizes.push_back(bytes);
    sizes.push_back(options.mostBytes);
    return sizes;
}

std::string booksOf(const Options& options, std::size_t nodes, std::uint64_t operations, const LinkTable& links)
{
    nlohmann::json books{{"algorithm", options.algorithm}, {"nodes", nodes}, {"group_size", options.groupSize}, {"operations", operations}};
    books["links"] = nlohmann::json::array();
    for (const auto& [link, bytes] : links) books["links"].push_back({{"from", link.first}, {"to", link.second}, {"bytes", bytes}});
    return books.dump(1);
}

}  // namespace flowgauge::workloads::allreduce
