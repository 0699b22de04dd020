// SPDX-License-Identifier: MIT
#include "gui/load/strips.h"

#include "analyzer/facts/counter_series.h"
#include "gui/timeline/selection_stats.h"

#include <algorithm>

namespace flowgauge::load {

namespace {

using timeline::Cell;
using timeline::Row;
using timeline::RowKind;
using timeline::Strip;
using timeline::Tone;

/// Marks that lie around everything else: the rank's own row shows them.
bool isFrame(Kind kind)
{
    return kind == Kind::EpochStart || kind == Kind::EpochMark || kind == Kind::StepMark || kind == Kind::PhaseStart ||
           kind == Kind::CounterSample || kind == Kind::Communicator;
}

float shareOf(Nanos part, Nanos whole) { return static_cast<float>(static_cast<double>(part) / static_cast<double>(whole)); }

const facts::RankFacts* factsOf(const RunSnapshot& run, const Row& row)
{
    return run.analysis && row.rankAt < run.analysis->facts.ranks.size() ? &run.analysis->facts.ranks[row.rankAt] : nullptr;
}

void merge(store::RunStore& store, const store::Bucket& bucket, Cell& cell)
{
    cell.events += bucket.events;
    cell.busy = std::min(1.0F, std::max(cell.busy, bucket.busy));
    if (bucket.leadingKind == Kind::None || bucket.longest < cell.longest) return;
    cell.longest = bucket.longest;
    cell.kind = bucket.leadingKind;
    cell.name = bucket.leadingName;
    cell.tone = timeline::toneOf(bucket.leadingKind);
    cell.shade = timeline::shadeOf(nameText(store, bucket.leadingKind, bucket.leadingName));
}

void addTracks(store::RunStore& store, const std::vector<store::Id>& tracks, Strip& strip)
{
    for (const store::Id track : tracks) {
        const auto buckets = store.buckets(track, strip.window(), static_cast<int>(strip.count));
        for (std::size_t i = 0; i < buckets.size(); ++i)
            if (buckets[i].leadingKind != Kind::None) merge(store, buckets[i], strip.cells[i]);
    }
}

/// Where a set lies: visit(cell, share of its width). One sweep over both.
template <typename Visit>
void sweep(const facts::IntervalSet& set, const Strip& strip, const Visit& visit)
{
    const auto& intervals = set.intervals();
    const Interval window = strip.window();
    auto at =
        std::lower_bound(intervals.begin(), intervals.end(), window.begin, [](const Interval& one, Nanos time) { return one.end <= time; });
    for (; at != intervals.end() && at->begin < window.end; ++at) {
        const Interval part{std::max(at->begin, window.begin), std::min(at->end, window.end)};
        for (auto i = static_cast<std::size_t>((part.begin - strip.begin) >> strip.widthLog2);
             i < strip.count && strip.cellAt(i).begin < part.end; ++i) {
            const Interval cell = strip.cellAt(i);
            visit(i, shareOf(std::min(part.end, cell.end) - std::max(part.begin, cell.begin), strip.width()));
        }
    }
}

void addExposed(const RunSnapshot& run, const Row& row, Strip& strip)
{
    if (factsOf(run, row) == nullptr) return;
    sweep(run.analysis->parts[row.rankAt].exposedCommunication, strip, [&](std::size_t i, float share) {
        strip.cells[i].exposed += share;
        strip.cells[i].second = Tone::ExposedCommunication;
    });
}

void addParts(const RunSnapshot& run, const Row& row, Strip& strip)
{
    if (factsOf(run, row) == nullptr) return;
    const facts::PartSets& parts = run.analysis->parts[row.rankAt];
    sweep(parts.compute, strip, [&](std::size_t i, float share) {
        strip.cells[i].busy += share;
        strip.cells[i].tone = Tone::Compute;
    });
    const auto addSecond = [&](const facts::IntervalSet& set, Tone tone) {
        sweep(set, strip, [&](std::size_t i, float share) {
            strip.cells[i].exposed += share;
            strip.cells[i].second = tone;
        });
    };
    addSecond(parts.exposedCopy, Tone::Copy);
    addSecond(parts.inputStall, Tone::InputStall);
    for (Cell& cell : strip.cells) {
        cell.busy = std::min(1.0F, cell.busy + cell.exposed);  // `exposed` is the upper part of what is drawn
        if (cell.tone == Tone::None && cell.second != Tone::None) cell.tone = cell.second;
    }
}

void addPhases(const RunSnapshot& run, const Row& row, Strip& strip)
{
    const facts::RankFacts* rank = factsOf(run, row);
    if (rank == nullptr) return;
    std::vector<float> most(strip.count, 0);
    for (const auto& [name, set] : rank->phases) {
        const Tone tone = timeline::toneOfPhase(name);
        const std::uint8_t shade = timeline::shadeOf(name);
        sweep(set, strip, [&](std::size_t i, float share) {
            Cell& cell = strip.cells[i];
            cell.busy = std::min(1.0F, cell.busy + share);
            if (share < most[i]) return;
            most[i] = share;
            cell.tone = tone;
            cell.shade = shade;
        });
    }
}

/// A rank's tracks of what it did; marks tell what it was for.
std::vector<store::Id> worksOf(const RunSnapshot& run, const Row& row)
{
    std::vector<store::Id> tracks;
    for (const TrackInfo& track : run.tracks)
        if (track.rank == row.rank && track.row.key.lane != Lane::Mark && track.row.key.lane != Lane::Counter &&
            track.row.key.lane != Lane::Socket)
            tracks.push_back(track.row.id);
    return tracks;
}

/// A rank in one line: how much of the time it did something, in the tone of what took most of it. Without an analysis, from its tracks.
void addHeat(store::RunStore& store, const RunSnapshot& run, const Row& row, Strip& strip)
{
    if (factsOf(run, row) == nullptr) return addTracks(store, worksOf(run, row), strip);
    std::vector<float> most(strip.count, 0);
    const auto add = [&](const facts::IntervalSet& set, Tone tone) {
        std::vector<float> shares(strip.count, 0);
        sweep(set, strip, [&](std::size_t i, float share) { shares[i] += share; });
        for (std::size_t i = 0; i < strip.count; ++i) {
            strip.cells[i].busy = std::min(1.0F, strip.cells[i].busy + shares[i]);
            if (shares[i] <= most[i]) continue;
            most[i] = shares[i];
            strip.cells[i].tone = tone;
        }
    };
    const facts::PartSets& parts = run.analysis->parts[row.rankAt];
    add(parts.compute, Tone::Compute);
    add(parts.exposedCommunication, Tone::ExposedCommunication);
    add(parts.exposedCopy, Tone::Copy);
    add(parts.inputStall, Tone::InputStall);
}

facts::CounterSeries seriesOf(store::RunStore& store, store::Id track, Counter counter, Interval window)
{
    facts::CounterSeries series;
    const double scale = rowOf(counter).scale;
    store::EventQuery query{{}, {track}, window};
    store.scan(query, [&](const store::TrackRow&, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events) series.add(event.begin, static_cast<double>(event.arg[2]) * scale);
        return true;
    });
    return series;
}

struct TrackSeries {
    facts::CounterSeries series;
    Interval extent;
};

std::vector<TrackSeries> seriesOf(store::RunStore& store, const RunSnapshot& run, const std::vector<store::Id>& tracks, Interval window)
{
    std::vector<TrackSeries> all;
    constexpr Nanos margin = 5'000'000'000;  // samples on both sides, so that the curve does not end before the window
    for (const store::Id id : tracks) {
        const TrackInfo* track = run.track(id);
        if (track == nullptr || !track->row.key.counter) continue;
        all.push_back({seriesOf(store, id, *track->row.key.counter, {window.begin - margin, window.end + margin}), track->row.extent});
    }
    return all;
}

double growthOf(const std::vector<TrackSeries>& all, Interval cell)
{
    double sum = 0;
    for (const TrackSeries& one : all) sum += one.series.growth(cell);
    return sum;
}

/// One cell of a curve; `unknown` outside of what was sampled.
float valueOf(const Row& row, const std::vector<TrackSeries>& values, const std::vector<TrackSeries>& over, Interval cell)
{
    const bool sampled = std::any_of(values.begin(), values.end(),
                                     [&](const TrackSeries& one) { return one.extent.begin <= cell.end && cell.begin <= one.extent.end; });
    if (!sampled) return timeline::unknown;
    const double seconds = static_cast<double>(cell.length()) / 1e9;
    switch (row.unit) {
        case timeline::Unit::Bytes: {
            double sum = 0;
            for (const TrackSeries& one : values) sum += one.series.valueAt(cell.begin + cell.length() / 2);
            return static_cast<float>(sum);
        }
        case timeline::Unit::Share: {
            const double all = growthOf(over, cell);
            return all > 0 ? static_cast<float>(std::clamp(1 - growthOf(values, cell) / all, 0.0, 1.0)) : timeline::unknown;
        }
        case timeline::Unit::Milliseconds: {
            const double operations = growthOf(over, cell);
            return operations > 0 ? static_cast<float>(growthOf(values, cell) / operations) : timeline::unknown;
        }
        default:
            return static_cast<float>(std::max(0.0, growthOf(values, cell)) / seconds);
    }
}

void addLines(store::RunStore& store, const RunSnapshot& run, const Row& row, Strip& strip)
{
    for (const timeline::Line& line : row.lines) {
        const auto values = seriesOf(store, run, line.tracks, strip.window());
        const auto over = seriesOf(store, run, line.overTracks, strip.window());
        std::vector<float> curve(strip.count, timeline::unknown);
        for (std::size_t i = 0; i < strip.count; ++i) curve[i] = valueOf(row, values, over, strip.cellAt(i));
        strip.lines.push_back(std::move(curve));
    }
}

}  // namespace

