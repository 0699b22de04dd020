// SPDX-License-Identifier: MIT
#include "workloads/simulate/parameters.h"

#include "collector/record/error.h"
#include "workloads/simulate/faults.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

namespace flowgauge::simulate {
namespace {

using Json = nlohmann::json;

/// One object of the file: hands out its values by key, and complains about keys that nobody asked for.
class Section {
public:
    Section(const Json& json, std::string where) : m_json(json), m_where(std::move(where))
    {
        if (!json.is_object()) throw Error(m_where, "expected an object");
    }

    template <typename T>
    void get(const char* key, T& into)
    {
        m_asked.insert(key);
        const auto found = m_json.find(key);
        if (found == m_json.end()) return;
        try {
            into = found->get<T>();
        } catch (const Json::exception&) {
            throw Error(m_where + "." + key, "a value of another type was expected");
        }
    }
    /// A number that must lie within [least, most].
    template <typename T>
    void number(const char* key, T& into, double least, double most)
    {
        get(key, into);
        const double value = static_cast<double>(into);
        if (!(value >= least && value <= most)) throw Error(m_where + "." + key, "expected ", least, " to ", most, ", found ", value);
    }
    template <typename Choice>
    void choice(const char* key, Choice& into, const std::vector<std::pair<std::string, Choice>>& choices)
    {
        std::string text;
        get(key, text);
        if (text.empty()) return;
        std::string names;
        for (const auto& [name, value] : choices) {
            if (name == text) {
                into = value;
                return;
            }
            names += (names.empty() ? "" : ", ") + name;
        }
        throw Error(m_where + "." + key, "expected one of ", names, ", found ", text);
    }
    [[nodiscard]] const Json* find(const char* key)
    {
        m_asked.insert(key);
        const auto found = m_json.find(key);
        return found == m_json.end() ? nullptr : &*found;
    }
    void finish() const
    {
        for (const auto& [key, value] : m_json.items())
            if (!m_asked.contains(key)) throw Error(m_where + "." + key, "no such parameter");
    }
    [[nodiscard]] std::string pathOf(const char* key) const { return m_where + "." + key; }

private:
    const Json& m_json;
    std::string m_where;
    std::set<std::string> m_asked;
};

constexpr double huge = 1e15;

template <typename Read>
void inSection(Section& all, const char* key, const Read& read)
{
    const Json* json = all.find(key);
    if (json == nullptr) return;
    Section section(*json, all.pathOf(key));
    read(section);
    section.finish();
}

template <typename Read>
void eachOf(Section& all, const char* key, const Read& read)
{
    const Json* list = all.find(key);
    if (list == nullptr) return;
    if (!list->is_array()) throw Error(all.pathOf(key), "expected a list");
    for (std::size_t i = 0; i < list->size(); ++i) {
        Section section((*list)[i], all.pathOf(key) + "[" + std::to_string(i) + "]");
        read(section);
        section.finish();
    }
}

void readMachines(Section& all, Parameters& into)
{
    inSection(all, "cluster", [&](Section& section) {
        section.number("nodes", into.cluster.nodes, 1, 2048);
        section.number("gpus_per_node", into.cluster.gpusPerNode, 1, 64);
        section.number("processors", into.cluster.processors, 1, 4096);
        section.number("memory_gb", into.cluster.memoryGb, 0, huge);
        section.get("gpu", into.cluster.gpu);
    });
    inSection(all, "link", [&](Section& section) {
        section.number("gbps", into.link.gbps, 1e-3, huge);
        section.number("efficiency", into.link.efficiency, 1e-3, 1);
        section.number("latency_us", into.link.latencyUs, 0, huge);
        section.number("inside_gbps", into.link.insideGbps, 1e-3, huge);
        section.choice("scheme", into.link.scheme, {{"hierarchical", Scheme::Hierarchical}, {"ring", Scheme::Ring}});
    });
    inSection(all, "storage", [&](Section& section) {
        section.get("mount", into.storage.mount);
        section.number("bandwidth_mb_s", into.storage.bandwidthMbPerS, 1e-3, huge);
        section.number("node_mb_s", into.storage.nodeMbPerS, 1e-3, huge);
        section.number("cache_gb", into.storage.cacheGb, 0, huge);
        section.number("shared_read_ahead", into.storage.sharedReadAhead, 0, 0.9);
    });
}

void readJob(Section& all, Parameters& into)
{
    inSection(all, "data", [&](Section& section) {
        section.number("samples", into.data.samples, 1, huge);
        section.number("bytes", into.data.bytes, 0, huge);
        section.number("files", into.data.files, 1, 1e6);
        section.choice("shard_rule", into.data.rule,
                       {{"sticky", ShardRule::Sticky}, {"reshuffle", ShardRule::Reshuffle}, {"rotate", ShardRule::Rotate}});
        section.number("request_kb", into.data.requestKb, 0.001, huge);
        section.number("request_us", into.data.requestUs, 0, huge);
        section.number("decode_ms", into.data.decodeMs, 0, huge);
    });
    inSection(all, "model", [&](Section& section) {
        section.get("name", into.model.name);
        section.number("gradient_mb", into.model.gradientMb, 0, huge);
        section.get("buckets_mib", into.model.bucketsMib);
        section.number("compute_ms", into.model.computeMs, 1e-6, huge);
        section.number("forward_share", into.model.forwardShare, 0, 1);
        section.number("optimizer_share", into.model.optimizerShare, 0, 1 - into.model.forwardShare);
        section.number("jitter", into.model.jitter, 0, 0.3);
        section.get("overlap", into.model.overlap);
        section.number("batch_per_gpu", into.model.batchPerGpu, 1, 1e9);
    });
    inSection(all, "training", [&](Section& section) {
        section.number("epochs", into.training.epochs, 1, 100'000);
        section.number("steps_per_epoch", into.training.stepsPerEpoch, 0, 1e9);
        section.number("target", into.training.target, 0, 1);
        section.number("evaluate_every", into.training.evaluateEvery, 0, 1e6);
        section.number("evaluation_s", into.training.evaluationS, 0, huge);
        section.number("checkpoint_every", into.training.checkpointEvery, 0, 1e6);
        section.number("checkpoint_s", into.training.checkpointS, 0, huge);
        section.number("shuffle_pause_s", into.training.shufflePauseS, 0, huge);
    });
}

void readRest(Section& all, Parameters& into)
{
    inSection(all, "recording", [&](Section& section) {
        section.number("every_step", into.recording.everyStep, 1, huge);
        section.get("epoch_marks", into.recording.epochMarks);
        section.number("reads_per_step", into.recording.readsPerStep, 1, huge);
        section.number("counters_per_second", into.recording.countersPerSecond, 1e-6, 1000);
    });
    eachOf(all, "clocks", [&](Section& section) {
        Clock& clock = into.clocks.emplace_back();
        section.number("node", clock.node, 0, into.cluster.nodes - 1);
        section.number("offset_ms", clock.offsetMs, -1e6, 1e6);
        section.number("drift_ppm", clock.driftPpm, -1000, 1000);
    });
    eachOf(all, "faults", [&](Section& section) {
        Fault& fault = into.faults.emplace_back();
        section.get("kind", fault.kind);
        section.get("amount", fault.amount);
        section.number("rank", fault.rank, 0, into.ranks() - 1);
        if (findFault(fault.kind) == nullptr) throw Error(section.pathOf("kind"), "no fault '", fault.kind, "'; expected ", faultNames());
    });
}

void checkWhole(const Parameters& parameters, const std::string& where)
{
    if (parameters.steps() < 1)
        throw Error(where, "an epoch has no whole step: ", parameters.data.samples, " samples, ", parameters.globalBatch(), " in a step");
    if (parameters.model.bucketsMib.empty()) throw Error(where + ".model.buckets_mib", "expected at least one bucket");
    for (const double bucket : parameters.model.bucketsMib)
        if (!(bucket > 0)) throw Error(where + ".model.buckets_mib", "expected sizes above 0");
}

}  // namespace

std::int64_t Parameters::steps() const { return training.stepsPerEpoch > 0 ? training.stepsPerEpoch : data.samples / globalBatch(); }

Parameters parametersOf(const std::string& json, const std::string& where)
{
    Json document;
    try {
        document = Json::parse(json, nullptr, true, true);
    } catch (const Json::exception& error) {
        throw Error(where, "no JSON: ", error.what());
    }
    Parameters parameters;
    Section all(document, where);
    all.get("title", parameters.title);
    all.get("comment", parameters.comment);
    all.get("seed", parameters.seed);
    readMachines(all, parameters);
    readJob(all, parameters);
    readRest(all, parameters);
    all.finish();
    checkWhole(parameters, where);
    return parameters;
}

Parameters readParameters(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    if (!stream) throw Error(file.string(), "cannot be read");
    return parametersOf(text.str(), file.string());
}

}  // namespace flowgauge::simulate
