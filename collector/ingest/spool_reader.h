// SPDX-License-Identifier: MIT
#pragma once
#include "collector/ingest/file_window.h"
#include "collector/ingest/ring_view.h"
#include "collector/spool/format.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace flowgauge::ingest {

/// Consecutive events of one ring, in ring order. Pieces of a ring follow one another exactly, unless a gap is reported.
struct Piece {
    std::uint32_t ring;
    std::uint64_t firstSequence;
    std::span<const Event> events;
    std::uint64_t settled;  ///< events with this sequence or later are there only for the names in them; take them next time
};
using PieceVisitor = std::function<void(const Piece&)>;

/// What a process page told at the moment of the snapshot.
struct ProcessState {
    bool known = false;  ///< false: there is no usable .rings file
    std::uint64_t endedTicks = 0, lastSeenTicks = 0, ownCpuNs = 0, spoolBytes = 0;
    std::uint64_t codeOpens = 0, codeReads = 0, codeBytes = 0, codeTicks = 0;
    std::array<std::uint64_t, 16> lost{};  ///< by DropReason: of the process and of all its rings
};

/// Sequences of a ring that are in neither file: events that were recorded and cannot be found.
struct Gap {
    std::uint32_t ring;
    std::uint64_t first, count;
};

/// Reads one process image's pair of files, of a living or a dead process (see format.h). survey() first, then visit() as
/// often as wanted: both hand out the same pieces. For one thread.
class SpoolReader {
public:
    /// Throws Error(path, expected, found) for a file that is no spool, is cut short, or has another version.
    explicit SpoolReader(std::filesystem::path spoolFile);

    [[nodiscard]] const spool::SpoolHeader& header() const { return m_header; }
    [[nodiscard]] const ProcessState& process() const { return m_process; }
    [[nodiscard]] const std::vector<std::string>& environment() const { return m_environment; }  ///< "key=value", in order
    [[nodiscard]] const std::vector<Gap>& gaps() const { return m_gaps; }
    [[nodiscard]] const std::vector<std::string>& warnings() const { return m_warnings; }  ///< "path: what was found"
    [[nodiscard]] std::uint64_t chunkEnd() const { return m_chunkEnd; }                    ///< offset behind the last good chunk

    /// Finds and checks all chunks and copies what only the rings hold. `alive`: the process may still be writing.
    void survey(bool alive, const PieceVisitor& each);

    /// Hands out the surveyed pieces again; the visitor gets chunks in the order of the file, then the rings' rest.
    void visit(const PieceVisitor& each);

private:
    struct ChunkPlace {
        std::uint64_t payload;  ///< offset in the file
        std::uint64_t skip;     ///< events at its start that an earlier chunk had already
        std::uint64_t firstSequence, count;
        std::uint32_t ring;
    };
    struct RingRest {
        std::uint32_t ring;
        std::uint64_t firstSequence, settled;
        std::vector<Event> events;
    };

    void readChunks(const PieceVisitor& each);
    bool takeChunk(const spool::ChunkHeader& chunk, const PieceVisitor& each);
    void takeEvents(const spool::ChunkHeader& chunk, const std::byte* payload, const PieceVisitor& each);
    void takeEnvironment(const std::byte* payload, std::size_t bytes);
    bool takeRings(const std::filesystem::path& file, bool alive);
    bool copyRest(const spool::RingHeader& ring, std::uint64_t settled, bool alive);
    void takeProcess(const RingView& view);
    void warn(const std::filesystem::path& file, const std::string& text);

    std::filesystem::path m_path;
    FileWindow m_file;
    spool::SpoolHeader m_header;
    ProcessState m_process;
    std::vector<std::string> m_environment, m_warnings;
    std::vector<Gap> m_gaps;
    std::uint64_t m_chunkEnd = spool::pageBytes;
    std::vector<ChunkPlace> m_chunks;
    std::map<std::uint32_t, std::uint64_t> m_next;  ///< per ring: first sequence that is in no chunk
    std::vector<RingRest> m_rest;
};

}  // namespace flowgauge::ingest
