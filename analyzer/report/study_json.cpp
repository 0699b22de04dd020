// SPDX-License-Identifier: MIT
#include "analyzer/report/json_values.h"

#include "analyzer/report/study_document.h"
#include "analyzer/report/units.h"

namespace flowgauge::report {
namespace {

using report::jsonOf;

Json usesOf(const study::UseSeconds& seconds)
{
    Json json = Json::object();
    for (std::size_t use = 0; use < study::useCount; ++use) json[std::string(study::useNames[use])] = seconds[use];
    return json;
}

Json jsonOf(const study::Growth& growth)
{
    return {{"what", growth.what},
            {"shares", growth.shares},
            {"amounts", growth.amounts},
            {"share", jsonOf(growth.share)},
            {"amount", jsonOf(growth.amount)}};
}

Json jsonOf(const study::Published& published)
{
    Json json{{"source", published.source}, {"runs", Json::array()}};
    for (const study::Published::Run& run : published.runs)
        json["runs"].push_back({{"nodes", run.nodes},
                                {"speed_up", run.speedUp},
                                {"throughput_scaling", published.scalingOf(run)},
                                {"epochs_to_target", run.epochs}});
    if (published.diskShare) json["disk_share_per_doubling"] = *published.diskShare;
    if (published.networkAmount) json["network_bytes_per_second_per_doubling"] = *published.networkAmount;
    return json;
}

Json jsonOf(const study::Standing& standing)
{
    const study::Member& member = standing.member;
    Json json{{"name", member.name},
              {"simulated", member.simulated},
              {"nodes", member.nodes},
              {"ranks", member.ranks},
              {"epochs", member.epochs},
              {"samples_per_second", jsonOf(member.throughput)},
              {"first_epoch_samples_per_second", jsonOf(member.firstThroughput)},
              {"cold_first_epoch", member.coldFirst},
              {"first_epoch_demand_bytes_per_second", jsonOf(member.firstDemand)},
              {"target", jsonOf(member.target)},
              {"time_to_target_ns", jsonOf(member.timeToTarget)},
              {"epochs_to_target", jsonOf(member.epochsToTarget)},
              {"wall_ns", member.wall},
              {"size", standing.size},
              {"throughput_scaling", jsonOf(standing.scaling)},
              {"efficiency", jsonOf(standing.efficiency)},
              {"speed_up", jsonOf(standing.speedUp)},
              {"statistical_efficiency", jsonOf(standing.statistical)}};
    json["demand_bytes_per_second"] = jsonOf(member.demand);
    json["peak_fetched_bytes_per_second"] = jsonOf(member.peakFetched);
    json["peak_disk_bytes_per_second"] = jsonOf(member.peakDisk);
    json["sent_per_node_bytes_per_second"] = jsonOf(member.sentPerNode);
    json["received_per_node_bytes_per_second"] = jsonOf(member.receivedPerNode);
    json["fetched_bytes"] = member.fetched;
    json["storage_quiet_from_epoch"] = jsonOf(member.quietFrom);
    json["gpu_seconds"] = usesOf(member.uses);
    json["gpu_seconds_lost"] = usesOf(standing.lost);
    json["gpu_seconds_lost"]["more epochs"] = standing.lostToEpochs;
    return json;
}

Json findingsOf(const std::vector<findings::Finding>& findings)
{
    Json list = Json::array();
    for (const findings::Finding& finding : findings)
        list.push_back({{"diagnosis", finding.diagnosis}, {"gain", finding.gain.value}, {"text", sentence(finding.verdict)}});
    return list;
}

std::string textOf(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string jsonOf(const study::Study& study)
{
    Json json{{"schema", studySchema}, {"size_counts", study.byGpus ? "ranks" : "nodes"}, {"runs", Json::array()}};
    for (const study::Standing& standing : study.runs) json["runs"].push_back(jsonOf(standing));
    json["growth_per_doubling"] = {{"disk", jsonOf(study.disk)}, {"fetched", jsonOf(study.fetched)}, {"network", jsonOf(study.network)}};
    if (study.published) json["published"] = jsonOf(*study.published);
    return textOf(json);
}

std::string jsonOf(const study::Comparison& comparison)
{
    constexpr std::array<const char*, 5> outcomes{"better", "worse", "noise", "different", "unknown"};
    Json json{{"schema", comparisonSchema},
              {"before", comparison.before},
              {"after", comparison.after},
              {"slower", comparison.slower()},
              {"changes", Json::array()}};
    for (const study::Change& change : comparison.changes)
        json["changes"].push_back({{"what", change.what},
                                   {"before", jsonOf(change.before)},
                                   {"after", jsonOf(change.after)},
                                   {"change", change.change},
                                   {"error", change.error},
                                   {"outcome", outcomes[static_cast<std::size_t>(change.outcome)]}});
    json["came"] = findingsOf(comparison.came);
    json["went"] = findingsOf(comparison.went);
    return textOf(json);
}

}  // namespace flowgauge::report
