// SPDX-License-Identifier: MIT
#include "analyzer/facts/read_places.h"

#include <algorithm>

namespace flowgauge::facts {

ReadPlaces::ReadPlaces(const std::vector<MarkedEpoch>& epochs, const RankFacts& rank)
    : m_epochs(epochs), m_reads(epochs.size()), m_evaluation(epochs.size())
{
    addPhases(rank.phase(facts::Phase::Evaluation), "evaluation");
    addPhases(rank.phase(facts::Phase::Checkpoint).minus(rank.phase(facts::Phase::Evaluation)), "checkpoint");
    std::sort(m_phases.begin(), m_phases.end(), [](const Phase& left, const Phase& right) { return left.when.begin < right.when.begin; });
}

void ReadPlaces::addPhases(const IntervalSet& set, const char* name)
{
    for (const Interval when : set.intervals()) {
        const auto later = std::partition_point(m_epochs.begin(), m_epochs.end(),
                                                [&](const MarkedEpoch& epoch) { return epoch.when.begin <= when.begin; });
        m_phases.push_back({when, name, static_cast<std::size_t>(later - m_epochs.begin())});
    }
}

void ReadPlaces::take(Cursor& cursor, std::int64_t file, Nanos begin, const ReadCount& read)
{
    while (cursor.phase < m_phases.size() && begin >= m_phases[cursor.phase].when.end) ++cursor.phase;
    if (cursor.phase < m_phases.size() && m_phases[cursor.phase].when.contains(begin)) return takePhase(m_phases[cursor.phase], read);
    while (cursor.epoch < m_epochs.size() && begin >= m_epochs[cursor.epoch].when.end) ++cursor.epoch;
    if (cursor.epoch == m_epochs.size()) {
        m_elsewhere["after the last epoch"] += read;
        return;
    }
    if (cursor.epoch == 0 && begin < m_epochs.front().when.begin) {
        Early& early = m_early[file];
        early.first = early.read.calls == 0 ? begin : std::min(early.first, begin);
        early.read += read;
        return;
    }
    if (cursor.epoch == 0 && file != m_lastFile) {
        m_filesOfFirst.insert(file);
        m_lastFile = file;
    }
    m_reads[cursor.epoch] += read;
}

void ReadPlaces::takePhase(const Phase& phase, const ReadCount& read)
{
    m_elsewhere[phase.name] += read;
    if (phase.after > 0) m_evaluation[phase.after - 1] += read;
}

void ReadPlaces::finish(RankFacts& rank) const
{
    for (std::size_t i = 0; i < rank.epochs.size(); ++i) {
        rank.epochs[i].reads = m_reads[i];
        rank.epochs[i].evaluation = m_evaluation[i];
        rank.epochs[i].fetchesFrom = i == 0 ? rank.epochs[i].when.begin : rank.epochs[i - 1].when.end;
    }
    rank.readsElsewhere = m_elsewhere;
    for (const auto& [file, early] : m_early) {
        if (!m_filesOfFirst.contains(file)) {
            rank.readsElsewhere["start-up"] += early.read;
            continue;
        }
        EpochPart& first = rank.epochs.front();
        first.reads += early.read;
        first.fetchesFrom = std::min(first.fetchesFrom, early.first);
    }
}

}  // namespace flowgauge::facts
