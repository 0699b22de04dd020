// SPDX-License-Identifier: MIT
#include "collector/store/tile.h"

#include "collector/record/error.h"
#include "collector/store/flat_index.h"

#include <zstd.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace flowgauge::store {

namespace {

constexpr std::uint8_t tileVersion = 1;
constexpr std::size_t headerBytes = 6;
constexpr std::size_t leaderBytes = 10;
constexpr std::size_t planeBytes = 16 * bucketsPerTile;
constexpr std::uint64_t fullBusy = 65535;

using Planes = std::array<std::uint8_t, planeBytes>;

/// One bucket as it is stored.
struct Packed {
    std::uint32_t events;
    std::uint16_t busy, leader;
    std::uint32_t longest, bytes;
};
static_assert(sizeof(Packed) == 16);

struct Leader {
    std::uint16_t kind;
    Id name;
};

std::uint8_t shiftFor(std::uint64_t largest)
{
    return static_cast<std::uint8_t>(std::max(0, static_cast<int>(std::bit_width(largest)) - 32));
}

std::uint16_t packBusy(Nanos busy, Nanos width)
{
    if (busy <= 0) return 0;
    const double share = std::min(1.0, static_cast<double>(busy) / static_cast<double>(width));
    return static_cast<std::uint16_t>(std::max(1L, std::lround(share * fullBusy)));
}

void compress(std::vector<std::uint8_t>& data, const Planes& planes)
{
    const std::size_t header = data.size();
    data.resize(header + ZSTD_compressBound(planes.size()));
    thread_local const struct Compressor {
        ZSTD_CCtx* context = ZSTD_createCCtx();
        ~Compressor() { ZSTD_freeCCtx(context); }
    } compressor;
    const std::size_t size =
        ZSTD_compressCCtx(compressor.context, data.data() + header, data.size() - header, planes.data(), planes.size(), 1);
    if (ZSTD_isError(size) != 0U) throw Error("tile", "cannot be compressed: ", ZSTD_getErrorName(size));
    data.resize(header + size);
}

}  // namespace

namespace {

/// The buckets of a tile as they are stored, a field at a time.
struct Fields {
    template <typename Word>
    using Column = std::array<Word, bucketsPerTile>;
    Column<std::uint32_t> events, longest, bytes;
    Column<std::uint16_t> busy, leader;
};

template <typename Word>
std::uint8_t* putPlanes(const Fields::Column<Word>& words, std::uint8_t* into)
{
    for (std::size_t plane = 0; plane < sizeof(Word); ++plane, into += bucketsPerTile)
        for (std::size_t i = 0; i < bucketsPerTile; ++i) into[i] = static_cast<std::uint8_t>(words[i] >> (8 * plane));
    return into;
}

void putLeaders(const FlatIndex& leaders, std::vector<std::uint8_t>& data)
{
    const auto& keys = leaders.keys();
    const auto count = static_cast<std::uint16_t>(keys.size());
    std::memcpy(&data[4], &count, sizeof count);
    data.resize(headerBytes + keys.size() * leaderBytes);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Leader leader{static_cast<std::uint16_t>(kindOfKey(keys[i])), nameOfKey(keys[i])};
        std::memcpy(&data[headerBytes + i * leaderBytes], &leader.kind, sizeof leader.kind);
        std::memcpy(&data[headerBytes + i * leaderBytes + sizeof leader.kind], &leader.name, sizeof leader.name);
    }
}

}  // namespace

