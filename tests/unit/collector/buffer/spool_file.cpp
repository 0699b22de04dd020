// SPDX-License-Identifier: MIT
#include "tests/unit/collector/buffer/spool_file.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace flowgauge::test {
namespace {

std::string contents(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Skips the slots of text behind a name.
template <typename Visit>
void eachEvent(const std::vector<Event>& slots, Visit visit)
{
    for (std::size_t at = 0; at < slots.size(); ++at) {
        visit(slots[at], at);
        if (slots[at].kind == Kind::NameText) at += spool::nameSlots(slots[at].arg[2]) - 1;
    }
}

void readChunks(const std::string& bytes, SpoolFile& file)
{
    std::size_t at = spool::pageBytes;
    for (spool::ChunkHeader chunk; at + sizeof chunk <= bytes.size();) {
        std::memcpy(&chunk, bytes.data() + at, sizeof chunk);
        if (chunk.magic != spool::chunkMagic) break;
        const char* const payload = bytes.data() + at + sizeof chunk;
        const std::uint64_t padded = (chunk.payloadBytes + 63) / 64 * 64;
        if (at + sizeof chunk + padded > bytes.size() || spool::checksumOf(payload, chunk.payloadBytes) != chunk.checksum) break;
        if (chunk.type == spool::ChunkType::Environment)
            for (std::size_t from = 0; from < chunk.payloadBytes; from += std::strlen(payload + from) + 1)
                if (payload[from] != '\0') file.environment.emplace_back(payload + from);
        if (chunk.type == spool::ChunkType::Events) {
            auto& slots = file.rings[chunk.ring];
            if (chunk.firstSequence != slots.size()) file.problems.push_back("ring " + std::to_string(chunk.ring) + " jumps");
            const std::size_t before = slots.size();
            slots.resize(before + chunk.count);
            std::memcpy(slots.data() + before, payload, chunk.payloadBytes);
        }
        at += sizeof chunk + padded;
    }
    file.spoolBytes = at;
}

void takePage(const spool::ProcessPage& page, SpoolFile& file)
{
    for (std::size_t reason = 0; reason < file.lost.size(); ++reason) file.lost[reason] += page.lost[reason];
    file.code = {page.codeOpens, page.codeReads, page.codeBytes, page.codeTicks};
    file.endedTicks = page.endedTicks;
    file.ownCpuNs = page.ownCpuNs;
    file.segments = page.segments;
}

void takeRing(const spool::RingHeader& ring, const char* slots, SpoolFile& file)
{
    auto& events = file.rings[ring.index];
    file.states[ring.index] = ring.state;
    file.capacities[ring.index] = ring.capacity;
    for (std::size_t reason = 0; reason < file.lost.size(); ++reason) file.lost[reason] += ring.lost[reason];
    const std::uint64_t head = ring.head;
    if (ring.tail > events.size())
        file.problems.push_back("ring " + std::to_string(ring.index) + ": slots given back that are in no chunk");
    for (std::uint64_t sequence = events.size(); sequence < head; ++sequence, ++file.fromRings) {
        Event event;
        std::memcpy(&event, slots + (sequence & (ring.capacity - 1)) * spool::slotBytes, sizeof event);
        events.push_back(event);
    }
}

void readRings(const std::string& bytes, SpoolFile& file)
{
    if (bytes.size() < spool::pageBytes) throw std::runtime_error("no process page");
    const auto& page = *reinterpret_cast<const spool::ProcessPage*>(bytes.data());
    if (page.magic != spool::ringsMagic) throw std::runtime_error("not a rings file");
    takePage(page, file);
    file.ringsBytes = bytes.size();
    std::size_t at = spool::pageBytes;
    for (std::uint64_t index = 0; index < file.segments; ++index) {
        const auto& ring = *reinterpret_cast<const spool::RingHeader*>(bytes.data() + at);
        if (ring.magic != spool::segmentMagic || ring.index != index) throw std::runtime_error("segment is not where it should be");
        takeRing(ring, bytes.data() + at + spool::pageBytes, file);
        at += spool::segmentBytes(ring.capacity);
    }
}

}  // namespace

std::vector<Event> SpoolFile::events() const
{
    std::vector<Event> all;
    for (const auto& [ring, slots] : rings) eachEvent(slots, [&](const Event& event, std::size_t) { all.push_back(event); });
    return all;
}

std::vector<Event> SpoolFile::events(Kind kind) const
{
    std::vector<Event> all = events();
    std::erase_if(all, [kind](const Event& event) { return event.kind != kind; });
    return all;
}

std::map<NameKey, std::string> SpoolFile::names(NameClass nameClass) const
{
    std::map<NameKey, std::string> found;
    for (const auto& [ring, slots] : rings)
        eachEvent(slots, [&](const Event& event, std::size_t at) {
            if (event.kind == Kind::NameText && event.arg[1] == static_cast<std::uint64_t>(nameClass))
                found[event.arg[0]] = std::string(reinterpret_cast<const char*>(slots.data() + at + 1), event.arg[2]);
        });
    return found;
}

SpoolFile readSpool(const std::filesystem::path& spoolFile)
{
    SpoolFile file;
    const std::string bytes = contents(spoolFile);
    if (bytes.size() < spool::pageBytes) throw std::runtime_error("no header page");
    std::memcpy(&file.header, bytes.data(), sizeof file.header);
    if (file.header.magic != spool::spoolMagic) throw std::runtime_error("not a spool");
    readChunks(bytes, file);
    readRings(contents(std::filesystem::path(spoolFile).replace_extension(".rings")), file);
    return file;
}

std::vector<std::filesystem::path> spoolsIn(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> found;
    if (!std::filesystem::exists(folder)) return found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".spool") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

SpoolFile onlySpool(const std::filesystem::path& folder)
{
    const auto found = spoolsIn(folder);
    if (found.size() != 1) throw std::runtime_error("expected one spool, found " + std::to_string(found.size()));
    return readSpool(found.front());
}

}  // namespace flowgauge::test
