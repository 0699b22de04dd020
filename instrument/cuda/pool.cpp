// SPDX-License-Identifier: MIT
#include "instrument/cuda/pool.h"

#include "collector/record/raw.h"

#include <bit>
#include <cstring>

namespace flowgauge::cuda {
namespace {

constexpr std::size_t poolBytes = (BufferPool::mostBuffers + 1) * BufferPool::bufferBytes;  // the last one is thrown away

}  // namespace

bool BufferPool::create()
{
    if (m_memory != nullptr) return true;
    auto* const memory = static_cast<std::uint8_t*>(raw::map(poolBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory == nullptr) return false;
    // Touched here: the first launch would pay for it otherwise.
    for (std::size_t at = 0; at < readyBuffers * bufferBytes; at += 4096) static_cast<volatile std::uint8_t*>(memory)[at] = 0;
    m_memory = memory;
    m_free.store((1U << mostBuffers) - 1, std::memory_order_release);
    return true;
}

std::uint8_t* BufferPool::lend()
{
    std::uint32_t free = m_free.load(std::memory_order_acquire);
    while (free != 0) {
        const std::uint32_t rest = free & (free - 1);  // the lowest first: its memory has been touched before
        if (m_free.compare_exchange_weak(free, rest, std::memory_order_acq_rel)) return m_memory + std::countr_zero(free) * bufferBytes;
    }
    return m_memory + mostBuffers * bufferBytes;
}

BufferPool::Whose BufferPool::whose(const std::uint8_t* buffer) const
{
    if (m_memory == nullptr || buffer < m_memory || buffer >= m_memory + poolBytes) return Whose::Foreign;
    if (static_cast<std::size_t>(buffer - m_memory) % bufferBytes != 0) return Whose::Foreign;
    return indexOf(buffer) == mostBuffers ? Whose::Discarded : Whose::Pool;
}

void BufferPool::completed(std::uint8_t* buffer, std::size_t validBytes)
{
    const std::uint32_t index = indexOf(buffer);
    m_validBytes[index] = validBytes < bufferBytes ? validBytes : bufferBytes;
    m_full.fetch_or(1U << index, std::memory_order_release);
}

BufferPool::Full BufferPool::takeFull()
{
    const std::uint32_t full = m_full.load(std::memory_order_acquire);
    if (full == 0) return {nullptr, 0};
    const auto index = static_cast<std::uint32_t>(std::countr_zero(full));
    m_full.fetch_and(~(1U << index), std::memory_order_acq_rel);
    return {m_memory + index * bufferBytes, m_validBytes[index]};
}

void BufferPool::giveBack(const Full& full)
{
    std::memset(full.buffer, 0, full.validBytes);
    m_free.fetch_or(1U << indexOf(full.buffer), std::memory_order_acq_rel);
}

std::uint32_t BufferPool::lent() const
{
    const std::uint32_t ours = m_free.load(std::memory_order_acquire) | m_full.load(std::memory_order_acquire);
    return m_memory == nullptr ? 0 : mostBuffers - static_cast<std::uint32_t>(std::popcount(ours));
}

}  // namespace flowgauge::cuda
