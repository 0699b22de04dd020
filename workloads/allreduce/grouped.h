// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/group.h"
#include "workloads/allreduce/ring_link.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// How long each stage of one operation was under way, of all members of a group together.
struct StageTimes {
    std::chrono::nanoseconds reduce{}, exchange{}, gather{};
};

struct GroupedOptions {
    std::chrono::milliseconds deadline{10'000};  ///< for any one wait: who is late longer than that aborts the operation on all members
    bool overlap = true;                         ///< false: each chunk is finished before the next begins
    std::uint32_t firstEpoch = 0;                ///< where the epochs start; they wrap
    std::optional<std::size_t> absentMember;     ///< this local member takes no part: to see the others give up
};

/// One group's part of a sum over all members of all groups in three stages, chunk by chunk, so that the stages of neighbouring chunks run
/// at the same time:
///
///     A  reduce    member r of a group reads slice r of all its fellows' buffers and adds them in the order of members
///     B  exchange  owners of the same slice of all groups add theirs in a ring
///     C  gather    each member reads the other slices from their owners
///
/// Each sum is made in one order at one place and then copied, so all members hold the same bits, and so does every repetition.
/// The schedule is the same for all back ends: for A and C a thread a member, for B one a group; the words that they wait on carry epochs
/// and never go back.
class GroupedAllreduce {
public:
    GroupedAllreduce(Shape shape, RingLink link, Group& group, GroupedOptions options = {});

    /// Sums so many elements of the group's buffers. Returns what went wrong, "" when nothing did. After an abort the object is of no more
    /// use.
    [[nodiscard]] std::string run(std::size_t elements);

    [[nodiscard]] const StageTimes& times() const { return m_times; }

private:
    struct Job {
        std::size_t elements, chunks;
        std::uint32_t base;  ///< epoch of this run's chunk 0
        [[nodiscard]] std::uint32_t epoch(std::size_t chunk) const { return base + static_cast<std::uint32_t>(chunk) + 1; }
    };
    struct alignas(64) Words {
        std::atomic<std::uint32_t> reduced, exchanged, gathered;
    };
    using Word = std::atomic<std::uint32_t> Words::*;
    using Spent = std::atomic<std::int64_t>;

    void reduceAll(const Job& job, std::size_t local);
    void exchangeAll(const Job& job);
    void gatherAll(const Job& job, std::size_t local);
    [[nodiscard]] bool exchange(std::span<float> sums, int tag);
    [[nodiscard]] Part part(const Job& job, std::size_t chunk, std::size_t owner) const;
    [[nodiscard]] bool await(Word word, std::size_t whom, std::uint32_t epoch, const char* stage);
    [[nodiscard]] bool awaitAll(Word word, std::uint32_t epoch, const char* stage);
    [[nodiscard]] bool timed(Spent& spent, const std::function<void()>& work);
    void abort(const std::string& reason);

    Shape m_shape;
    RingLink m_link;
    Group& m_group;
    GroupedOptions m_options;
    std::size_t m_depth;         ///< chunks under way at once
    std::vector<Words> m_words;  ///< a member each
    std::vector<float> m_received;
    std::uint32_t m_epoch;
    Spent m_reduceNs{0}, m_exchangeNs{0}, m_gatherNs{0};
    std::chrono::steady_clock::time_point m_stopAt;
    std::mutex m_aborting;
    std::atomic<bool> m_aborted{false};
    std::string m_reason;
    StageTimes m_times;
};

}  // namespace flowgauge::workloads::allreduce
