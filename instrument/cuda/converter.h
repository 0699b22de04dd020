// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"
#include "instrument/cuda/library.h"
#include "instrument/cuda/pool.h"
#include "instrument/cuda/records.h"
#include "instrument/cuda/time_line.h"

namespace flowgauge::cuda {

/// Turns CUPTI's records into our events. What a record cannot be trusted with is counted (GpuRecord), never guessed.
class Converter {
public:
    constexpr Converter() = default;

    /// Before the first buffer.
    void use(const Cupti& cupti, const Strides& strides);
    /// Puts keys where the names of kernels were: the texts belong to CUPTI and may go when a module is unloaded, so this comes as soon
    /// as a buffer is complete. Any thread, each buffer once. Part of no application call.
    void nameKernels(std::uint8_t* buffer, std::size_t validBytes) const;
    /// Records what a buffer holds. One thread, which waits for room in its ring.
    void take(const BufferPool::Full& full);

    /// Our clock against CUPTI's; the thread that calls take() keeps it up to date.
    [[nodiscard]] TimeLine& timeLine() { return m_line; }
    /// What CUPTI itself told of its own cost since the last call.
    [[nodiscard]] Nanos takeOverheadNs();
    /// Events that were recorded.
    [[nodiscard]] std::uint64_t events() const { return m_events; }
    /// From now on a kernel without an end is one that still runs (the last flush is forced).
    void setLastFlush(Ticks at) { m_lastFlush = at; }

    /// In a child after fork.
    static void forgetNames();

private:
    /// When an activity happened.
    struct When {
        Span span;
        std::uint16_t flags;
    };
    void takeOne(const std::uint8_t* at);
    [[nodiscard]] bool timeOf(const Record& record, Field start, Field end, When& into) const;
    void takeKernel(const Record& record);
    void takeTransfer(const Record& record);
    void takeCall(const Record& record);
    void takeSynchronization(const Record& record);
    void takeOverhead(const Record& record);
    void takeGraph(const Record& record);
    void put(const When& when, const Event& event);

    const Cupti* m_cupti = nullptr;
    Strides m_strides;
    TimeLine m_line;
    Ticks m_lastFlush = 0;
    double m_overheadNs = 0;
    std::uint64_t m_events = 0;
    std::uint32_t m_sinceRoom = 0;
};

}  // namespace flowgauge::cuda
