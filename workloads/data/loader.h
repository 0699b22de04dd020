// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#include "workloads/data/batch.h"
#include "workloads/data/shard_set.h"

namespace flowgauge::workloads {

/// How samples are fetched.
struct LoadPlan {
    ReadPlan read;
    int readers = 1;   ///< threads that read and decode
    int prefetch = 4;  ///< batches made ahead of the one in use; 0 reads only when asked
    int batch = 16, edgePx = 64;
    bool decode = true;  ///< false leaves the pictures grey, for tests that do not look at them
};

/// Reads and decodes batches in threads of its own, in order, a few ahead. The threads live as long as the loader; a pass starts and
/// ends empty, so that an epoch reads its own records only.
class Loader {
public:
    Loader(const ShardSet& set, const LoadPlan& plan, Ledger& ledger);
    ~Loader();
    Loader(const Loader&) = delete;
    Loader& operator=(const Loader&) = delete;

    /// Starts a pass over `order`; a last part of a batch is a smaller batch. Pictures are mirrored at random (by `seed`) unless 0.
    void begin(std::vector<std::uint32_t> order, std::uint64_t seed);
    /// Waits for the next batch, valid until the next call; nullptr after the last. Rethrows what a reader met.
    [[nodiscard]] const Batch* next();

private:
    struct Slot {
        Batch batch;
        bool ready = false;
    };
    void work();
    [[nodiscard]] bool mayClaim() const { return m_claimed < m_batches && m_claimed < m_released + m_slots.size(); }
    void fill(Batch& batch, std::size_t number, RecordReader& reader) const;

    const ShardSet& m_set;
    LoadPlan m_plan;
    Ledger& m_ledger;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::uint32_t> m_order;
    std::uint64_t m_seed = 0;
    std::vector<Slot> m_slots;
    std::size_t m_batches = 0, m_claimed = 0, m_handed = 0, m_released = 0;
    std::exception_ptr m_failed;
    bool m_stop = false;
    std::vector<std::thread> m_threads;  // last: they use all of the above
};

}  // namespace flowgauge::workloads
