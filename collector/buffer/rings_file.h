// SPDX-License-Identifier: MIT
#pragma once
#include "collector/buffer/descriptor.h"
#include "collector/buffer/futex.h"
#include "collector/buffer/ring.h"
#include "collector/buffer/text.h"

#include <array>
#include <atomic>
#include <cstdint>

namespace flowgauge::buffer {

/// Most bytes of rings that one process may take.
inline constexpr std::uint64_t mostRingBytes = std::uint64_t{64} << 20;
inline constexpr std::uint32_t mostSegments = 1024;

/// Why there was no ring.
enum class Claim : std::uint8_t { Done, DiskFull, NoneLeft };

/// The .rings file of this process: its page and its segments, all mapped. Segments are only ever added, and used again.
/// Claiming needs no lock; adding one takes a bounded lock, and only its holder touches the file.
class RingsFile {
public:
    /// Makes the file (it must not exist) with its page. Leaves one descriptor open, at a high number.
    [[nodiscard]] bool create(const PathText& path);

    /// Makes the calling thread owner of a free ring of at least `slots`, or of a new one. Never leaves the file half changed.
    [[nodiscard]] Claim claim(std::uint32_t thread, std::uint32_t slots, spool::RingHeader*& into);

    /// In a forked child: unmaps, closes and forgets everything. `kept`, if any, becomes private memory instead (see forgetAfterFork).
    void forget(spool::RingHeader* kept);

    [[nodiscard]] spool::ProcessPage* page() const { return m_page.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint32_t count() const { return m_count.load(std::memory_order_acquire); }
    [[nodiscard]] spool::RingHeader* at(std::uint32_t index) const { return m_rings[index].load(std::memory_order_relaxed); }

private:
    [[nodiscard]] spool::RingHeader* takeFree(std::uint32_t thread, std::uint32_t slots);
    [[nodiscard]] Claim add(std::uint32_t thread, std::uint32_t slots, spool::RingHeader*& into);
    /// Our descriptor, opened anew when the program closed it; negative when it cannot be had.
    [[nodiscard]] int descriptor();
    [[nodiscard]] void* mapPart(std::uint64_t at, std::uint64_t bytes, Claim& outcome);

    std::atomic<spool::ProcessPage*> m_page{nullptr};
    std::atomic<std::uint32_t> m_count{0};
    std::array<std::atomic<spool::RingHeader*>, mostSegments> m_rings{};
    BoundedLock m_adding;
    std::uint64_t m_bytes = 0;
    std::array<int, 2> m_fd{-1, -1};  ///< of the program's table, and of the drain thread's own
    FileIdentity m_identity{};
    PathText m_path;
};

}  // namespace flowgauge::buffer
