// SPDX-License-Identifier: MIT
#include "analyzer/facts/process_groups.h"

#include <algorithm>
#include <map>

namespace flowgauge::facts {
namespace {

using store::Id;
using store::ProcessRow;

/// Nearest ancestors first. Process ids come back, so a parent must have begun before its child.
class Family {
public:
    explicit Family(const std::vector<ProcessRow>& processes)
    {
        for (const ProcessRow& process : processes) m_byPid[{process.host, process.pid}].push_back(&process);
    }

    [[nodiscard]] const ProcessRow* parentOf(const ProcessRow& child) const
    {
        const auto found = m_byPid.find({child.host, child.parentPid});
        if (found == m_byPid.end() || child.parentPid == child.pid) return nullptr;
        const ProcessRow* parent = nullptr;
        for (const ProcessRow* candidate : found->second)
            if (candidate->processStart <= child.processStart && candidate != &child) parent = candidate;
        return parent;
    }

    /// The process itself, its parent, ... up to the eldest that is recorded.
    [[nodiscard]] std::vector<const ProcessRow*> lineOf(const ProcessRow& process) const
    {
        constexpr std::size_t deepest = 64;  // a damaged run may hold a circle
        std::vector<const ProcessRow*> line{&process};
        while (line.size() < deepest) {
            const ProcessRow* parent = parentOf(*line.back());
            if (parent == nullptr) break;
            line.push_back(parent);
        }
        return line;
    }

private:
    std::map<std::pair<Id, std::int64_t>, std::vector<const ProcessRow*>> m_byPid;
};

std::optional<std::int64_t> rankOf(const std::vector<const ProcessRow*>& line)
{
    for (const ProcessRow* process : line)
        if (process->rank) return process->rank;
    return std::nullopt;
}

bool anyActive(const ProcessGroup& group, const std::vector<Id>& active)
{
    return std::any_of(group.processes.begin(), group.processes.end(),
                       [&](const ProcessRow& process) { return std::binary_search(active.begin(), active.end(), process.id); });
}

}  // namespace

std::vector<ProcessGroup> groupProcesses(std::vector<ProcessRow> processes, const std::vector<Id>& active)
{
    std::sort(processes.begin(), processes.end(), [](const ProcessRow& left, const ProcessRow& right) {
        return std::pair(left.beginNs, left.id) < std::pair(right.beginNs, right.id);
    });
    std::vector<Id> sorted = active;
    std::sort(sorted.begin(), sorted.end());
    const Family family(processes);
    std::map<std::int64_t, ProcessGroup> ranked;
    std::map<Id, ProcessGroup> unranked;
    for (const ProcessRow& process : processes) {
        const auto line = family.lineOf(process);
        const auto rank = rankOf(line);
        (rank ? ranked[*rank] : unranked[line.back()->id]).processes.push_back(process);
    }
    std::vector<ProcessGroup> groups;
    for (auto& [rank, group] : ranked) {
        group.rank = static_cast<int>(rank);
        if (anyActive(group, sorted)) groups.push_back(std::move(group));
    }
    if (!groups.empty()) return groups;
    for (auto& [root, group] : unranked)
        if (anyActive(group, sorted)) groups.push_back(std::move(group));
    std::sort(groups.begin(), groups.end(), [](const ProcessGroup& left, const ProcessGroup& right) {
        return left.processes.front().beginNs < right.processes.front().beginNs;
    });
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].rank = static_cast<int>(i);
        groups[i].named = false;
    }
    return groups;
}

std::unordered_map<Id, std::size_t> groupOfProcess(const std::vector<ProcessGroup>& groups)
{
    std::unordered_map<Id, std::size_t> result;
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (const ProcessRow& process : groups[group].processes) result[process.id] = group;
    return result;
}

}  // namespace flowgauge::facts
