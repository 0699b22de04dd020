// SPDX-License-Identifier: MIT
#include "collector/store/codec.h"

#include "collector/record/error.h"
#include "collector/store/dictionary.h"
#include "collector/store/predictor.h"

#include <zstd.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace flowgauge::store {

namespace {

using Bytes = std::vector<std::uint8_t>;

template <typename Word>
void put(Bytes& body, Word word)
{
    for (std::size_t i = 0; i < sizeof(Word); ++i) body.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(word) >> (8 * i)));
}

std::uint8_t bytesFor(std::uint64_t largest) { return static_cast<std::uint8_t>((std::bit_width(largest) + 7) / 8); }

bool isConstant(std::span<const std::uint64_t> words)
{
    std::uint64_t different = 0;
    for (const std::uint64_t word : words) different |= word ^ words[0];
    return different == 0;
}

void putPlanes(Bytes& body, std::span<const std::uint64_t> residuals, std::uint64_t base, std::uint8_t width)
{
    const std::size_t size = residuals.size();
    const std::size_t at = body.size();
    body.resize(at + size * width);
    for (unsigned plane = 0; plane < width; ++plane) {
        std::uint8_t* into = body.data() + at + size * plane;
        for (std::size_t i = 0; i < size; ++i) into[i] = static_cast<std::uint8_t>((residuals[i] - base) >> (8 * plane));
    }
}

}  // namespace

struct ChunkEncoder::State {
    ZSTD_CCtx* compressor = ZSTD_createCCtx();
    Bytes body;
    Bytes chunk;
    std::array<std::uint64_t, maxChunkEvents> residual;
    std::array<std::uint64_t, maxChunkEvents> index;
    Dictionary dictionary;

    void putColumn(const EventColumns& events, Column column);
    void putHeader(Predictor predictor, std::uint8_t width, std::uint64_t base, std::uint64_t first);
};

void ChunkEncoder::State::putHeader(Predictor predictor, std::uint8_t width, std::uint64_t base, std::uint64_t first)
{
    put(body, static_cast<std::uint8_t>(predictor));
    put(body, width);
    put(body, base);
    put(body, first);
}

void ChunkEncoder::State::putColumn(const EventColumns& events, Column column)
{
    const std::size_t size = events.size();
    if (isConstant({events.words(column), size})) return putHeader(Predictor::Zero, 0, events.words(column)[0], 0);
    const Predictor predictor = choosePredictor(events, column);
    predict(events, column, predictor, residual.data());
    std::uint64_t base = residual[0];
    std::uint64_t most = base;
    for (std::size_t i = 1; i < size; ++i) {
        base = std::min(base, residual[i]);
        most = std::max(most, residual[i]);
    }
    const std::uint8_t width = bytesFor(most - base);
    // Times differ too much for a table, and one byte cannot be beaten by one.
    const bool few =
        width > 1 && column != Column::Begin && column != Column::Duration && dictionary.build({events.words(column), size}, index.data());
    if (!few) {
        putHeader(predictor, width, base, events.words(column)[0]);
        putPlanes(body, {residual.data(), size}, base, width);
        return;
    }
    putHeader(Predictor::Dictionary, 1, 0, 0);
    put(body, static_cast<std::uint16_t>(dictionary.values().size()));
    for (const std::uint64_t value : dictionary.values()) put(body, value);
    putPlanes(body, {index.data(), size}, 0, 1);
}

ChunkEncoder::ChunkEncoder() : m_state(std::make_unique<State>()) {}

ChunkEncoder::~ChunkEncoder() { ZSTD_freeCCtx(m_state->compressor); }

std::span<const std::uint8_t> ChunkEncoder::encode(const EventColumns& events, int level)
{
    assert(events.size() > 0 && events.size() <= maxChunkEvents && "the writer cuts chunks, and none is empty");
    State& state = *m_state;
    state.body.clear();
    for (std::size_t column = 0; column < columnCount; ++column) state.putColumn(events, static_cast<Column>(column));
    state.chunk.clear();
    put(state.chunk, chunkCodec);
    put(state.chunk, std::uint8_t{0});
    put(state.chunk, static_cast<std::uint16_t>(events.size()));
    const std::size_t header = state.chunk.size();
    state.chunk.resize(header + ZSTD_compressBound(state.body.size()));
    const std::size_t size = ZSTD_compressCCtx(state.compressor, state.chunk.data() + header, state.chunk.size() - header,
                                               state.body.data(), state.body.size(), level);
    if (ZSTD_isError(size) != 0U) throw Error("chunk", "cannot be compressed: ", ZSTD_getErrorName(size));
    state.chunk.resize(header + size);
    return state.chunk;
}

}  // namespace flowgauge::store
