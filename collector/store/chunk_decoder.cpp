// SPDX-License-Identifier: MIT
#include "collector/store/codec.h"

#include "collector/record/error.h"
#include "collector/store/predictor.h"

#include <zstd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace flowgauge::store {

namespace {

constexpr std::size_t headerBytes = 4;
constexpr std::size_t mostDictionaryBytes = 2 + 256 * 8;
/// Of a full chunk whose columns all need eight planes and a table.
constexpr std::size_t mostBodyBytes = columnCount * (18 + mostDictionaryBytes + 8 * maxChunkEvents);

/// A column as it stands in the body.
struct StoredColumn {
    Predictor predictor;
    std::uint8_t width;
    std::uint64_t base, first;
    std::span<const std::uint8_t> table;  ///< 8 bytes an entry
    const std::uint8_t* planes;
};

/// Takes words off the front of a body; throws where it ends too early.
class Cursor {
public:
    explicit Cursor(std::span<const std::uint8_t> rest) : m_rest(rest) {}

    std::span<const std::uint8_t> take(std::size_t bytes)
    {
        if (bytes > m_rest.size()) throw Error("chunk", "is damaged: ", bytes, " bytes expected, ", m_rest.size(), " left");
        const auto taken = m_rest.first(bytes);
        m_rest = m_rest.subspan(bytes);
        return taken;
    }

    template <typename Word>
    Word word()
    {
        Word value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }

    [[nodiscard]] std::size_t left() const { return m_rest.size(); }

private:
    std::span<const std::uint8_t> m_rest;
};

void checkHeader(const StoredColumn& stored, Column column)
{
    const bool alone = companionOf(column) == column;
    const bool companion = stored.predictor == Predictor::Companion || stored.predictor == Predictor::Successor;
    if (stored.predictor > Predictor::Dictionary || stored.width > 8 || (companion && alone))
        throw Error("chunk", "is damaged: column ", static_cast<int>(column), " has predictor ", static_cast<int>(stored.predictor),
                    " and width ", static_cast<int>(stored.width));
}

StoredColumn readColumn(Cursor& body, Column column, std::size_t events)
{
    StoredColumn stored{};
    stored.predictor = static_cast<Predictor>(body.word<std::uint8_t>());
    stored.width = body.word<std::uint8_t>();
    stored.base = body.word<std::uint64_t>();
    stored.first = body.word<std::uint64_t>();
    checkHeader(stored, column);
    if (stored.predictor == Predictor::Dictionary) stored.table = body.take(std::size_t{8} * body.word<std::uint16_t>());
    stored.planes = body.take(events * stored.width).data();
    return stored;
}

template <typename Word>
void join(const std::uint8_t* plane, unsigned width, std::size_t size, std::uint64_t base, std::uint64_t* into)
{
    std::array<Word, maxChunkEvents> words;
    for (std::size_t i = 0; i < size; ++i) words[i] = plane[i];
    for (unsigned shift = 8; shift < 8 * width; shift += 8) {
        plane += size;
        for (std::size_t i = 0; i < size; ++i) words[i] = static_cast<Word>(words[i] | static_cast<Word>(Word{plane[i]} << shift));
    }
    for (std::size_t i = 0; i < size; ++i) into[i] = base + words[i];
}

/// base + the planes, as 64-bit words. Joined as narrow as they fit: a vector then holds more of them.
void joinPlanes(const StoredColumn& stored, std::size_t size, std::uint64_t* into)
{
    if (stored.width == 0) {
        std::fill_n(into, size, stored.base);
    } else if (stored.width == 1) {
        for (std::size_t i = 0; i < size; ++i) into[i] = stored.base + stored.planes[i];
    } else if (stored.width == 2) {
        join<std::uint16_t>(stored.planes, 2, size, stored.base, into);
    } else if (stored.width <= 4) {
        join<std::uint32_t>(stored.planes, stored.width, size, stored.base, into);
    } else {
        join<std::uint64_t>(stored.planes, stored.width, size, stored.base, into);
    }
}

void lookUp(const StoredColumn& stored, std::size_t size, std::uint64_t* words)
{
    const std::size_t entries = stored.table.size() / 8;
    for (std::size_t i = 0; i < size; ++i) {
        if (words[i] >= entries) throw Error("chunk", "is damaged: entry ", words[i], " of a table of ", entries);
        std::memcpy(&words[i], stored.table.data() + 8 * words[i], 8);
    }
}

/// A kind of a newer build must not reach code that looks up its row.
void checkKinds(const EventColumns& events)
{
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < events.size(); ++i) most = std::max(most, events.words(Column::Kind)[i]);
    if (most >= kindCount)
        throw Error("chunk", "holds kind ", most, ", this build knows ", kindCount, ": it is damaged or of a newer flowgauge");
}

