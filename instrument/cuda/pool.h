// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace flowgauge::cuda {

/// The buffers that CUPTI fills. Mapped once; a buffer is CUPTI's from lend() to completed(), and its memory is never given back while
/// the process lives, since CUPTI may write into it at any later moment. Any thread, no lock, no allocation.
class BufferPool {
public:
    static constexpr std::size_t bufferBytes = std::size_t{1} << 20;
    static constexpr std::uint32_t mostBuffers = 24;
    static constexpr std::uint32_t readyBuffers = 4;  ///< whose memory is there before the first kernel is launched

    constexpr BufferPool() = default;
    BufferPool(const BufferPool&) = delete;
    BufferPool& operator=(const BufferPool&) = delete;

    /// Maps the memory; false when the kernel gives none. Again: true, and nothing happens.
    [[nodiscard]] bool create();

    /// A buffer for CUPTI: zeros. When all are in use it is the one whose content is thrown away: a null pointer crashes CUPTI
    /// before 12.9 (kineto #1534), so that is never given.
    [[nodiscard]] std::uint8_t* lend();

    enum class Whose : std::uint8_t { Pool, Discarded, Foreign };
    /// CUPTI gives a buffer back. Foreign: it is not one of ours, and must not be looked at.
    [[nodiscard]] Whose whose(const std::uint8_t* buffer) const;

    /// One of the pool's is full of records and waits to be read.
    void completed(std::uint8_t* buffer, std::size_t validBytes);

    struct Full {
        std::uint8_t* buffer;  ///< nullptr: none waits
        std::size_t validBytes;
    };
    /// Takes one that waits. One thread only.
    [[nodiscard]] Full takeFull();
    /// It has been read: zeros again, and CUPTI may have it.
    void giveBack(const Full& full);

    [[nodiscard]] bool anyFull() const { return m_full.load(std::memory_order_acquire) != 0; }
    /// Buffers that CUPTI holds now.
    [[nodiscard]] std::uint32_t lent() const;

private:
    [[nodiscard]] std::uint32_t indexOf(const std::uint8_t* buffer) const
    {
        return static_cast<std::uint32_t>(static_cast<std::size_t>(buffer - m_memory) / bufferBytes);
    }

    std::uint8_t* m_memory = nullptr;
    std::atomic<std::uint32_t> m_free{0};  ///< a bit a buffer
    std::atomic<std::uint32_t> m_full{0};
    std::array<std::size_t, mostBuffers> m_validBytes{};
};

}  // namespace flowgauge::cuda
