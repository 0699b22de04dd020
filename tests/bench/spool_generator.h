// SPDX-License-Identifier: MIT
#pragma once
#include "collector/record/makers.h"
#include "collector/spool/format.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace flowgauge::bench {

/// Writes the two files of one training process as format.h says: a main thread with steps, phases and reductions (ring 0) and
/// readers (rings 1 to 3) of which each reads 96 records a step of one of 64 files, one record after the other; in chunks of a
/// quarter of a ring, as the drain writes them.
class SpoolGenerator {
public:
    static constexpr std::uint32_t rings = 4;

    SpoolGenerator(std::filesystem::path spoolFile, int rank) : m_file(std::move(spoolFile)), m_rank(rank), m_random(rank + 1U) {}

    void write(std::uint64_t events)
    {
        m_out.open(m_file, std::ios::binary);
        writeHeader();
        for (std::uint32_t ring = 0; ring < rings; ++ring) m_at[ring] = startTicks + 1000;
        begin();
        for (std::uint64_t done = 0; done < events;) done += step();
        for (std::uint32_t ring = 0; ring < rings; ++ring) flush(ring);
        m_out << std::string(spool::pageBytes, '\0');
        writeRings();
    }

private:
    static constexpr Ticks startTicks = 1'000'000'000'000;
    static constexpr double ticksPerNs = 2.5;
    static constexpr std::uint32_t capacity = 16384;
    static constexpr NameKey firstFile = 100, firstPhase = 10;

    Ticks later(std::uint32_t ring, Nanos ns) { return m_at[ring] += static_cast<Ticks>(static_cast<double>(ns) * ticksPerNs); }
    Nanos about(Nanos ns) { return ns / 2 + static_cast<Nanos>(m_random() % static_cast<std::uint64_t>(ns)); }

    void put(std::uint32_t ring, Event event)
    {
        event.thread = static_cast<std::uint32_t>(1000 * (m_rank + 1)) + ring;
        m_pending[ring].push_back(event);
        if (m_pending[ring].size() == capacity / 4) flush(ring);
    }

    void name(NameKey key, NameClass nameClass, const std::string& text)
    {
        put(0, nameText(m_at[0], key, nameClass, text.size()));
        Event slot{};
        std::memcpy(static_cast<void*>(&slot), text.data(), text.size());
        m_pending[0].push_back(slot);
    }

    void begin()
    {
        anchor();
        for (NameKey i = 0; i < 4; ++i) name(firstPhase + i, NameClass::Phase, std::string(phases[i]));
        for (NameKey i = 0; i < 64; ++i) name(firstFile + i, NameClass::File, "/data/train-" + std::to_string(i) + ".rec");
        put(0, mpiInit({m_at[0], later(0, 1'000'000)}, 8, m_rank, 0));
    }

    void anchor()
    {
        const auto raw = static_cast<Nanos>(static_cast<double>(m_at[0] - startTicks) / ticksPerNs);
        put(0, clockAnchor(m_at[0], raw, 1'700'000'000'000'000'000 + raw, 50));
    }

    /// One training step: 4 phases, a step mark, 24 reductions, 3 x 96 reads. Returns its events.
    std::uint64_t step()
    {
        const Ticks start = m_at[0];
        if (m_step % 100 == 0) anchor();
        for (NameKey phase = 0; phase < 4; ++phase) {
            const Ticks from = m_at[0];
            for (int i = 0; phase == 3 && i < 24; ++i) {
                const Ticks call = later(0, about(20'000));
                put(0, collective({call, later(0, about(300'000))}, Kind::Allreduce, {1, 1U << 20U << (i % 4), m_reduces++, -1}, flagMpi));
            }
            if (phase < 3) later(0, about(2'000'000));
            put(0, phaseMark({from, m_at[0]}, firstPhase + phase));
        }
        put(0, stepMark({start, later(0, 1000)}, m_step++, 32));
        for (std::uint32_t ring = 1; ring < rings; ++ring) {
            const NameKey file = m_random() % 64;
            for (int i = 0; i < 96; ++i) {
                const Ticks call = later(ring, about(8000));
                const std::int64_t bytes = 4096 << m_random() % 5;
                m_offset[file] += bytes;
                put(ring, fileTransfer({call, later(ring, about(60'000))}, Kind::FileRead,
                                       {firstFile + file, m_offset[file], bytes, static_cast<std::uint64_t>(bytes)}));
            }
            m_at[ring] = std::max(m_at[ring], m_at[0]);
        }
        return 4 + 1 + 24 + 3 * 96;
    }

    template <typename Bytes>
    void writeBytes(const Bytes& bytes, std::size_t size)
    {
        m_out.write(reinterpret_cast<const char*>(&bytes), static_cast<std::streamsize>(size));
    }

    void flush(std::uint32_t ring)
    {
        auto& events = m_pending[ring];
        if (events.empty()) return;
        const std::size_t bytes = events.size() * sizeof(Event);
        const spool::ChunkHeader header{spool::chunkMagic,
                                        spool::ChunkType::Events,
                                        ring,
                                        m_sequence[ring],
                                        events.size(),
                                        bytes,
                                        spool::checksumOf(events.data(), bytes),
                                        {}};
        writeBytes(header, sizeof header);
        writeBytes(events.front(), bytes);
        m_sequence[ring] += events.size();
        events.clear();
    }

    void writeHeader()
    {
        std::vector<char> page(spool::pageBytes);
        spool::SpoolHeader header{};
        header.magic = spool::spoolMagic;
        header.version = spool::spoolVersion;
        header.headerBytes = spool::pageBytes;
        header.pid = 1000 * (m_rank + 1);
        header.clock = ClockSource::Tsc;
        header.startTicks = startTicks;
        header.startRealtimeNs = 1'700'000'000'000'000'000;
        header.processStart = 99;
        std::strcpy(header.host.data(), "node1");
        std::strcpy(header.bootId.data(), "no-boot-of-this-machine");
        std::strcpy(header.program.data(), "trainer");
        std::memcpy(page.data(), &header, sizeof header);
        m_out.write(page.data(), static_cast<std::streamsize>(page.size()));
    }

    void writeRings()
    {
        std::ofstream out(std::filesystem::path(m_file).replace_extension(".rings"), std::ios::binary);
        std::vector<char> page(spool::pageBytes);
        auto& process = *new (page.data()) spool::ProcessPage{};
        process.magic = spool::ringsMagic;
        process.version = spool::spoolVersion;
        process.segments = rings;
        process.endedTicks = *std::max_element(m_at.begin(), m_at.end());
        out.write(page.data(), static_cast<std::streamsize>(page.size()));
        for (std::uint32_t ring = 0; ring < rings; ++ring) {
            std::vector<char> segment(spool::segmentBytes(128));
            auto& header = *new (segment.data()) spool::RingHeader{};
            header.magic = spool::segmentMagic;
            header.index = ring;
            header.capacity = 128;
            header.head = header.tail = m_sequence[ring];
            out.write(segment.data(), static_cast<std::streamsize>(segment.size()));
        }
    }

    static constexpr std::array<std::string_view, 4> phases{"input", "forward", "backward", "communication"};

    std::filesystem::path m_file;
    int m_rank;
    std::mt19937_64 m_random;
    std::ofstream m_out;
    std::array<std::vector<Event>, rings> m_pending;
    std::array<std::uint64_t, rings> m_sequence{};
    std::array<Ticks, rings> m_at{};
    std::array<std::int64_t, 64> m_offset{};
    std::int64_t m_step = 0;
    std::uint64_t m_reduces = 0;
};

}  // namespace flowgauge::bench
