// SPDX-License-Identifier: MIT
#include "analyzer/facts/epoch_rhythm.h"

#include "analyzer/facts/median.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace flowgauge::facts {
namespace {

/// An epoch has at least so many steps: what returns sooner is a step's own rhythm.
constexpr std::size_t leastSteps = 8;
/// A pause that divides epochs is so much longer than the longest that does not.
constexpr double standsOut = 1.5;
/// Epochs differ by no more than this share of their steps, or by one step.
constexpr double mayDiffer = 0.03;

/// What a rank's traffic consists of, in order of time, and how many of them make a step.
struct Pulses {
    std::vector<Interval> all;
    std::size_t perStep = 1;
};

/// The smallest distance after which sizes repeat, nearly always: a step's collectives are the same ones each time.
std::size_t periodOf(const std::vector<CollectiveCall>& calls)
{
    constexpr double nearlyAlways = 0.9;
    constexpr std::size_t most = 1000;
    for (std::size_t period = 1; period <= most && leastSteps * period < calls.size(); ++period) {
        std::size_t same = 0;
        for (std::size_t i = period; i < calls.size(); ++i) same += calls[i].bytes == calls[i - period].bytes;
        if (static_cast<double>(same) >= nearlyAlways * static_cast<double>(calls.size() - period)) return period;
    }
    return 0;
}

Pulses pulsesOf(const RankFacts& rank)
{
    Pulses pulses;
    if (rank.collectives.empty()) {
        for (const Step& step : rank.steps) pulses.all.push_back(step.when);
        return pulses;
    }
    for (const CollectiveCall& call : rank.collectives) pulses.all.push_back(call.when);
    pulses.perStep = periodOf(rank.collectives);
    return pulses;
}

/// The pause before each pulse; none before the first.
std::vector<Nanos> pausesOf(const std::vector<Interval>& pulses)
{
    std::vector<Nanos> pauses;
    Nanos end = pulses.empty() ? 0 : pulses.front().end;
    for (const Interval pulse : pulses) {
        pauses.push_back(std::max<Nanos>(0, pulse.begin - end));
        end = std::max(end, pulse.end);
    }
    return pauses;
}

/// Steps in each stretch that begins at one of `borders`.
std::vector<double> stepsBetween(const std::vector<std::size_t>& borders, const Pulses& pulses)
{
    std::vector<double> steps;
    for (std::size_t i = 0; i < borders.size(); ++i) {
        const std::size_t end = i + 1 < borders.size() ? borders[i + 1] : pulses.all.size();
        steps.push_back(static_cast<double>(end - borders[i]) / static_cast<double>(pulses.perStep));
    }
    return steps;
}

/// How alike the stretches are, 0..1; nothing where they are not. The last may have been cut short.
std::optional<double> likenessOf(const std::vector<double>& steps)
{
    const double usual = medianOf(std::vector<double>(steps.begin(), steps.end() - (steps.size() > 2 ? 1 : 0)));
    if (usual < static_cast<double>(leastSteps)) return std::nullopt;
    const double allowed = std::max(1.0, mayDiffer * usual);
    double off = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const bool cutShort = i + 1 == steps.size() && steps.size() > 2 && steps[i] < usual;
        if (cutShort) continue;
        if (std::abs(steps[i] - usual) > allowed) return std::nullopt;
        off += std::abs(steps[i] - usual) / usual;
    }
    return 1 - off / static_cast<double>(steps.size());
}

Rhythm rhythmAt(const std::vector<std::size_t>& borders, const Pulses& pulses, double likeness)
{
    Rhythm rhythm;
    for (std::size_t i = 0; i < borders.size(); ++i) {
        const std::size_t end = i + 1 < borders.size() ? borders[i + 1] : pulses.all.size();
        Interval stretch = pulses.all[borders[i]];
        for (std::size_t pulse = borders[i]; pulse < end; ++pulse) stretch.end = std::max(stretch.end, pulses.all[pulse].end);
        rhythm.stretches.push_back(stretch);
    }
    rhythm.confidence = likeness * (1 - std::pow(0.5, static_cast<double>(borders.size() - 1)));
    return rhythm;
}

/// Below this part of the mean rate a port only keeps connections alive.
constexpr double movesFrom = 0.1;
/// A reading of a counter is so often enough for a pause to be one, and an epoch is so much longer than the pause behind it.
constexpr double leastReadings = 3, leastPauses = 4;
/// Lengths of epochs differ by no more than this share: readings blur both ends.
constexpr double lengthsDiffer = 0.1;
constexpr double anybodysPort = 0.5;

std::vector<Interval> movingIn(const std::vector<CounterSeries::Rate>& rates)
{
    if (rates.empty()) return {};
    double moved = 0;
    for (const CounterSeries::Rate& rate : rates) moved += rate.perSecond * static_cast<double>(rate.over.length());
    const double mean = moved / static_cast<double>(rates.back().over.end - rates.front().over.begin);
    const Nanos reading = (rates.back().over.end - rates.front().over.begin) / static_cast<Nanos>(rates.size());
    IntervalSet moving;
    for (const CounterSeries::Rate& rate : rates)
        if (rate.perSecond >= movesFrom * mean) moving.append(rate.over, static_cast<Nanos>(leastReadings * static_cast<double>(reading)));
    return moving.intervals();
}

