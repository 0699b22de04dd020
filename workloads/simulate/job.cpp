// SPDX-License-Identifier: MIT
#include "workloads/simulate/job.h"

#include "workloads/simulate/cache_model.h"

#include <algorithm>
#include <cmath>

namespace flowgauge::simulate {
namespace {

/// Reading what lies in memory: bytes per second.
constexpr double cachedRate = 5e9;

/// Numbers that look random and depend on nothing but their arguments (splitmix64's mixer).
std::uint64_t mixed(std::uint64_t value)
{
    value += 0x9E3779B97F4A7C15U;
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

/// Mean 0, standard deviation 1: the sum of four 16-bit uniforms.
double nearlyNormal(std::uint64_t seed, std::uint64_t first, std::uint64_t second)
{
    const std::uint64_t bits = mixed(mixed(seed ^ mixed(first)) ^ second);
    double sum = 0;
    for (unsigned i = 0; i < 4; ++i) sum += static_cast<double>((bits >> (16U * i)) & 0xFFFFU) / 65536.0;
    return (sum - 2) * std::sqrt(3.0);
}

Nanos nanosOf(double seconds) { return std::llround(seconds * 1e9); }

class Player {
public:
    Player(const Parameters& parameters, std::span<Observer* const> observers)
        : m_parameters(parameters),
          m_observers(observers),
          m_cache(parameters),
          m_buckets(bucketsOf(parameters)),
          m_ranks(static_cast<std::size_t>(parameters.ranks())),
          m_slower(m_ranks.size(), 1.0)
    {
        for (const SlowRank& slow : parameters.slowRanks)
            if (static_cast<std::size_t>(slow.rank) < m_slower.size()) m_slower[static_cast<std::size_t>(slow.rank)] += slow.slower;
    }

    void play()
    {
        const std::int64_t steps = m_parameters.steps();
        for (int epoch = 1; epoch <= m_parameters.training.epochs; ++epoch) {
            setEpoch(epoch);
            for (std::int64_t step = 0; step < steps; ++step) {
                takeStep(epoch, step);
                for (Observer* observer : m_observers) observer->step({epoch, step, m_inRun, step + 1 == steps}, m_ranks);
                ++m_inRun;
            }
            endEpoch(epoch);
        }
        for (Observer* observer : m_observers) observer->end(m_now + startUp / 10);
    }

private:
    void setEpoch(int epoch)
    {
        const double bytes = m_parameters.bytesPerSample() * m_parameters.model.batchPerGpu;
        const double fetched = bytes * m_cache.fetchedShare(epoch);
        const double rate = m_cache.nodeRate() / m_parameters.cluster.gpusPerNode;
        const double calls = std::ceil(bytes / (m_parameters.data.requestKb * 1e3));
        m_reads = nanosOf(fetched / rate + (bytes - fetched) / cachedRate + calls * m_parameters.data.requestUs * 1e-6);
        m_load = m_reads + std::llround(m_parameters.data.decodeMs * 1e6);
        m_asked = std::llround(bytes);
        m_fetched = std::llround(fetched);
        m_epochBegin = m_now;
        for (RankStep& rank : m_ranks) {
            rank.end = m_now;
            rank.load = {m_now, m_now + m_load};
        }
    }

    void takeStep(int epoch, std::int64_t step)
    {
        for (std::size_t i = 0; i < m_ranks.size(); ++i) compute(i, epoch, step);
        reduce();
        m_now = 0;
        const auto optimizer = m_parameters.model.computeMs * m_parameters.model.optimizerShare * 1e6;
        for (std::size_t i = 0; i < m_ranks.size(); ++i) {
            RankStep& rank = m_ranks[i];
            const Nanos reduced = rank.calls.empty() ? rank.backward : std::max(rank.backward, rank.calls.back().end);
            rank.end = reduced + std::llround(optimizer * m_slower[i]);
            m_now = std::max(m_now, rank.end);
        }
    }

    /// The loader begins a batch when the step takes the one before.
    void compute(std::size_t i, int epoch, std::int64_t step)
    {
        RankStep& rank = m_ranks[i];
        const Nanos previous = rank.fed;
        rank.begin = rank.end;
        if (step > 0) rank.load.begin = std::max(rank.load.end, previous);
        rank.load.end = rank.load.begin + m_load;
        rank.reads = m_reads;
        rank.asked = m_asked;
        rank.fetched = m_fetched;
        rank.fed = std::max(rank.begin, rank.load.end);
        const std::uint64_t moment = static_cast<std::uint64_t>(epoch) << 40U | static_cast<std::uint64_t>(step);
        const double noise = 1 + m_parameters.model.jitter * nearlyNormal(m_parameters.seed, moment, i);
        const double time = m_parameters.model.computeMs * 1e6 * noise * m_slower[i];
        rank.forward = rank.fed + std::llround(time * m_parameters.model.forwardShare);
        rank.backward = rank.forward + std::llround(time * (1 - m_parameters.model.forwardShare - m_parameters.model.optimizerShare));
    }

    /// Buckets go one after the other. Overlapped, a rank hands in a bucket when its gradients are there; else each waits for the one
    /// before and the first for the end of backward.
    void reduce()
    {
        for (RankStep& rank : m_ranks) rank.calls.resize(m_buckets.size());
        Nanos free = 0;
        for (std::size_t b = 0; b < m_buckets.size(); ++b) {
            Nanos last = free;
            for (RankStep& rank : m_ranks) {
                const auto ready = std::llround(static_cast<double>(rank.backward - rank.forward) * m_buckets[b].readyAfter);
                rank.calls[b].begin = m_parameters.model.overlap ? rank.forward + ready : std::max(rank.backward, free);
                last = std::max(last, rank.calls[b].begin);
            }
            free = last + m_buckets[b].transfer;
            for (RankStep& rank : m_ranks) rank.calls[b].end = free;
        }
    }

    Interval take(double seconds)
    {
        const Interval when{m_now, m_now + nanosOf(seconds)};
        m_now = when.end;
        return when;
    }

    void endEpoch(int epoch)
    {
        const Training& training = m_parameters.training;
        const bool isLast = epoch == training.epochs;
        const bool evaluates = training.evaluateEvery > 0 && (training.epochs - epoch) % training.evaluateEvery == 0;
        const bool checkpoints = training.checkpointEvery > 0 && epoch % training.checkpointEvery == 0;
        Border border{epoch, {m_epochBegin, m_now}, {}, {}, {}, accuracyAfter(m_parameters, epoch)};
        if (evaluates) border.evaluation = take(training.evaluationS);
        if (checkpoints) border.checkpoint = take(training.checkpointS);
        if (!isLast) border.pause = take(training.shufflePauseS);
        m_now += betweenEpochs;
        for (Observer* observer : m_observers) observer->border(border);
    }

    const Parameters& m_parameters;
    std::span<Observer* const> m_observers;
    CacheModel m_cache;
    std::vector<Bucket> m_buckets;
    std::vector<RankStep> m_ranks;
    std::vector<double> m_slower;
    Nanos m_now = startUp, m_epochBegin = startUp, m_load = 0, m_reads = 0;
    std::int64_t m_asked = 0, m_fetched = 0, m_inRun = 0;
};

}  // namespace

double accuracyAfter(const Parameters& parameters, int epoch)
{
    const double share = static_cast<double>(epoch) / parameters.training.epochs;
    if (epoch >= parameters.training.epochs) return parameters.training.target + 0.0003;
    return parameters.training.target * (0.995 - 0.7 * std::exp(-4 * share));
}

void play(const Parameters& parameters, std::span<Observer* const> observers) { Player(parameters, observers).play(); }

}  // namespace flowgauge::simulate
