// SPDX-License-Identifier: MIT
#include "workloads/data/loader.h"
#include <algorithm>
#include "workloads/data/jpeg.h"
#include "workloads/data/texture.h"

namespace flowgauge::workloads {

Loader::Loader(const ShardSet& set, const LoadPlan& plan, Ledger& ledger)
    : m_set(set), m_plan(plan), m_ledger(ledger), m_slots(static_cast<std::size_t>(plan.prefetch) + 1)
{
    for (int i = 0; i < plan.readers; ++i) m_threads.emplace_back([this] { work(); });
}

Loader::~Loader()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    for (auto& thread : m_threads) thread.join();
}

void Loader::begin(std::vector<std::uint32_t> order, std::uint64_t seed)
{
    const auto batch = static_cast<std::size_t>(m_plan.batch);
    {
        const std::lock_guard lock(m_mutex);
        m_order = std::move(order);
        m_seed = seed;
        m_batches = (m_order.size() + batch - 1) / batch;
        m_claimed = m_handed = m_released = 0;
        for (Slot& slot : m_slots) slot.ready = false;
    }
    m_changed.notify_all();
}

const Batch* Loader::next()
{
    std::unique_lock lock(m_mutex);
    m_released = m_handed;
    m_changed.notify_all();
    if (m_handed == m_batches) return nullptr;
    Slot& slot = m_slots[m_handed % m_slots.size()];
    m_changed.wait(lock, [&] { return slot.ready || m_failed; });
    if (m_failed) std::rethrow_exception(m_failed);
    slot.ready = false;
    ++m_handed;
    return &slot.batch;
}

void Loader::work()
{
    RecordReader reader(m_set, m_plan.read, m_ledger);
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [&] { return m_stop || mayClaim(); });
        if (m_stop) return;
        const std::size_t number = m_claimed++;
        Slot& slot = m_slots[number % m_slots.size()];
        lock.unlock();
        std::exception_ptr failed;
        try {
            fill(slot.batch, number, reader);
        } catch (...) {
            failed = std::current_exception();
        }
        lock.lock();
        slot.ready = !failed;
        if (failed) m_failed = failed;
        m_changed.notify_all();
        if (failed) return;
    }
}

/// m_order and m_seed stand still while a claimed batch is unfinished: begin() comes after the last was handed out.
void Loader::fill(Batch& batch, std::size_t number, RecordReader& reader) const
{
    const std::size_t first = number * static_cast<std::size_t>(m_plan.batch);
    const std::size_t count = std::min(m_order.size() - first, static_cast<std::size_t>(m_plan.batch));
    const std::size_t picture = 3 * static_cast<std::size_t>(m_plan.edgePx) * static_cast<std::size_t>(m_plan.edgePx);
    batch.samples = static_cast<int>(count);
    batch.edgePx = m_plan.edgePx;
    batch.pixels.resize(count * picture);
    batch.labels.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Record record = reader.read(m_order[first + i]);
        batch.labels[i] = record.label;
        const bool mirrored = m_seed != 0 && (Dice(m_seed + m_order[first + i]).next() & 1) != 0;
        if (m_plan.decode) decodeJpeg(record.jpeg, m_plan.edgePx, mirrored, &batch.pixels[i * picture]);
    }
}

}  // namespace flowgauge::workloads
