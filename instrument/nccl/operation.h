// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"

namespace flowgauge::nccl {

/// One operation as every source tells it in the end.
struct Operation {
    Kind kind = Kind::None;
    Kind partOf = Kind::None;  ///< Alltoall, Gather, Scatter: NCCL itself says that this send or receive is a piece of one
    std::uint16_t flags = flagNccl;
    std::uint64_t comm = 0, bytes = 0, sequence = 0;
    std::int64_t peer = -1;  ///< or root
    std::uint64_t link = 0;
    Span span{0, 0};
    CommWay way{0, -1, 0, NcclSource::ProfilerPlugin};
};

/// True when any event of such an operation is to be recorded.
[[nodiscard]] bool wantsOperations();

/// Records the operation, and how it was carried out, tied by one link. An operation of unknown kind is counted as not understood.
void record(const Operation& operation);

/// The sends and receives of one group on one communicator, summed while they pass by.
/// They are one logical operation when NCCL says so, or when this rank sends to and receives from every rank once: programs, and
/// NCCL before 2.28, spell an all-to-all so.
class Exchange {
public:
    explicit Exchange(std::uint32_t ranks) : m_ranks(ranks) {}  ///< of the communicator; 0: not known
    void add(const Operation& part, std::int64_t self);
    /// The whole as one operation, kind None when its parts stand for themselves. `sequence` is the caller's to fill.
    [[nodiscard]] Operation whole() const;
    [[nodiscard]] bool empty() const { return m_parts == 0; }

private:
    struct Side {
        std::uint64_t count = 0, bytes = 0, peers = 0, squares = 0;
        std::int64_t highest = -1;
        bool self = false;
        void add(std::int64_t peer, std::uint64_t size, bool isSelf);
    };
    [[nodiscard]] bool isAllToAll() const;

    std::uint32_t m_ranks;
    std::uint64_t m_parts = 0;
    Side m_sent, m_received;
    Operation m_first;
    Ticks m_end = 0;
    bool m_sameCall = true;
};

}  // namespace flowgauge::nccl
