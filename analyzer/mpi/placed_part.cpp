// SPDX-License-Identifier: MIT
#include "analyzer/mpi/placed_part.h"

#include "analyzer/facts/run_part.h"
#include "collector/record/error.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

namespace flowgauge::mpi {
namespace {

/// Spools have names that no two processes of a host share, and hosts a boot of their own; simulations share both, and differ in length.
std::uint64_t identityOf(store::RunStore& store, Interval recorded)
{
    std::string text = std::to_string(recorded.begin) + ' ' + std::to_string(recorded.end);
    for (const store::HostRow& host : store.hosts()) text += ' ' + host.bootId;
    for (const store::ProcessRow& process : store.processes()) text += ' ' + process.spool;
    return std::hash<std::string>{}(text);
}

}  // namespace

PlacedPart placedPartOf(open::OpenedRun& opened, std::size_t run)
{
    PlacedPart part{run, 0, opened.whole, {}, opened.store.meta("t_zero").value_or(0), 0, {}, true};
    for (const store::TrackRow& track : opened.store.tracks())
        if (track.events > 0) facts::widen(part.recorded, {track.extent.begin + part.zeroUnixNs, track.extent.end + part.zeroUnixNs});
    part.identity = identityOf(opened.store, part.recorded);
    for (const facts::ProcessGroup& group : facts::layoutOf(opened.store, {}, {}).groups) {
        part.ranks.push_back(group.rank);
        part.named &= group.named;
        for (const store::ProcessRow& process : group.processes) part.worldSize = std::max(part.worldSize, process.worldSize.value_or(0));
    }
    return part;
}

std::string textOf(const std::vector<PlacedPart>& parts)
{
    std::ostringstream text;
    for (const PlacedPart& part : parts) {
        text << part.run << ' ' << part.identity << ' ' << part.whole << ' ' << part.recorded.begin << ' ' << part.recorded.end << ' '
             << part.zeroUnixNs << ' ' << part.worldSize << ' ' << part.named << ' ' << part.ranks.size();
        for (const int rank : part.ranks) text << ' ' << rank;
        text << '\n';
    }
    return text.str();
}

std::vector<PlacedPart> placedPartsOf(const std::string& text)
{
    std::istringstream words(text);
    std::vector<PlacedPart> parts;
    PlacedPart part;
    std::size_t ranks = 0;
    while (words >> part.run >> part.identity >> part.whole >> part.recorded.begin >> part.recorded.end >> part.zeroUnixNs >>
           part.worldSize >> part.named >> ranks) {
        part.ranks.resize(ranks);
        for (int& rank : part.ranks) words >> rank;
        parts.push_back(part);
    }
    return parts;
}

std::size_t Plan::ranks() const
{
    return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                           [](std::size_t sum, const PlacedPart& part) { return sum + part.ranks.size(); });
}

Nanos Plan::zeroUnixNs() const
{
    const auto earlier = [](const PlacedPart& left, const PlacedPart& right) { return left.zeroUnixNs < right.zeroUnixNs; };
    return std::min_element(parts.begin(), parts.end(), earlier)->zeroUnixNs;
}

std::size_t Plan::holderOf(std::size_t part) const
{
    const auto reads = [part](const std::vector<Task>& own) {
        return std::any_of(own.begin(), own.end(), [part](const Task& task) { return task.part == part; });
    };
    return static_cast<std::size_t>(std::find_if(tasks.begin(), tasks.end(), reads) - tasks.begin());
}

Plan planOf(const std::vector<std::vector<PlacedPart>>& seen)
{
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::size_t>> viewers;  ///< by RUN and recording
    std::map<std::uint64_t, std::size_t> firstRun;
    for (std::size_t process = 0; process < seen.size(); ++process)
        for (const PlacedPart& part : seen[process]) {
            const std::size_t run = firstRun.try_emplace(part.identity, part.run).first->second;
            std::vector<std::size_t>& by = viewers[{run, part.identity}];
            if (by.empty() || by.back() != process) by.push_back(process);
        }
    Plan plan;
    plan.tasks.resize(seen.size());
    std::vector<double> load(seen.size());
    for (const auto& [key, by] : viewers) {
        const auto& first = seen[by.front()];
        const auto same = [&key](const PlacedPart& part) { return part.identity == key.second; };
        plan.parts.push_back(*std::find_if(first.begin(), first.end(), same));
        plan.seenByAll &= by.size() == seen.size();
        const std::size_t shares = std::clamp<std::size_t>(seen.size() / viewers.size(), 1, by.size());
        for (std::size_t share = 0; share < shares; ++share) {
            const auto idlest = *std::min_element(by.begin(), by.end(), [&](std::size_t a, std::size_t b) { return load[a] < load[b]; });
            plan.tasks[idlest].push_back({plan.parts.size() - 1, {share, shares}});
            load[idlest] += static_cast<double>(plan.parts.back().ranks.size() + 1) / static_cast<double>(shares);
        }
    }
    return plan;
}

void checkOneRun(const Plan& plan, const std::vector<std::string>& runs)
{
    if (plan.parts.size() < 2) return;
    const PlacedPart& first = plan.parts.front();
    std::map<int, std::size_t> heldBy;
    for (const PlacedPart& part : plan.parts) {
        const std::string& where = runs[part.run];
        if (!part.named) throw Error(where, "its processes do not say which ranks they are, so that it can be no part of a larger run");
        if (part.worldSize != 0 && first.worldSize != 0 && part.worldSize != first.worldSize)
            throw Error(where, "belongs to a job of ", part.worldSize, " ranks, ", runs[first.run], " to one of ", first.worldSize,
                        "; `flowgauge compare` looks at two runs");
        for (const int rank : part.ranks)
            if (const auto [at, isNew] = heldBy.try_emplace(rank, part.run); !isNew)
                throw Error(where, "holds rank ", rank, " as ", runs[at->second], " does: parts of one run hold different ranks");
        if (part.recorded.end < first.recorded.begin || part.recorded.begin > first.recorded.end)
            throw Error(where, "was not recorded at the time of ", runs[first.run], ", so that they are no parts of one run");
    }
}

}  // namespace flowgauge::mpi
