// SPDX-License-Identifier: MIT
#include "workloads/allreduce/grouped.h"

#include <algorithm>
#include <thread>

namespace flowgauge::workloads::allreduce {
namespace {

using Clock = std::chrono::steady_clock;

/// Epochs wrap: later is what is less than half the numbers ahead.
bool reached(std::uint32_t word, std::uint32_t epoch) { return static_cast<std::int32_t>(word - epoch) >= 0; }

std::int64_t nsSince(Clock::time_point begin) { return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count(); }

}  // namespace

GroupedAllreduce::GroupedAllreduce(Shape shape, NodeLink& link, GroupedOptions options)
    : m_shape(shape), m_link(link), m_options(options), m_words(shape.groupSize), m_epoch(options.firstEpoch)
{
    const std::size_t largest = shape.chunkElements / shape.groupSize + 1;
    for (auto& slot : m_partials) slot.assign(shape.groupSize, std::vector<float>(largest));
    m_received.resize(largest);
    for (Words& words : m_words) words.reduced = words.exchanged = words.gathered = m_epoch;
}

std::string GroupedAllreduce::run(std::span<const std::span<const float>> from, std::span<const std::span<float>> into)
{
    const std::size_t elements = from.front().size();
    const Job job{from, into, elements, m_shape.chunks(elements), m_epoch};
    m_times = {};
    m_reduceNs = m_gatherNs = 0;
    std::vector<std::thread> members;
    for (std::size_t local = 0; local < m_shape.groupSize; ++local)
        if (m_options.absentMember != local) members.emplace_back([this, &job, local] { member(job, local); });
    exchange(job);
    for (std::thread& thread : members) thread.join();
    m_epoch += static_cast<std::uint32_t>(job.chunks);
    m_times.reduce = std::chrono::nanoseconds(m_reduceNs.load());
    m_times.gather = std::chrono::nanoseconds(m_gatherNs.load());
    return m_aborted ? m_reason : "";
}

void GroupedAllreduce::member(const Job& job, std::size_t local)
{
    const std::size_t behind = m_options.overlap ? depth - 1 : 0;
    Words& mine = m_words[local];
    for (std::size_t step = 0; step < job.chunks + behind; ++step) {
        if (step < job.chunks) {
            // The place of this chunk's sums is free when everybody has read those of the chunk that had it before.
            const auto free = job.base + static_cast<std::uint32_t>(step) + 1 - static_cast<std::uint32_t>(depth);
            if (step >= depth && !awaitAll(&Words::gathered, free, "gather")) return;
            const auto begin = Clock::now();
            reduce(job, step, local);
            m_reduceNs += nsSince(begin);
            mine.reduced.store(job.base + static_cast<std::uint32_t>(step) + 1, std::memory_order_release);
        }
        if (step < behind) continue;
        const std::size_t chunk = step - behind;
        const auto epoch = job.base + static_cast<std::uint32_t>(chunk) + 1;
        if (!awaitAll(&Words::exchanged, epoch, "exchange")) return;
        const auto begin = Clock::now();
        gather(job, chunk, local);
        m_gatherNs += nsSince(begin);
        mine.gathered.store(epoch, std::memory_order_release);
    }
}

void GroupedAllreduce::exchange(const Job& job)
{
    for (std::size_t chunk = 0; chunk < job.chunks; ++chunk) {
        const auto epoch = job.base + static_cast<std::uint32_t>(chunk) + 1;
        for (std::size_t local = 0; local < m_shape.groupSize; ++local) {
            if (!await(m_words[local].reduced, epoch, local, "reduce")) return;
            const auto begin = Clock::now();
            const std::span<float> slice = partial(chunk, local, m_shape.slice(job.elements, chunk, local).size());
            if (!exchangeSlice(slice, static_cast<int>(local))) return abort("another node did not answer within the deadline");
            m_times.exchange += std::chrono::nanoseconds(nsSince(begin));
            m_words[local].exchanged.store(epoch, std::memory_order_release);
        }
    }
    // The buffers are the caller's again when nobody reads them any more.
    const auto last = job.base + static_cast<std::uint32_t>(job.chunks);
    static_cast<void>(awaitAll(&Words::gathered, last, "gather"));
}

void GroupedAllreduce::reduce(const Job& job, std::size_t chunk, std::size_t local)
{
    const Range slice = m_shape.slice(job.elements, chunk, local);
    const std::span<float> sums = partial(chunk, local, slice.size());
    for (std::size_t i = 0; i < slice.size(); ++i) {
        float sum = job.from[0][slice.begin + i];
        for (std::size_t member = 1; member < m_shape.groupSize; ++member) sum += job.from[member][slice.begin + i];
        sums[i] = sum;
    }
}

void GroupedAllreduce::gather(const Job& job, std::size_t chunk, std::size_t local)
{
    for (std::size_t step = 0; step < m_shape.groupSize; ++step) {
        const std::size_t owner = (local + 1 + step) % m_shape.groupSize;  // each begins with another, so that all links are busy
        const Range slice = m_shape.slice(job.elements, chunk, owner);
        const std::span<float> sums = partial(chunk, owner, slice.size());
        std::copy(sums.begin(), sums.end(), job.into[local].begin() + static_cast<std::ptrdiff_t>(slice.begin));
    }
}

/// The ring: after nodes - 1 shifts of the reduce-scatter a node holds the whole sum of the piece after its own number.
bool GroupedAllreduce::exchangeSlice(std::span<float> slice, int tag)
{
    const std::size_t nodes = m_shape.nodes, node = m_link.node();
    const auto piece = [&](std::size_t index) {
        const Range range = partOf({0, slice.size()}, nodes, index % nodes);
        return slice.subspan(range.begin, range.size());
    };
    m_stopAt = Clock::now() + m_options.deadline;
    const auto stop = [](const void* self) { return Clock::now() > static_cast<const GroupedAllreduce*>(self)->m_stopAt; };
    for (std::size_t step = 0; step + 1 < nodes; ++step) {
        const std::span<float> held = piece(node + nodes - step - 1 + nodes);
        const std::span<float> received(m_received.data(), held.size());
        if (!m_link.shift(piece(node + nodes - step), received, tag, stop, this)) return false;
        for (std::size_t i = 0; i < held.size(); ++i) held[i] = received[i] + held[i];
    }
    for (std::size_t step = 0; step + 1 < nodes; ++step)
        if (!m_link.shift(piece(node + 1 + nodes - step), piece(node + nodes - step), tag, stop, this)) return false;
    return true;
}

std::span<float> GroupedAllreduce::partial(std::size_t chunk, std::size_t local, std::size_t size)
{
    return std::span(m_partials[chunk % depth][local]).first(size);
}

bool GroupedAllreduce::await(std::atomic<std::uint32_t>& word, std::uint32_t epoch, std::size_t whom, const char* stage)
{
    const auto until = Clock::now() + m_options.deadline;
    while (!reached(word.load(std::memory_order_acquire), epoch)) {
        if (m_aborted.load(std::memory_order_acquire)) return false;
        if (Clock::now() > until) {
            abort("member " + std::to_string(whom) + " did not finish its " + stage + " within the deadline");
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

bool GroupedAllreduce::awaitAll(std::atomic<std::uint32_t> Words::*word, std::uint32_t epoch, const char* stage)
{
    for (std::size_t local = 0; local < m_words.size(); ++local)
        if (!await(m_words[local].*word, epoch, local, stage)) return false;
    return true;
}

void GroupedAllreduce::abort(const std::string& reason)
{
    // The first reason is the cause; those that follow only wait for it.
    static std::atomic_flag writing = ATOMIC_FLAG_INIT;
    while (writing.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    if (!m_aborted) m_reason = reason;
    m_aborted.store(true, std::memory_order_release);
    writing.clear(std::memory_order_release);
}

}  // namespace flowgauge::workloads::allreduce