/// The wanted columns and those they are predicted from.
ColumnSet closure(ColumnSet wanted)
{
    for (std::size_t column = 0; column < columnCount; ++column)
        if ((wanted >> column & 1U) != 0) wanted |= setOf(companionOf(static_cast<Column>(column)));
    return wanted;
}

}  // namespace

struct ChunkDecoder::State {
    ZSTD_DCtx* decompressor = ZSTD_createDCtx();
    std::vector<std::uint8_t> body = std::vector<std::uint8_t>(mostBodyBytes);

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { ZSTD_freeDCtx(decompressor); }

    std::span<const std::uint8_t> inflate(std::span<const std::uint8_t> frame);
};

std::span<const std::uint8_t> ChunkDecoder::State::inflate(std::span<const std::uint8_t> frame)
{
    const std::size_t size = ZSTD_decompressDCtx(decompressor, body.data(), body.size(), frame.data(), frame.size());
    if (ZSTD_isError(size) != 0U) throw Error("chunk", "is damaged: ", ZSTD_getErrorName(size));
    return {body.data(), size};
}

ChunkDecoder::ChunkDecoder() = default;
ChunkDecoder::ChunkDecoder(ChunkDecoder&&) noexcept = default;
ChunkDecoder& ChunkDecoder::operator=(ChunkDecoder&&) noexcept = default;
ChunkDecoder::~ChunkDecoder() = default;

void ChunkDecoder::decode(std::span<const std::uint8_t> chunk, ColumnSet wanted, EventColumns& events)
{
    Cursor header(chunk);
    const auto codec = header.word<std::uint8_t>();
    const auto reserved = header.word<std::uint8_t>();
    const std::size_t size = header.word<std::uint16_t>();
    if (codec != chunkCodec || reserved != 0)
        throw Error("chunk", "has codec ", static_cast<int>(codec), ", expected ", static_cast<int>(chunkCodec));
    if (size == 0 || size > maxChunkEvents) throw Error("chunk", "is damaged: ", size, " events, expected 1 to ", maxChunkEvents);
    if (!m_state) m_state = std::make_unique<State>();  // not sooner: most of the tracks that a pass opens have no chunk for it
    Cursor body(m_state->inflate(chunk.subspan(headerBytes)));
    events.resize(size);
    wanted = closure(wanted);
    for (std::size_t i = 0; i < columnCount; ++i) {
        const auto column = static_cast<Column>(i);
        const StoredColumn stored = readColumn(body, column, size);
        if ((wanted >> i & 1U) == 0) continue;
        joinPlanes(stored, size, events.words(column));
        if (stored.predictor == Predictor::Dictionary) lookUp(stored, size, events.words(column));
        restore(events, column, stored.predictor, stored.first);
    }
    if (body.left() != 0) throw Error("chunk", "is damaged: ", body.left(), " bytes too many");
    if ((wanted & setOf(Column::Kind)) != 0) checkKinds(events);
}

}  // namespace flowgauge::store
