// SPDX-License-Identifier: MIT
#pragma once
#include "workloads/allreduce/node_link.h"
#include "workloads/allreduce/shape.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace flowgauge::workloads::allreduce {

/// How long each stage was under way, of all members together, and the bytes that this node's members moved.
struct StageTimes {
    std::chrono::nanoseconds reduce{}, exchange{}, gather{};
};

struct GroupedOptions {
    std::chrono::milliseconds deadline{10'000};  ///< for any one wait: who is late longer than that aborts the operation on all members
    bool overlap = true;                         ///< false: each chunk is finished before the next begins
    std::uint32_t firstEpoch = 0;                ///< where the epochs start; they wrap
    std::optional<std::size_t> absentMember;     ///< this local member takes no part: to see the others give up
};

/// A sum over all members of all nodes in three stages, chunk by chunk, so that the stages of neighbouring chunks run at the same time:
///
///     A  reduce    member r of a group reads slice r of all its fellows' buffers and adds them in the order of members
///     B  exchange  owners of the same slice on all nodes add theirs in a ring
///     C  gather    each member reads the other slices from their owners
///
/// Each sum is made in one order at one place and then copied, so all members hold the same bits, and so does every repetition.
/// CPU back end: a thread a member, one more for the exchange; the words that they wait on carry epochs and never go back.
class GroupedAllreduce {
public:
    GroupedAllreduce(Shape shape, NodeLink& link, GroupedOptions options = {});

    /// One buffer a local member, all of the same length; `into` may be `from`. Returns what went wrong, "" when nothing did: then `into`
    /// holds the sums. After an abort the object is of no more use.
    [[nodiscard]] std::string run(std::span<const std::span<const float>> from, std::span<const std::span<float>> into);

    [[nodiscard]] const StageTimes& times() const { return m_times; }

private:
    static constexpr std::size_t depth = 3;  ///< chunks under way at once
    struct Job {
        std::span<const std::span<const float>> from;
        std::span<const std::span<float>> into;
        std::size_t elements, chunks;
        std::uint32_t base;  ///< epoch of this run's chunk 0
    };
    struct alignas(64) Words {
        std::atomic<std::uint32_t> reduced, exchanged, gathered;
    };
    void member(const Job& job, std::size_t local);
    void exchange(const Job& job);
    void reduce(const Job& job, std::size_t chunk, std::size_t local);
    void gather(const Job& job, std::size_t chunk, std::size_t local);
    [[nodiscard]] bool exchangeSlice(std::span<float> slice, int tag);
    [[nodiscard]] bool await(std::atomic<std::uint32_t>& word, std::uint32_t epoch, std::size_t whom, const char* stage);
    [[nodiscard]] bool awaitAll(std::atomic<std::uint32_t> Words::*word, std::uint32_t epoch, const char* stage);
    [[nodiscard]] std::span<float> partial(std::size_t chunk, std::size_t local, std::size_t size);
    void abort(const std::string& reason);

    Shape m_shape;
    NodeLink& m_link;
    GroupedOptions m_options;
    std::vector<Words> m_words;                                     ///< a local member each
    std::array<std::vector<std::vector<float>>, depth> m_partials;  ///< sums of slices, by chunk and local member
    std::vector<float> m_received;
    std::uint32_t m_epoch;
    std::atomic<bool> m_aborted{false};
    std::atomic<std::int64_t> m_reduceNs{0}, m_gatherNs{0};
    std::chrono::steady_clock::time_point m_stopAt;
    std::string m_reason;
    StageTimes m_times;
};

}  // namespace flowgauge::workloads::allreduce
