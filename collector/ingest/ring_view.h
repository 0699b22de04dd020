// SPDX-License-Identifier: MIT
#pragma once
#include "collector/spool/format.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace flowgauge::ingest {

/// A read-only mapping of a .rings file: the living memory of a process's rings, or what a dead one left.
class RingView {
public:
    /// Throws Error(path, expected, found) for a file that is no rings file, cut short, or of another version.
    explicit RingView(const std::filesystem::path& file);
    RingView(const RingView&) = delete;
    RingView& operator=(const RingView&) = delete;
    ~RingView();

    [[nodiscard]] const spool::ProcessPage& page() const { return *reinterpret_cast<const spool::ProcessPage*>(m_memory); }
    [[nodiscard]] const std::vector<const spool::RingHeader*>& rings() const { return m_rings; }  ///< by index
    [[nodiscard]] const std::string& complaint() const { return m_complaint; }                    ///< "" or what is wrong with the segments

    /// Slots [first, end) of a ring, copied. Whoever reads a living ring re-reads the tail afterwards.
    [[nodiscard]] static std::vector<Event> copySlots(const spool::RingHeader& ring, std::uint64_t first, std::uint64_t end);

private:
    void findRings();

    std::byte* m_memory = nullptr;
    std::size_t m_bytes = 0;
    std::vector<const spool::RingHeader*> m_rings;
    std::string m_complaint;
};

}  // namespace flowgauge::ingest
