// SPDX-License-Identifier: MIT
#include "workloads/simulate/books.h"

#include "workloads/simulate/faults.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace flowgauge::simulate {
namespace {

using Json = nlohmann::ordered_json;

double lengthOf(Interval when) { return static_cast<double>(when.length()); }

/// Of the calls' union, what lies outside of the compute until `computed` and behind it.
struct Exposed {
    Nanos all = 0;
    Nanos end = 0;
};
Exposed exposedAfter(Nanos computed, const std::vector<Interval>& calls)
{
    Exposed exposed{0, computed};
    for (const Interval call : calls) {
        const Nanos begin = std::max(call.begin, exposed.end);
        if (call.end <= begin) continue;
        exposed.all += call.end - begin;
        exposed.end = call.end;
    }
    return exposed;
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::size_t blank = std::min(text.find(' '), text.size());
        words.emplace_back(text.substr(0, blank));
        text.remove_prefix(std::min(blank + 1, text.size()));
    }
    return words;
}

Nanos lengthWithout(const Parameters& parameters, int fault)
{
    const Parameters without = withFaults(parameters, fault);
    Books books(without);
    const std::array<Observer*, 1> observers{&books};
    play(without, observers);
    return books.end();
}

}  // namespace

void Books::step(const StepNumber& number, std::span<const RankStep> ranks)
{
    if (number.inEpoch == 0) m_epoch = {number.epoch, {ranks.front().begin, 0}, 0, 0, 0, false};
    std::size_t last = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (!ranks[i].calls.empty() && ranks[i].calls.back().begin > ranks[last].calls.back().begin) last = i;
    for (const RankStep& rank : ranks) {
        const Exposed exposed = exposedAfter(rank.backward, rank.calls);
        const Nanos optimizer = rank.end - std::max(rank.backward, exposed.end);
        m_parts.wall += static_cast<double>(rank.end - rank.begin);
        m_parts.compute += static_cast<double>(rank.backward - rank.fed + optimizer);
        m_parts.exposedCommunication += static_cast<double>(exposed.all);
        m_parts.inputStall += static_cast<double>(rank.fed - rank.begin);
        m_epoch.asked += static_cast<double>(rank.asked);
        m_epoch.fetched += static_cast<double>(rank.fetched);
        if (rank.calls.empty()) continue;
        const Nanos arrival = ranks[last].calls.back().begin;
        m_awaited[last] += static_cast<double>(std::max<Nanos>(0, arrival - std::max(rank.backward, rank.calls.back().begin)));
    }
    m_parts.otherIdle = m_parts.wall - m_parts.compute - m_parts.exposedCommunication - m_parts.inputStall;
}

void Books::border(const Border& border)
{
    m_epoch.when = border.training;
    m_epoch.accuracy = border.accuracy;
    m_epoch.evaluated = !border.evaluation.empty();
    m_epochs.push_back(m_epoch);
    m_pauses += lengthOf(border.pause);
}

double Books::awaitedMost() const
{
    if (m_awaited.size() < 2) return 0;
    return *std::max_element(m_awaited.begin(), m_awaited.end()) / static_cast<double>(m_awaited.size() - 1);
}

std::string truthOf(const Parameters& parameters, const Books& books)
{
    const Books::Parts& parts = books.parts();
    Json truth{{"schema", 1}, {"simulated", true}, {"title", parameters.title}, {"seed", parameters.seed}};
    truth["ranks"] = parameters.ranks();
    truth["run_ns"] = books.end();
    truth["parts"] = {{"compute", parts.compute / parts.wall},
                      {"exposed communication", parts.exposedCommunication / parts.wall},
                      {"input stall", parts.inputStall / parts.wall},
                      {"other idle", parts.otherIdle / parts.wall}};
    truth["shuffle_gap_share"] = books.pauses() / static_cast<double>(books.end());
    truth["straggler_share"] = books.awaitedMost() * parameters.ranks() / parts.wall;
    truth["epochs"] = Json::array();
    const double samples = static_cast<double>(parameters.steps() * parameters.globalBatch());
    for (const Books::Epoch& epoch : books.epochs())
        truth["epochs"].push_back({{"number", epoch.number},
                                   {"begin_ns", epoch.when.begin},
                                   {"end_ns", epoch.when.end},
                                   {"samples_per_second", samples * 1e9 / lengthOf(epoch.when)},
                                   {"asked_bytes", epoch.asked},
                                   {"fetched_bytes", epoch.fetched},
                                   {"accuracy", epoch.evaluated ? Json(epoch.accuracy) : Json()}});
    truth["faults"] = Json::array();
    for (std::size_t i = 0; i < parameters.faults.size(); ++i) {
        const Fault& fault = parameters.faults[i];
        const auto length = static_cast<double>(books.end());
        truth["faults"].push_back({{"kind", fault.kind},
                                   {"amount", fault.amount},
                                   {"rank", fault.rank},
                                   {"diagnoses", wordsOf(findFault(fault.kind)->diagnoses)},
                                   {"gain", 1 - static_cast<double>(lengthWithout(parameters, static_cast<int>(i))) / length}});
    }
    return truth.dump(2) + "\n";
}

}  // namespace flowgauge::simulate
