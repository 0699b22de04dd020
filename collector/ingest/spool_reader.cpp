// SPDX-License-Identifier: MIT
#include "collector/ingest/spool_reader.h"

#include "collector/record/error.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace flowgauge::ingest {
namespace {

constexpr std::uint64_t allSettled = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t headerBytes = sizeof(spool::ChunkHeader);
/// The drain of a living process may move on between our reading of its chunks and of its rings; then both are read again.
constexpr int mostRounds = 8;
/// Slots behind head that a dying writer may have begun to overwrite: those of the longest name (4,096 bytes of text).
constexpr std::uint64_t unsafeSlots = spool::nameSlots(4096);

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

std::filesystem::path ringsOf(std::filesystem::path spoolFile) { return spoolFile.replace_extension(".rings"); }

template <std::size_t size>
void terminate(std::array<char, size>& text)
{
    text[size - 1] = '\0';
}

spool::SpoolHeader readHeader(FileWindow& file, const std::filesystem::path& path)
{
    const std::byte* const page = file.at(0, spool::pageBytes);
    if (page == nullptr)
        throw Error(path.native(), "expected a spool header of 4096 bytes, found a file of ", file.length(),
                    " bytes: its process ended before it recorded anything, or the file was cut");
    spool::SpoolHeader header;
    std::memcpy(&header, page, sizeof header);
    if (header.magic != spool::spoolMagic) throw Error(path.native(), "not a spool file: expected it to begin with FGSPOOL1");
    if (header.version != spool::spoolVersion)
        throw Error(path.native(), "has spool version ", header.version, ", this build reads version ", spool::spoolVersion,
                    "; use the flowgauge that recorded it");
    terminate(header.host);
    terminate(header.bootId);
    terminate(header.program);
    terminate(header.runId);
    return header;
}

/// The sum is taken over the payload; a text's payload need not be whole words, and a writer may sum its padding too.
bool sumAgrees(const spool::ChunkHeader& chunk, const std::byte* payload)
{
    return chunk.checksum == spool::checksumOf(payload, chunk.payloadBytes) ||
           chunk.checksum == spool::checksumOf(payload, padded(chunk.payloadBytes));
}

}  // namespace

SpoolReader::SpoolReader(std::filesystem::path spoolFile)
    : m_path(std::move(spoolFile)), m_file(m_path), m_header(readHeader(m_file, m_path))
{
}

void SpoolReader::warn(const std::filesystem::path& file, const std::string& text) { m_warnings.push_back(file.native() + ": " + text); }

// Why nothing is missed or doubled while the process lives, with R the reader, W the writer of a ring, D the drain:
//   1. R reads the chunks. Next sequence of a ring that is in no chunk: n.
//   2. R reads head h of every ring, and only then (a second look) copies each ring's slots from n on.
//   3. R re-reads tail t of the ring, after the copy. D moves t only after the chunk with those slots is in the file, and W
//      overwrites slot s only once t > s. So t <= n proves that [n, h) were intact during the copy and are in no chunk that R
//      has not seen. Otherwise there are new chunks: R goes on from 1, which costs it the chunks it has not read, no more.
// A name is recorded before its key is used, perhaps in another ring. Events count as settled only up to the h that was read
// before any slot was copied, names up to the head at the copy: so a settled event's name is always among what was copied.
void SpoolReader::survey(bool alive, const PieceVisitor& each)
{
    const std::filesystem::path rings = ringsOf(m_path);
    try {
        bool whole = false;
        for (int round = 0; round < mostRounds && !whole; ++round) {
            readChunks(each);
            whole = takeRings(rings, alive);
        }
        if (!whole) m_rest.clear();  // a busy process: what its rings hold is taken the next time
    } catch (const Error& error) {
        m_rest.clear();
        m_warnings.emplace_back(std::string(error.what()) + "; what only the rings held is missing");
    }
    for (const RingRest& rest : m_rest) each({rest.ring, rest.firstSequence, rest.events, rest.settled});
}

void SpoolReader::readChunks(const PieceVisitor& each)
{
    m_file.refresh();
    while (const std::byte* const at = m_file.at(m_chunkEnd, headerBytes)) {
        spool::ChunkHeader chunk;
        std::memcpy(&chunk, at, sizeof chunk);
        if (chunk.magic == 0) return;
        if (chunk.magic != spool::chunkMagic)
            return warn(m_path, "expected a chunk at byte " + std::to_string(m_chunkEnd) + ", found other bytes");
        if (!takeChunk(chunk, each)) return;
        m_chunkEnd += headerBytes + padded(chunk.payloadBytes);
    }
}

bool SpoolReader::takeChunk(const spool::ChunkHeader& chunk, const PieceVisitor& each)
{
    const std::uint64_t length = m_file.length();
    if (m_chunkEnd + headerBytes > length || chunk.payloadBytes > length - m_chunkEnd - headerBytes) return false;
    const bool events = chunk.type == spool::ChunkType::Events;
    if (events && (chunk.count > length || chunk.payloadBytes != chunk.count * spool::slotBytes)) return false;
    const std::byte* const payload = m_file.at(m_chunkEnd + headerBytes, padded(chunk.payloadBytes));
    if (payload == nullptr || !sumAgrees(chunk, payload)) return false;
    if (events) takeEvents(chunk, payload, each);
    if (chunk.type == spool::ChunkType::Environment) takeEnvironment(payload, chunk.payloadBytes);
    return true;
}

