// SPDX-License-Identifier: MIT
#include "collector/foreign/collective_text.h"

#include "collector/foreign/microseconds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace flowgauge::foreign {
namespace {

/// Lower case, without what varies: underscores, and the namespace of a type.
std::string plain(std::string_view name)
{
    if (const std::size_t colon = name.rfind(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
    std::string text;
    for (const char c : name)
        if (c != '_') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// The first that a name contains: the longer words stand before those that are part of them.
constexpr std::array<std::pair<std::string_view, Kind>, 11> operations{{{"allreduce", Kind::Allreduce},
                                                                        {"reducescatter", Kind::ReduceScatter},
                                                                        {"allgather", Kind::Allgather},
                                                                        {"alltoall", Kind::Alltoall},
                                                                        {"broadcast", Kind::Broadcast},
                                                                        {"barrier", Kind::Barrier},
                                                                        {"gather", Kind::Gather},
                                                                        {"scatter", Kind::Scatter},
                                                                        {"reduce", Kind::Reduce},
                                                                        {"send", Kind::Send},
                                                                        {"recv", Kind::Recv}}};

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 24> types{
    {{"float", 4},        {"double", 8},       {"half", 2},       {"bfloat16", 2}, {"int", 4},          {"long", 8},
     {"short", 2},        {"char", 1},         {"byte", 1},       {"bool", 1},     {"float32", 4},      {"float64", 8},
     {"float16", 2},      {"int8", 1},         {"uint8", 1},      {"int32", 4},    {"int64", 8},        {"longint", 8},
     {"unsignedchar", 1}, {"complexfloat", 8}, {"signedchar", 1}, {"shortint", 2}, {"float8e4m3fn", 1}, {"float8e5m2", 1}}};

bool countsOutput(Kind kind) { return kind == Kind::ReduceScatter || kind == Kind::Scatter || kind == Kind::Recv; }

/// Where `rank` stands in "[0, 8, 16]"; -1 where it does not, or the list is shortened with dots.
std::int64_t positionIn(std::string_view list, std::int64_t rank)
{
    std::int64_t position = 0;
    while (const auto number = numberIn(list)) {
        if (*number == rank) return position;
        ++position;
        const std::size_t comma = list.find(',');
        if (comma == std::string_view::npos) break;
        list.remove_prefix(comma + 1);
        if (list.find("...") < list.find(',')) break;
    }
    return -1;
}

/// Elements of each input: "[[2 3 ][][7 ]]" is {6, 0, 7}.
std::vector<std::uint64_t> elementsOf(std::string_view dims)
{
    std::vector<std::uint64_t> elements;
    int depth = 0;
    std::uint64_t product = 0;
    std::uint64_t number = 0;
    bool inNumber = false;
    for (const char c : dims) {
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            number = number * 10 + static_cast<std::uint64_t>(c - '0');
            inNumber = true;
            continue;
        }
        if (inNumber) product = product == 0 ? number : product * number;
        inNumber = false;
        number = 0;
        if (c == '[' && ++depth == 2) product = 0;
        if (c == ']' && depth-- == 2) elements.push_back(product);
    }
    return elements;
}

}  // namespace

std::optional<Kind> kindOfCollective(std::string_view name)
{
    const std::string text = plain(name);
    for (const auto& [word, kind] : operations)
        if (text.find(word) != std::string::npos) return kind;
    return std::nullopt;
}

std::uint64_t bytesOfType(std::string_view name)
{
    std::string text = plain(name);
    std::erase(text, ' ');
    const auto found = std::find_if(types.begin(), types.end(), [&](const auto& type) { return type.first == text; });
    return found == types.end() ? 0 : found->second;
}

std::optional<CollectiveText> collectiveOf(const TraceEvent& kernel, std::optional<std::int64_t> rank)
{
    const auto kind = kindOfCollective(kernel.arg(TraceArg::CollectiveName));
    if (!kind) return std::nullopt;
    CollectiveText text;
    text.kind = *kind;
    const auto elements = numberIn(kernel.arg(countsOutput(*kind) ? TraceArg::OutElements : TraceArg::InElements));
    text.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(elements.value_or(0), 0)) * bytesOfType(kernel.arg(TraceArg::DataType));
    text.groupName = kernel.arg(TraceArg::GroupName);
    text.group = text.groupName + " " + kernel.arg(TraceArg::GroupRanks);
    text.groupSize = numberIn(kernel.arg(TraceArg::GroupSize)).value_or(0);
    if (rank) text.groupRank = positionIn(kernel.arg(TraceArg::GroupRanks), *rank);
    text.peer = numberIn(kernel.arg(*kind == Kind::Recv ? TraceArg::SourceRank : TraceArg::TargetRank)).value_or(-1);
    text.sequence = numberIn(kernel.arg(TraceArg::Sequence));
    return text;
}

std::uint64_t bytesOfInputs(std::string_view dims, std::string_view typeNames)
{
    std::uint64_t bytes = 0;
    typeNames.remove_prefix(typeNames.empty() ? 0 : 1);  // its bracket
    for (const std::uint64_t elements : elementsOf(dims)) {
        const std::size_t end = std::min(typeNames.find(' '), typeNames.size());
        bytes += elements * bytesOfType(typeNames.substr(0, end));
        typeNames.remove_prefix(std::min(end + 1, typeNames.size()));
    }
    return bytes;
}

std::int64_t communicatorId(std::string_view group)
{
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const char c : group) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return static_cast<std::int64_t>((hash & INT64_MAX) | 1);
}

}  // namespace flowgauge::foreign
