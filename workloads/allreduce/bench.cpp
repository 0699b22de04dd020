// SPDX-License-Identifier: MIT
#include "workloads/allreduce/bench.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

namespace flowgauge::workloads::allreduce {
namespace {

constexpr std::uint32_t kinds = 97;  // values of a member repeat after so many elements

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string firstWrong(const Method& method, std::size_t allMembers, std::uint32_t round)
{
    for (std::size_t member = 0; member < method.members(); ++member) {
        const std::vector<float> sums = method.sums(member);
        for (std::size_t i = 0; i < sums.size(); ++i)
            if (sums[i] != expectedSum(i, allMembers, round))
                return "member " + std::to_string(member) + ", element " + std::to_string(i) + ": " + std::to_string(sums[i]) +
                       " instead of " + std::to_string(expectedSum(i, allMembers, round));
    }
    return "";
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

Line measure(Method& method, Place place, std::uint64_t bytes, int iterations)
{
    Line line{bytes, 0, 0, 0, 0, ""};
    std::vector<float> values(bytes / sizeof(float));
    std::vector<double> spent;
    method.resize(values.size());
    for (std::uint32_t round = 0; round < static_cast<std::uint32_t>(iterations) && line.wrong.empty(); ++round) {
        for (std::size_t member = 0; member < method.members(); ++member) {
            fillValues(values, place.rank * method.members() + member, round);
            method.fill(member, values);
        }
        const auto begin = std::chrono::steady_clock::now();
        line.wrong = method.run();
        spent.push_back(seconds(std::chrono::steady_clock::now() - begin));
        if (line.wrong.empty()) line.wrong = firstWrong(method, place.ranks * method.members(), round);
    }
    line.seconds = median(spent);
    const StageTimes times = method.times();
    line.reduce = seconds(times.reduce), line.exchange = seconds(times.exchange), line.gather = seconds(times.gather);
    return line;
}

std::vector<std::uint64_t> sizesOf(const Options& options)
{
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t bytes = options.leastBytes; bytes < options.mostBytes; bytes *= 4) sizes.push_back(bytes);
    sizes.push_back(options.mostBytes);
    return sizes;
}

LinkTable linksOf(const Shape& shape, const Options& options)
{
    LinkTable links;
    for (const std::uint64_t bytes : sizesOf(options))
        for (const auto& [link, moved] : linkTable(shape, bytes / sizeof(float)))
            links[link] += moved * static_cast<std::uint64_t>(options.iterations);
    return links;
}

std::string booksOf(const Options& options, const Shape& shape, std::size_t nodes)
{
    nlohmann::json books{{"algorithm", options.algorithm},
                         {"nodes", nodes},
                         {"members", shape.members()},
                         {"group_size", shape.groupSize},
                         {"operations", sizesOf(options).size() * static_cast<std::size_t>(options.iterations)},
                         {"links", nlohmann::json::array()}};
    if (options.algorithm != "grouped") return books.dump(1);
    for (const auto& [link, bytes] : linksOf(shape, options))
        books["links"].push_back({{"from", link.first}, {"to", link.second}, {"bytes", bytes}});
    return books.dump(1);
}

}  // namespace flowgauge::workloads::allreduce
