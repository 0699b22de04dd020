// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#include "workloads/train/buckets.h"

namespace flowgauge::workloads {

class Communicator;

/// Gathers gradients into buckets and sums each over the ranks: with overlap as soon as it is full, in a thread of its own while
/// backward goes on; without, after backward, in the thread that waits. Buckets are always summed in their order, so that ranks agree.
class GradientReducer {
public:
    GradientReducer(Communicator& communicator, BucketPlan plan, bool overlap);
    ~GradientReducer();
    GradientReducer(const GradientReducer&) = delete;
    GradientReducer& operator=(const GradientReducer&) = delete;

    /// Forgets the last step. The thread that trains only.
    void begin();
    /// Memory of a tensor's gradient: backward writes it before ready(), the optimizer reads it after finish().
    [[nodiscard]] float* gradient(std::size_t tensor);
    /// A tensor's gradient is written. Once a step and tensor, from any thread.
    void ready(std::size_t tensor);
    /// Returns when every bucket is summed. Throws Failure when a tensor never became ready.
    void finish();
    [[nodiscard]] const BucketPlan& plan() const { return m_plan; }

private:
    void communicate();
    [[nodiscard]] bool mayReduce() const { return m_reduced < m_buckets.size() && m_missing[m_reduced] == 0; }

    Communicator& m_communicator;
    BucketPlan m_plan;
    std::vector<std::vector<float>> m_buckets;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::size_t> m_missing;  ///< tensors not yet ready, a bucket each
    std::size_t m_reduced = 0;           ///< buckets summed in this step
    bool m_stop = false;
    std::thread m_thread;  // last: it uses all of the above
};

}  // namespace flowgauge::workloads
