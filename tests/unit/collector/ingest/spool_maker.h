// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"
#include "collector/spool/format.h"

#include <unistd.h>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace flowgauge::ingest {

/// A folder of its own for one test, gone with it.
class TestFolder {
public:
    TestFolder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "ingest_test_XXXXXX").string();
        m_path = mkdtemp(pattern.data());
    }
    ~TestFolder() { std::filesystem::remove_all(m_path); }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// One read of `bytes` bytes that lasts from tick `at` to at + 10.
inline Event readAt(Ticks at, NameKey file, std::int64_t bytes, std::uint32_t thread = 7)
{
    Event event = fileTransfer({at, at + 10}, Kind::FileRead, {file, 0, bytes, 4096});
    event.thread = thread;
    return event;
}

/// A NameText and the slots of its text.
inline std::vector<Event> nameSlotsOf(NameKey key, std::string text, NameClass nameClass = NameClass::File)
{
    std::vector<Event> slots(spool::nameSlots(text.size()));
    slots[0] = nameText(1000, key, nameClass, text.size());
    std::memcpy(static_cast<void*>(slots.data() + 1), text.data(), text.size());
    return slots;
}

/// Builds a pair of spool files by hand, as format.h says, and writes them when asked.
class SpoolMaker {
public:
    explicit SpoolMaker(std::filesystem::path spoolFile) : m_file(std::move(spoolFile))
    {
        m_header = {};
        m_header.magic = spool::spoolMagic;
        m_header.version = spool::spoolVersion;
        m_header.headerBytes = spool::pageBytes;
        m_header.pid = 4711;
        m_header.clock = ClockSource::Monotonic;
        m_header.startTicks = 1000;
        m_header.startRawNs = 1000;
        m_header.startRealtimeNs = 1'000'001'000;
        m_header.processStart = 99;
        std::strcpy(m_header.host.data(), "node1");
        std::strcpy(m_header.bootId.data(), "no-boot-of-this-machine");
        std::strcpy(m_header.program.data(), "trainer");
    }
    spool::SpoolHeader& header() { return m_header; }

    void chunk(std::uint32_t ring, std::uint64_t first, const std::vector<Event>& events)
    {
        chunkOf(spool::ChunkType::Events, ring, first, events.size(), bytesOf(events.data(), events.size() * sizeof(Event)));
    }
    void environment(const std::vector<std::string>& texts)
    {
        std::string all;
        for (const std::string& text : texts) all += text + '\0';
        all.resize((all.size() + 63) / 64 * 64);
        chunkOf(spool::ChunkType::Environment, 0, 0, 0, all);
    }
    void raw(const std::string& bytes) { m_chunks += bytes; }

    struct Ring {
        std::uint64_t tail = 0, head = 0;
        std::vector<Event> slots = std::vector<Event>(128);
        std::uint64_t lostFull = 0;
    };
    /// A ring that holds `events` from `tail` on.
    Ring& ring(std::uint64_t tail, const std::vector<Event>& events)
    {
        Ring made;
        made.tail = tail;
        made.head = tail + events.size();
        for (std::size_t i = 0; i < events.size(); ++i) made.slots[(tail + i) % made.slots.size()] = events[i];
        m_rings.push_back(made);
        return m_rings.back();
    }
    std::uint64_t endedTicks = 0;

    void write() const
    {
        std::ofstream(m_file, std::ios::binary) << page(bytesOf(&m_header, sizeof m_header)) << m_chunks << std::string(4096, '\0');
        std::filesystem::path rings = m_file;
        std::ofstream(rings.replace_extension(".rings"), std::ios::binary) << ringsFile();
    }

private:
    static std::string bytesOf(const void* at, std::size_t bytes) { return {static_cast<const char*>(at), bytes}; }
    static std::string page(std::string bytes) { return bytes.resize(spool::pageBytes), bytes; }

    void chunkOf(spool::ChunkType type, std::uint32_t ring, std::uint64_t first, std::uint64_t count, const std::string& payload)
    {
        const spool::ChunkHeader header{
            spool::chunkMagic, type, ring, first, count, payload.size(), spool::checksumOf(payload.data(), payload.size()), {}};
        m_chunks += bytesOf(&header, sizeof header) + payload;
    }
    [[nodiscard]] std::string ringsFile() const
    {
        spool::ProcessPage process{};
        process.magic = spool::ringsMagic;
        process.version = spool::spoolVersion;
        process.segments = m_rings.size();
        process.endedTicks = endedTicks;
        std::string file = page(bytesOf(&process, sizeof process));
        for (std::uint32_t index = 0; index < m_rings.size(); ++index) {
            const Ring& ring = m_rings[index];
            spool::RingHeader header{};
            header.magic = spool::segmentMagic;
            header.index = index;
            header.capacity = static_cast<std::uint32_t>(ring.slots.size());
            header.head = ring.head;
            header.tail = ring.tail;
            header.lost[0] = ring.lostFull;
            file += page(bytesOf(&header, sizeof header)) + bytesOf(ring.slots.data(), ring.slots.size() * sizeof(Event));
        }
        return file;
    }

    std::filesystem::path m_file;
    spool::SpoolHeader m_header;
    std::string m_chunks;
    std::vector<Ring> m_rings;
};

}  // namespace flowgauge::ingest
