// SPDX-License-Identifier: MIT
#include "workloads/allreduce/grouped.h"
#include "workloads/allreduce/patience.h"

#include <exception>
#include <thread>

namespace flowgauge::workloads::allreduce {
namespace {

using Clock = std::chrono::steady_clock;

/// Epochs wrap: later is what is less than half the numbers ahead.
bool reached(std::uint32_t word, std::uint32_t epoch) { return static_cast<std::int32_t>(word - epoch) >= 0; }

}  // namespace

GroupedAllreduce::GroupedAllreduce(Shape shape, RingLink link, Group& group, GroupedOptions options)
    : m_shape(shape),
      m_link(std::move(link)),
      m_group(group),
      m_options(options),
      m_depth(options.overlap ? pipelineDepth : 1),
      m_words(shape.groupSize),
      m_received(shape.largestSlice()),
      m_epoch(options.firstEpoch)
{
    for (Words& words : m_words) words.reduced = words.exchanged = words.gathered = m_epoch;
}

std::string GroupedAllreduce::run(std::size_t elements)
{
    const Job job{elements, m_shape.chunks(elements), m_epoch};
    m_reduceNs = m_exchangeNs = m_gatherNs = 0;
    std::vector<std::thread> threads;
    for (std::size_t local = 0; local < m_shape.groupSize; ++local) {
        if (m_options.absentMember == local) continue;
        threads.emplace_back([this, &job, local] { reduceAll(job, local); });
        threads.emplace_back([this, &job, local] { gatherAll(job, local); });
    }
    exchangeAll(job);
    for (std::thread& thread : threads) thread.join();
    m_epoch += static_cast<std::uint32_t>(job.chunks);
    m_times = {std::chrono::nanoseconds(m_reduceNs), std::chrono::nanoseconds(m_exchangeNs), std::chrono::nanoseconds(m_gatherNs)};
    return m_aborted ? m_reason : "";
}

void GroupedAllreduce::reduceAll(const Job& job, std::size_t local)
{
    for (std::size_t chunk = 0; chunk < job.chunks; ++chunk) {
        // The place of this chunk's sums is free when everybody has read those of the chunk that had it before.
        if (chunk >= m_depth && !awaitAll(&Words::gathered, job.epoch(chunk - m_depth), "gather")) return;
        if (!timed(m_reduceNs, [&] { m_group.reduce(part(job, chunk, local)); })) return;
        m_words[local].reduced.store(job.epoch(chunk), std::memory_order_release);
    }
}

void GroupedAllreduce::exchangeAll(const Job& job)
{
    for (std::size_t chunk = 0; chunk < job.chunks; ++chunk)
        for (std::size_t local = 0; local < m_shape.groupSize; ++local) {
            if (!await(&Words::reduced, local, job.epoch(chunk), "reduce")) return;
            const auto work = [&] {
                const Part mine = part(job, chunk, local);
                if (m_shape.groups == 1) return;
                if (!exchange(m_group.sums(mine), static_cast<int>(local)))
                    return abort("another group did not answer within the deadline");
                m_group.exchanged(mine);
            };
            if (!timed(m_exchangeNs, work)) return;
            m_words[local].exchanged.store(job.epoch(chunk), std::memory_order_release);
        }
}

void GroupedAllreduce::gatherAll(const Job& job, std::size_t local)
{
    std::vector<Part> parts(m_shape.groupSize);
    for (std::size_t chunk = 0; chunk < job.chunks; ++chunk) {
        if (!awaitAll(&Words::exchanged, job.epoch(chunk), "exchange")) return;
        for (std::size_t step = 0; step < parts.size(); ++step)  // each begins with another, so that all links are busy
            parts[step] = part(job, chunk, (local + 1 + step) % parts.size());
        if (!timed(m_gatherNs, [&] { m_group.gather(parts, local); })) return;
        m_words[local].gathered.store(job.epoch(chunk), std::memory_order_release);
    }
}

/// The ring: after groups - 1 shifts of the reduce-scatter a group holds the whole sum of the piece after its own number.
bool GroupedAllreduce::exchange(std::span<float> sums, int tag)
{
    const std::size_t groups = m_shape.groups, group = m_link.group;
    const auto piece = [&](std::size_t index) {
        const Range range = partOf({0, sums.size()}, groups, index % groups);
        return sums.subspan(range.begin, range.size());
    };
    m_stopAt = Clock::now() + m_options.deadline;
    const auto stop = [](const void* argument) {
        const auto* self = static_cast<const GroupedAllreduce*>(argument);
        return self->m_aborted || Clock::now() > self->m_stopAt;
    };
    for (std::size_t step = 0; step + 1 < groups; ++step) {
        const std::span<float> held = piece(group + groups - step - 1 + groups);
        const std::span<float> received(m_received.data(), held.size());
        if (!m_link.shift(piece(group + groups - step), received, tag, stop, this)) return false;
        for (std::size_t i = 0; i < held.size(); ++i) held[i] = received[i] + held[i];
    }
    for (std::size_t step = 0; step + 1 < groups; ++step)
        if (!m_link.shift(piece(group + 1 + groups - step), piece(group + groups - step), tag, stop, this)) return false;
    return true;
}

Part GroupedAllreduce::part(const Job& job, std::size_t chunk, std::size_t owner) const
{
    return {owner, chunk % m_depth, m_shape.slice(job.elements, chunk, owner)};
}

bool GroupedAllreduce::await(Word word, std::size_t whom, std::uint32_t epoch, const char* stage)
{
    const auto until = Clock::now() + m_options.deadline;
    for (Patience patience; !reached((m_words[whom].*word).load(std::memory_order_acquire), epoch); patience.pause()) {
        if (m_aborted.load(std::memory_order_acquire)) return false;
        if (Clock::now() > until) {
            abort("member " + std::to_string(whom) + " did not finish its " + stage + " within the deadline");
            return false;
        }
    }
    return true;
}

bool GroupedAllreduce::awaitAll(Word word, std::uint32_t epoch, const char* stage)
{
    for (std::size_t local = 0; local < m_words.size(); ++local)
        if (!await(word, local, epoch, stage)) return false;
    return true;
}

/// Whether the work was done; a back end that throws ends the operation for all.
bool GroupedAllreduce::timed(Spent& spent, const std::function<void()>& work)
{
    const auto begin = Clock::now();
    try {
        work();
    } catch (const std::exception& problem) {
        abort(problem.what());
    }
    spent += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
    return !m_aborted;
}

void GroupedAllreduce::abort(const std::string& reason)
{
    const std::lock_guard lock(m_aborting);
    if (!m_aborted) m_reason = reason;  // the first is the cause; those that follow only wait for it
    m_aborted.store(true, std::memory_order_release);
}

}  // namespace flowgauge::workloads::allreduce
