// SPDX-License-Identifier: MIT
#include "analyzer/facts/rank_bytes.h"

#include "collector/record/error.h"

#include <cstring>
#include <type_traits>

namespace flowgauge::facts {
namespace {

template <typename T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class Writer {
public:
    template <Plain T>
    void value(T& plain)
    {
        many(&plain, 1);
    }
    template <typename T>
    void many(T* first, std::size_t count)
    {
        const auto bytes = std::as_bytes(std::span(first, count));
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }
    /// Number of things that follow.
    std::size_t count(std::size_t size)
    {
        value(size);
        return size;
    }
    static constexpr bool reads = false;
    [[nodiscard]] std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    std::vector<std::byte> m_bytes;
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}
    template <Plain T>
    void value(T& plain)
    {
        many(&plain, 1);
    }
    template <typename T>
    void many(T* first, std::size_t count)
    {
        if (count > m_bytes.size() / sizeof(T)) throw Error("facts of a rank", "cut off: ", m_bytes.size(), " bytes are left");
        if (count > 0) std::memcpy(first, m_bytes.data(), count * sizeof(T));
        m_bytes = m_bytes.subspan(count * sizeof(T));
    }
    std::size_t count(std::size_t)
    {
        std::size_t size = 0;
        value(size);
        if (size > m_bytes.size()) throw Error("facts of a rank", "expected ", size, " more things in ", m_bytes.size(), " bytes");
        return size;
    }
    static constexpr bool reads = true;
    void finish() const
    {
        if (!m_bytes.empty()) throw Error("facts of a rank", m_bytes.size(), " bytes too many");
    }

private:
    std::span<const std::byte> m_bytes;
};

// One function a type tells its fields to both, so that what is written is what is read. Structured bindings make a field that is
// added and forgotten here an error of the compiler.

template <typename Archive, Plain T>
void pass(Archive& archive, T& plain)
{
    archive.value(plain);
}

template <typename Archive>
void pass(Archive& archive, std::string& text)
{
    text.resize(archive.count(text.size()));
    archive.many(text.data(), text.size());
}

template <typename Archive, Plain T>
void pass(Archive& archive, std::vector<T>& things)
{
    things.resize(archive.count(things.size()));
    archive.many(things.data(), things.size());
}

template <typename Archive>
void pass(Archive& archive, IntervalSet& set)
{
    std::vector<Interval> intervals = set.intervals();
    pass(archive, intervals);
    if constexpr (Archive::reads) set = IntervalSet::of(std::move(intervals));
}

template <typename Archive, typename T>
void pass(Archive& archive, Measured<T>& measured)
{
    bool known = measured.known();
    pass(archive, known);
    T value = measured.valueOr(T{});
    std::string reason = measured.reason();
    if (known)
        pass(archive, value);
    else
        pass(archive, reason);
    if constexpr (Archive::reads) measured = known ? Measured<T>(value) : Measured<T>::missing(reason);
}

template <typename Archive, typename Key, typename Value>
void pass(Archive& archive, std::map<Key, Value>& map)
{
    const std::size_t count = archive.count(map.size());
    if constexpr (Archive::reads) {
        for (std::size_t i = 0; i < count; ++i) {
            Key key{};
            pass(archive, key);
            pass(archive, map[key]);
        }
    } else {
        for (auto& [key, value] : map) {
            Key copy = key;
            pass(archive, copy);
            pass(archive, value);
        }
    }
}

template <typename Archive, typename... Fields>
void all(Archive& archive, Fields&... fields)
{
    (pass(archive, fields), ...);
}

template <typename Archive>
void pass(Archive& archive, EpochPart& part)
{
    auto& [number, when, samples, reads, evaluation, fetchesFrom, asked, fetched, faults, open] = part;
    all(archive, number, when, samples, reads, evaluation, fetchesFrom, asked, fetched, faults, open);
}

template <typename Archive>
void pass(Archive& archive, std::vector<EpochPart>& parts)
{
    parts.resize(archive.count(parts.size()));
    for (EpochPart& part : parts) pass(archive, part);
}

template <typename Archive>
void pass(Archive& archive, GpuFacts& gpu)
{
    auto& [used, extent, kernels, communicationKernels, copies, lateLaunch, afterSync, launchesKnown, groups] = gpu;
    all(archive, used, extent, kernels, communicationKernels, copies, lateLaunch, afterSync, launchesKnown, groups);
}

template <typename Archive>
void pass(Archive& archive, RankFacts& facts)
{
    auto& [rank, named, host, program, endedNormally, extent, compute, communication, copy, waiting, reading, writing, gpu, phases,
           computeKnown, communicationKnown, inputMarked, steps, collectives, wires, rankIn, commBytes, reads, readsElsewhere, mappedFiles,
           epochs, closeness] = facts;
    all(archive, rank, named, host, program, endedNormally, extent, compute, communication, copy, waiting, reading, writing, gpu, phases);
    all(archive, computeKnown, communicationKnown, inputMarked, steps, collectives, wires, rankIn, commBytes, reads, readsElsewhere,
        mappedFiles, epochs, closeness);
}

}  // namespace

std::vector<std::byte> bytesOf(const RankFacts& rank)
{
    Writer writer;
    pass(writer, const_cast<RankFacts&>(rank));  // a writer only looks
    return writer.take();
}

RankFacts rankOf(std::span<const std::byte> bytes)
{
    Reader reader(bytes);
    RankFacts rank;
    pass(reader, rank);
    reader.finish();
    return rank;
}

}  // namespace flowgauge::facts
