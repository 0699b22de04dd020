// SPDX-License-Identifier: MIT
#pragma once
#include "collector/store/event_columns.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace flowgauge::store {

/// chunk.codec of what ChunkEncoder writes:
///
///     u8 codec (1) | u8 0 | u16 events | one zstd frame of:
///         for each Column in order:  u8 predictor | u8 width | u64 base | u64 first | [u16 entries | entries x u64]
///                                    width planes of `events` bytes: byte 0 of all residuals, byte 1 of all, ...
///
/// residual = base + its `width` bytes, little-endian; a constant column has width 0 and no plane. The table is there for
/// Predictor::Dictionary only. Example: 4,096 reads in one file whose offsets follow each other: offset has predictor
/// Successor, width 0, base 0, first = the first offset: 18 bytes before compression.
inline constexpr std::uint8_t chunkCodec = 1;

/// Turns events into chunks. Keeps its buffers and its compressor: one per writer. Any events round-trip exactly.
class ChunkEncoder {
public:
    ChunkEncoder();
    ~ChunkEncoder();
    ChunkEncoder(const ChunkEncoder&) = delete;
    ChunkEncoder& operator=(const ChunkEncoder&) = delete;

    /// 1 to maxChunkEvents events. The answer is valid until the next call. level: of zstd.
    [[nodiscard]] std::span<const std::uint8_t> encode(const EventColumns& events, int level);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Turns chunks into events. Survives any input: throws Error where it is damaged, allocates no more than a full chunk needs.
class ChunkDecoder {
public:
    ChunkDecoder();
    ~ChunkDecoder();
    ChunkDecoder(ChunkDecoder&&) noexcept;
    ChunkDecoder& operator=(ChunkDecoder&&) noexcept;

    /// Fills at least the wanted columns.
    void decode(std::span<const std::uint8_t> chunk, ColumnSet wanted, EventColumns& events);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace flowgauge::store
