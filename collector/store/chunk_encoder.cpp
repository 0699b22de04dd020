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

template <typename Word>
void putPlanes(const Word* words, std::size_t size, unsigned width, std::uint8_t* into)
{
    for (unsigned plane = 0; plane < width; ++plane, into += size)
        for (std::size_t i = 0; i < size; ++i) into[i] = static_cast<std::uint8_t>(words[i] >> (8 * plane));
}

/// The residuals above base, made as narrow as they fit first: a vector then holds more of them.
template <typename Word>
void narrow(std::span<const std::uint64_t> residuals, std::uint64_t base, unsigned width, std::uint8_t* into)
{
    std::array<Word, maxChunkEvents> words;
    for (std::size_t i = 0; i < residuals.size(); ++i) words[i] = static_cast<Word>(residuals[i] - base);
    putPlanes(words.data(), residuals.size(), width, into);
}

struct Range {
    std::uint64_t least, most;
};

/// Four at a time: one minimum after the other would wait for itself.
Range rangeOf(std::span<const std::uint64_t> words)
{
    std::array<std::uint64_t, 4> least{words[0], words[0], words[0], words[0]};
    std::array<std::uint64_t, 4> most = least;
    std::size_t i = 0;
    for (; i + 4 <= words.size(); i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            least[lane] = std::min(least[lane], words[i + lane]);
            most[lane] = std::max(most[lane], words[i + lane]);
        }
    for (; i < words.size(); ++i) {
        least[0] = std::min(least[0], words[i]);
        most[0] = std::max(most[0], words[i]);
    }
    return {*std::min_element(least.begin(), least.end()), *std::max_element(most.begin(), most.end())};
}

}  // namespace

struct ChunkEncoder::State {
    ZSTD_CCtx* compressor = ZSTD_createCCtx();
    Bytes body;
    Bytes chunk;  ///< its header
    Bytes room;   ///< only ever grows: filling it with zeros for each chunk would cost as much as a column
    std::array<std::uint64_t, maxChunkEvents> residual;
    std::array<std::uint8_t, maxChunkEvents> index;
    Dictionary dictionary;

    void putResiduals(std::size_t size, std::uint64_t base, std::uint8_t width);
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

void ChunkEncoder::State::putResiduals(std::size_t size, std::uint64_t base, std::uint8_t width)
{
    const std::span<const std::uint64_t> residuals{residual.data(), size};
    const std::size_t at = body.size();
    body.resize(at + size * width);
    if (width <= 2)
        narrow<std::uint16_t>(residuals, base, width, body.data() + at);
    else if (width <= 4)
        narrow<std::uint32_t>(residuals, base, width, body.data() + at);
    else
        narrow<std::uint64_t>(residuals, base, width, body.data() + at);
}

void ChunkEncoder::State::putColumn(const EventColumns& events, Column column)
{
    const std::size_t size = events.size();
    if (isConstant({events.words(column), size})) return putHeader(Predictor::Zero, 0, events.words(column)[0], 0);
    const Predictor predictor = choosePredictor(events, column);
    predict(events, column, predictor, residual.data());
    const Range range = rangeOf({residual.data(), size});
    const std::uint8_t width = bytesFor(range.most - range.least);
    // Times differ too much for a table, and one byte cannot be beaten by one.
    const bool few =
        width > 1 && column != Column::Begin && column != Column::Duration && dictionary.build({events.words(column), size}, index.data());
    if (!few) {
        putHeader(predictor, width, range.least, events.words(column)[0]);
        return putResiduals(size, range.least, width);
    }
    putHeader(Predictor::Dictionary, 1, 0, 0);
    put(body, static_cast<std::uint16_t>(dictionary.values().size()));
    for (const std::uint64_t value : dictionary.values()) put(body, value);
    body.insert(body.end(), index.begin(), index.begin() + static_cast<std::ptrdiff_t>(size));
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
    const std::size_t most = header + ZSTD_compressBound(state.body.size());
    if (state.room.size() < most) state.room.resize(most);
    std::copy(state.chunk.begin(), state.chunk.end(), state.room.begin());
    const std::size_t size =
        ZSTD_compressCCtx(state.compressor, state.room.data() + header, most - header, state.body.data(), state.body.size(), level);
    if (ZSTD_isError(size) != 0U) throw Error("chunk", "cannot be compressed: ", ZSTD_getErrorName(size));
    return std::span(state.room).first(header + size);
}

}  // namespace flowgauge::store
