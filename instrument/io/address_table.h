// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace flowgauge::io {

/// Remembers a few facts about things that have an address: live mappings, requests on their way. Fixed in size, without
/// locks; a thing that finds no place near its own is not kept (put answers false), and the caller counts that.
template <typename Facts, std::size_t capacity>
class AddressTable {
    static_assert((capacity & (capacity - 1)) == 0);

public:
    bool put(std::uintptr_t address, const Facts& facts)
    {
        for (std::size_t step = 0; step < reach; ++step) {
            Entry& entry = m_entries[placeOf(address, step)];
            std::uintptr_t free = 0;
            if (!entry.address.compare_exchange_strong(free, busy, std::memory_order_acquire)) continue;
            entry.facts = facts;
            m_count.fetch_add(1, std::memory_order_relaxed);
            entry.address.store(address, std::memory_order_release);
            return true;
        }
        return false;
    }

    /// Takes a thing out; false when it is not here.
    bool take(std::uintptr_t address, Facts& into)
    {
        if (address <= busy || m_count.load(std::memory_order_relaxed) == 0) return false;
        for (std::size_t step = 0; step < reach; ++step) {
            Entry& entry = m_entries[placeOf(address, step)];
            std::uintptr_t expected = address;
            if (!entry.address.compare_exchange_strong(expected, busy, std::memory_order_acquire)) continue;
            into = entry.facts;
            m_count.fetch_sub(1, std::memory_order_relaxed);
            entry.address.store(0, std::memory_order_release);
            return true;
        }
        return false;
    }

    /// Only while no other thread is here (in a child after fork).
    void clear()
    {
        if (m_count.exchange(0, std::memory_order_relaxed) == 0) return;
        for (Entry& entry : m_entries) entry.address.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr std::uintptr_t busy = 1;  ///< being written; no thing lies at address 1
    static constexpr std::size_t reach = 16;
    struct Entry {
        std::atomic<std::uintptr_t> address{0};
        Facts facts{};
    };
    static std::size_t placeOf(std::uintptr_t address, std::size_t step)
    {
        return (((address >> 4U) * 0x9E3779B97F4A7C15U >> 40U) + step) & (capacity - 1);
    }

    std::array<Entry, capacity> m_entries{};
    std::atomic<std::uint32_t> m_count{0};
};

}  // namespace flowgauge::io