std::string nameText(store::RunStore& store, Kind kind, store::Id name)
{
    return name > 0 ? store.nameText(name) : std::string(rowOf(kind).sqlName);
}

Strip stripOf(store::RunStore& store, const RunSnapshot& run, const Row& row, const timeline::StripFrame& frame)
{
    Strip strip{frame.begin, frame.widthLog2, frame.count, {}, {}};
    if (row.kind == RowKind::Counter) {
        addLines(store, run, row, strip);
        return strip;
    }
    strip.cells.resize(frame.count);
    switch (row.kind) {
        case RowKind::Communication:
            addTracks(store, row.tracks, strip);
            addExposed(run, row, strip);
            break;
        case RowKind::Parts:
            addParts(run, row, strip);
            break;
        case RowKind::Phases:
            addPhases(run, row, strip);
            break;
        case RowKind::Events:
            addTracks(store, row.tracks, strip);
            break;
        case RowKind::Rank:
            addHeat(store, run, row, strip);
            break;
        default:
            break;
    }
    return strip;
}

timeline::Bar barOf(store::RunStore& store, store::Id track, const store::StoredEvent& event)
{
    timeline::Bar bar{event, track, nameText(store, event.kind, timeline::nameOf(event)), timeline::bytesOf(event)};
    const bool isPhase = event.kind == Kind::PhaseMark || event.kind == Kind::Range;
    bar.tone = isPhase ? timeline::toneOfPhase(bar.name) : timeline::toneOf(event.kind);
    bar.shade = timeline::shadeOf(bar.name);
    return bar;
}

RowBars barsOf(store::RunStore& store, const Row& row, Interval window, std::size_t most, const Cancel& cancel)
{
    RowBars found{window, {}, 1, true};
    if (row.tracks.empty()) return found;
    store.scan({{}, row.tracks, window}, [&](const store::TrackRow& track, std::span<const store::StoredEvent> events) {
        for (const store::StoredEvent& event : events) {
            if (isFrame(event.kind)) continue;
            if (found.bars.size() >= most || *cancel) {
                found.all = false;
                return false;
            }
            found.bars.push_back(barOf(store, track.id, event));
        }
        return true;
    });
    std::sort(found.bars.begin(), found.bars.end(),
              [](const timeline::Bar& left, const timeline::Bar& right) { return left.event.begin < right.event.begin; });
    found.lanes = timeline::assignLanes(found.bars);
    return found;
}

}  // namespace flowgauge::load
