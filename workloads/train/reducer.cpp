// SPDX-License-Identifier: MIT
#include "workloads/train/reducer.h"
#include "workloads/failure.h"
#include "workloads/train/communicator.h"

namespace flowgauge::workloads {

GradientReducer::GradientReducer(Communicator& communicator, BucketPlan plan, bool overlap)
    : m_communicator(communicator), m_plan(std::move(plan)), m_missing(m_plan.tensorCount), m_reduced(m_plan.elements.size())
{
    if (overlap && !communicator.threads())
        throw Failure(communicator.library(),
                      "gives no thread safety for a communication thread (MPI_THREAD_SERIALIZED); use --no-overlap");
    for (const std::uint64_t count : m_plan.elements) m_buckets.emplace_back(count);
    if (overlap) m_thread = std::thread([this] { communicate(); });
}

GradientReducer::~GradientReducer()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

void GradientReducer::begin()
{
    const std::lock_guard lock(m_mutex);
    m_missing = m_plan.tensorCount;
    m_reduced = 0;
}

float* GradientReducer::gradient(std::size_t tensor)
{
    const BucketPlace& place = m_plan.places[tensor];
    return m_buckets[place.bucket].data() + place.offset;
}

void GradientReducer::ready(std::size_t tensor)
{
    bool filled = false;
    {
        const std::lock_guard lock(m_mutex);
        std::size_t& missing = m_missing[m_plan.places[tensor].bucket];
        if (missing == 0) throw Failure("gradient " + std::to_string(tensor), "ready twice in one step");
        filled = --missing == 0;
    }
    if (filled) m_changed.notify_all();
}

void GradientReducer::finish()
{
    std::unique_lock lock(m_mutex);
    for (std::size_t bucket = 0; bucket < m_missing.size(); ++bucket)
        if (m_missing[bucket] > 0)
            throw Failure("gradient bucket " + std::to_string(bucket), m_missing[bucket], " tensors never became ready");
    if (m_thread.joinable()) {
        m_changed.wait(lock, [&] { return m_reduced == m_buckets.size(); });
        return;
    }
    for (; m_reduced < m_buckets.size(); ++m_reduced) m_communicator.sum(std::span(m_buckets[m_reduced]));
}

void GradientReducer::communicate()
{
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [&] { return m_stop || mayReduce(); });
        if (m_stop) return;
        auto& bucket = m_buckets[m_reduced];
        lock.unlock();
        m_communicator.sum(std::span(bucket));
        lock.lock();
        ++m_reduced;
        m_changed.notify_all();
    }
}

}  // namespace flowgauge::workloads