/// Joined over all pauses that are shorter.
std::vector<Interval> dividedAt(const std::vector<Interval>& moving, const std::vector<Nanos>& pauses, Nanos shortest)
{
    std::vector<Interval> stretches;
    for (std::size_t i = 0; i < moving.size(); ++i)
        if (stretches.empty() || pauses[i] >= shortest)
            stretches.push_back(moving[i]);
        else
            stretches.back().end = moving[i].end;
    return stretches;
}

/// How alike the lengths are, 0..1; nothing where they are not, or are no longer than pauses. The last may have been cut short.
std::optional<double> likenessOf(const std::vector<Interval>& stretches, Nanos longestPause)
{
    std::vector<double> lengths;
    lengths.reserve(stretches.size());
    for (const Interval stretch : stretches) lengths.push_back(static_cast<double>(stretch.length()));
    const double usual = medianOf(std::vector<double>(lengths.begin(), lengths.end() - (lengths.size() > 2 ? 1 : 0)));
    if (usual < leastPauses * static_cast<double>(longestPause)) return std::nullopt;
    double off = 0;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const bool cutShort = i + 1 == lengths.size() && lengths.size() > 2 && lengths[i] < usual;
        if (!cutShort && std::abs(lengths[i] - usual) > lengthsDiffer * usual) return std::nullopt;
        off += cutShort ? 0 : std::abs(lengths[i] - usual) / usual;
    }
    return 1 - off / static_cast<double>(lengths.size());
}

void put(const Rhythm& rhythm, RankFacts& rank)
{
    for (const Interval stretch : rhythm.stretches) {
        EpochPart& part = rank.epochs.emplace_back();
        part.number = static_cast<std::int64_t>(rank.epochs.size());
        part.when = stretch;
        part.fetchesFrom = stretch.begin;
        part.asked = part.fetched = Measured<std::int64_t>::missing("these epochs are a rhythm of traffic: reads are not counted by it");
    }
}

}  // namespace

std::optional<Rhythm> rhythmOf(const RankFacts& rank)
{
    const Pulses pulses = pulsesOf(rank);
    if (pulses.perStep == 0 || pulses.all.size() < 2 * leastSteps * pulses.perStep) return std::nullopt;
    const std::vector<Nanos> pauses = pausesOf(pulses.all);
    std::vector<std::size_t> longest(pauses.size());
    std::iota(longest.begin(), longest.end(), std::size_t{0});
    std::stable_sort(longest.begin(), longest.end(), [&](std::size_t left, std::size_t right) { return pauses[left] > pauses[right]; });
    const std::size_t most = pulses.all.size() / (leastSteps * pulses.perStep);
    for (std::size_t taken = 1; taken < most && taken < longest.size(); ++taken) {
        const double next = static_cast<double>(pauses[longest[taken]]);
        if (static_cast<double>(pauses[longest[taken - 1]]) <= standsOut * next) continue;
        std::vector<std::size_t> borders{0};
        borders.insert(borders.end(), longest.begin(), longest.begin() + static_cast<std::ptrdiff_t>(taken));
        std::sort(borders.begin(), borders.end());
        if (const auto likeness = likenessOf(stepsBetween(borders, pulses))) return rhythmAt(borders, pulses, *likeness);
    }
    return std::nullopt;
}

std::optional<Rhythm> rhythmOfTraffic(const std::vector<CounterSeries::Rate>& rates)
{
    const std::vector<Interval> moving = movingIn(rates);
    const std::vector<Nanos> pauses = pausesOf(moving);
    std::vector<Nanos> longest = pauses;
    std::sort(longest.rbegin(), longest.rend());
    for (std::size_t taken = 1; taken < longest.size(); ++taken) {  // the last pause is the 0 before the first stretch
        if (static_cast<double>(longest[taken - 1]) <= standsOut * static_cast<double>(longest[taken])) continue;
        const std::vector<Interval> stretches = dividedAt(moving, pauses, longest[taken - 1]);
        if (const auto likeness = likenessOf(stretches, longest[0]))
            return Rhythm{stretches, anybodysPort * *likeness * (1 - std::pow(0.5, static_cast<double>(taken)))};
    }
    return std::nullopt;
}

std::optional<double> putEpochs(const std::optional<Rhythm>& rhythm, std::vector<RankFacts>& ranks)
{
    if (!rhythm || ranks.empty()) return std::nullopt;
    for (RankFacts& rank : ranks) put(*rhythm, rank);
    return rhythm->confidence;
}

std::optional<double> putRhythmEpochs(std::vector<RankFacts>& ranks)
{
    std::vector<Rhythm> found;
    for (const RankFacts& rank : ranks) {
        auto rhythm = rhythmOf(rank);
        if (!rhythm || (!found.empty() && found.front().stretches.size() != rhythm->stretches.size())) return std::nullopt;
        found.push_back(std::move(*rhythm));
    }
    if (found.empty()) return std::nullopt;
    double confidence = 1;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        confidence = std::min(confidence, found[i].confidence);
        put(found[i], ranks[i]);
    }
    return confidence;
}

}  // namespace flowgauge::facts