void SpoolReader::takeEvents(const spool::ChunkHeader& chunk, const std::byte* payload, const PieceVisitor& each)
{
    std::uint64_t& next = m_next[chunk.ring];
    if (chunk.firstSequence > next) m_gaps.push_back({chunk.ring, next, chunk.firstSequence - next});
    const std::uint64_t skip = chunk.firstSequence < next ? std::min(next - chunk.firstSequence, chunk.count) : 0;
    if (skip > 0)
        warn(m_path, "ring " + std::to_string(chunk.ring) + ": " + std::to_string(skip) + " events from sequence " +
                         std::to_string(chunk.firstSequence) + " on stand twice; taken once");
    const ChunkPlace place{m_chunkEnd + headerBytes, skip, chunk.firstSequence, chunk.count, chunk.ring};
    if (skip == chunk.count) return;
    m_chunks.push_back(place);
    next = chunk.firstSequence + chunk.count;
    each({place.ring, place.firstSequence + skip, {reinterpret_cast<const Event*>(payload) + skip, place.count - skip}, allSettled});
}

void SpoolReader::takeEnvironment(const std::byte* payload, std::size_t bytes)
{
    const char* at = reinterpret_cast<const char*>(payload);
    const char* const end = at + bytes;
    while (at < end) {
        const char* const stop = std::find(at, end, '\0');
        if (stop != at) m_environment.emplace_back(at, stop);
        at = stop + 1;
    }
}

/// False when the drain moved on meanwhile: there are new chunks to read first.
bool SpoolReader::takeRings(const std::filesystem::path& file, bool alive)
{
    std::vector<std::uint64_t> settled;
    {
        const RingView early(file);
        for (const spool::RingHeader* ring : early.rings()) settled.push_back(ring->head.load(std::memory_order_acquire));
    }
    const RingView late(file);  // mapped anew: it sees segments that were added since
    takeProcess(late);
    m_rest.clear();
    for (const spool::RingHeader* ring : late.rings())
        if (!copyRest(*ring, ring->index < settled.size() ? settled[ring->index] : 0, alive)) return false;
    if (!late.complaint().empty()) warn(file, late.complaint());
    return true;
}

bool SpoolReader::copyRest(const spool::RingHeader& ring, std::uint64_t settled, bool alive)
{
    const std::uint64_t next = m_next[ring.index];
    const std::uint64_t head = ring.head.load(std::memory_order_acquire);
    if (head <= next) return true;
    std::uint64_t first = next;
    if (!alive && ring.tail.load(std::memory_order_acquire) > next) {
        // The spool lost chunks that the drain had written (a damaged file): the ring may still hold its last events.
        first = std::max(next, head - std::min(head, ring.capacity - std::min<std::uint64_t>(unsafeSlots, ring.capacity)));
        if (first > next) m_gaps.push_back({ring.index, next, first - next});
    } else if (head - next > ring.capacity) {
        return false;
    }
    RingRest rest{ring.index, first, alive ? settled : allSettled, RingView::copySlots(ring, first, head)};
    std::atomic_thread_fence(std::memory_order_acquire);  // the copy comes before the second look at the tail
    if (alive && ring.tail.load(std::memory_order_relaxed) > next) return false;
    m_rest.push_back(std::move(rest));
    return true;
}

void SpoolReader::takeProcess(const RingView& view)
{
    const spool::ProcessPage& page = view.page();
    m_process.known = true;
    m_process.endedTicks = page.endedTicks;
    m_process.lastSeenTicks = page.lastSeenTicks;
    m_process.ownCpuNs = page.ownCpuNs;
    m_process.spoolBytes = page.spoolBytes;
    m_process.codeOpens = page.codeOpens;
    m_process.codeReads = page.codeReads;
    m_process.codeBytes = page.codeBytes;
    m_process.codeTicks = page.codeTicks;
    for (std::size_t reason = 0; reason < m_process.lost.size(); ++reason) {
        m_process.lost[reason] = page.lost[reason];
        for (const spool::RingHeader* ring : view.rings()) m_process.lost[reason] += ring->lost[reason];
    }
}

void SpoolReader::visit(const PieceVisitor& each)
{
    for (const ChunkPlace& place : m_chunks) {
        const std::byte* const payload = m_file.at(place.payload, place.count * spool::slotBytes);
        if (payload == nullptr) return warn(m_path, "was cut short while it was read");
        each({place.ring,
              place.firstSequence + place.skip,
              {reinterpret_cast<const Event*>(payload) + place.skip, place.count - place.skip},
              allSettled});
    }
    for (const RingRest& rest : m_rest) each({rest.ring, rest.firstSequence, rest.events, rest.settled});
}

}  // namespace flowgauge::ingest
