// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"
#include "collector/spool/format.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace flowgauge::test {

/// A process's two files, read the way format.h says: the chunks in order, then what only the rings hold.
/// Written apart from the product's reader, so that each checks the other.
struct SpoolFile {
    spool::SpoolHeader header{};
    std::vector<std::string> environment;
    std::map<std::uint32_t, std::vector<Event>> rings;  ///< all slots of each ring in sequence, names' text among them
    std::map<std::uint32_t, spool::RingState> states;
    std::map<std::uint32_t, std::uint64_t> capacities;
    std::array<std::uint64_t, 16> lost{};  ///< of the process and of its rings
    std::array<std::uint64_t, 4> code{};   ///< opens, reads, bytes, ticks
    std::uint64_t endedTicks = 0;
    std::uint64_t ownCpuNs = 0;
    std::uint64_t segments = 0;
    std::uint64_t ringsBytes = 0;
    std::uint64_t spoolBytes = 0;       ///< up to the end of the last whole chunk
    std::uint64_t fromRings = 0;        ///< slots that were in no chunk
    std::vector<std::string> problems;  ///< sequences that are missing, doubled, or torn

    /// All events but names' text, ring by ring.
    [[nodiscard]] std::vector<Event> events() const;
    /// Those of one kind.
    [[nodiscard]] std::vector<Event> events(Kind kind) const;
    /// key -> text, of one class.
    [[nodiscard]] std::map<NameKey, std::string> names(NameClass nameClass) const;
    [[nodiscard]] std::uint64_t lostFor(DropReason reason) const { return lost[static_cast<std::size_t>(reason)]; }
};

[[nodiscard]] SpoolFile readSpool(const std::filesystem::path& spoolFile);

/// The .spool files of a folder, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> spoolsIn(const std::filesystem::path& folder);

/// The one spool of a folder.
[[nodiscard]] SpoolFile onlySpool(const std::filesystem::path& folder);

}  // namespace flowgauge::test