std::vector<std::uint8_t> encodeTile(const Tile& tile, Nanos bucketWidth)
{
    std::uint64_t longest = 0;
    std::uint64_t bytes = 0;
    for (const TileBucket& bucket : tile) {
        longest |= static_cast<std::uint64_t>(bucket.longest);
        bytes |= bucket.bytes;
    }
    const std::uint8_t longestShift = shiftFor(longest);
    const std::uint8_t bytesShift = shiftFor(bytes);
    thread_local FlatIndex leaders;
    leaders.clear();
    Fields fields;
    std::uint64_t lastKey = 0;
    std::uint16_t lastLeader = 0;
    for (std::size_t i = 0; i < tile.size(); ++i) {
        const TileBucket& bucket = tile[i];
        fields.events[i] = bucket.events;
        fields.busy[i] = packBusy(bucket.busyNs, bucketWidth);
        fields.longest[i] = static_cast<std::uint32_t>(bucket.longest >> longestShift);
        fields.bytes[i] = static_cast<std::uint32_t>(bucket.bytes >> bytesShift);
        fields.leader[i] = 0;
        if (bucket.leadingKind == Kind::None) continue;
        const std::uint64_t key = kindNameKey(bucket.leadingKind, bucket.leadingName);
        if (lastLeader == 0 || key != lastKey) lastLeader = static_cast<std::uint16_t>(1 + leaders[key]);
        fields.leader[i] = lastLeader;
        lastKey = key;
    }
    std::vector<std::uint8_t> data(headerBytes);
    data[0] = tileVersion;
    data[1] = longestShift;
    data[2] = bytesShift;
    putLeaders(leaders, data);
    Planes planes;
    std::uint8_t* into = putPlanes(fields.events, planes.data());
    into = putPlanes(fields.busy, into);
    into = putPlanes(fields.leader, into);
    into = putPlanes(fields.longest, into);
    (void)putPlanes(fields.bytes, into);
    compress(data, planes);
    return data;
}

namespace {

Leader leaderAt(std::span<const std::uint8_t> leaders, std::size_t index)
{
    Leader leader{};
    std::memcpy(&leader.kind, leaders.data() + index * leaderBytes, sizeof leader.kind);
    std::memcpy(&leader.name, leaders.data() + index * leaderBytes + sizeof leader.kind, sizeof leader.name);
    if (!isKind(leader.kind)) throw Error("tile", "is damaged: kind ", leader.kind);
    return leader;
}

void unpack(const Packed& packed, std::span<const std::uint8_t> header, std::span<const std::uint8_t> leaders, TileBucket& bucket)
{
    bucket.events = packed.events;
    bucket.busy = static_cast<float>(packed.busy) / static_cast<float>(fullBusy);
    bucket.longest = static_cast<Nanos>(std::uint64_t{packed.longest} << header[1]);
    bucket.bytes = std::uint64_t{packed.bytes} << header[2];
    if (packed.leader == 0) return;
    if (std::size_t{packed.leader} * leaderBytes > leaders.size()) throw Error("tile", "is damaged: leader ", packed.leader);
    const Leader leader = leaderAt(leaders, packed.leader - 1U);
    bucket.leadingKind = static_cast<Kind>(leader.kind);
    bucket.leadingName = leader.name;
}

}  // namespace

void decodeTile(std::span<const std::uint8_t> data, Nanos bucketWidth, Tile& tile)
{
    if (data.size() < headerBytes || data[0] != tileVersion || data[1] > 31 || data[2] > 32) throw Error("tile", "is damaged: bad header");
    std::uint16_t count;
    std::memcpy(&count, data.data() + 4, sizeof count);
    if (count > bucketsPerTile || data.size() < headerBytes + count * leaderBytes) throw Error("tile", "is damaged: ", count, " leaders");
    const auto leaders = data.subspan(headerBytes, count * leaderBytes);
    const auto frame = data.subspan(headerBytes + leaders.size());
    Planes planes;
    const std::size_t size = ZSTD_decompress(planes.data(), planes.size(), frame.data(), frame.size());
    if (ZSTD_isError(size) != 0U || size != planes.size()) throw Error("tile", "is damaged: its buckets cannot be read");
    for (std::size_t i = 0; i < tile.size(); ++i) {
        std::array<std::uint8_t, sizeof(Packed)> raw;
        for (std::size_t plane = 0; plane < raw.size(); ++plane) raw[plane] = planes[plane * bucketsPerTile + i];
        Packed packed;
        std::memcpy(&packed, raw.data(), sizeof packed);
        tile[i] = {};
        unpack(packed, data.first(headerBytes), leaders, tile[i]);
        tile[i].busyNs = std::llround(static_cast<double>(packed.busy) / fullBusy * static_cast<double>(bucketWidth));
    }
}

}  // namespace flowgauge::store
