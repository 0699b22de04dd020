// SPDX-License-Identifier: MIT
#include "collector/sample/counter_sink.h"

#include "collector/buffer/recorder.h"
#include "collector/record/makers.h"
#include "collector/record/raw.h"
#include "collector/sample/sys_root.h"

namespace flowgauge::sample {

constinit const Outlet recorderOutlet{&buffer::record, &buffer::name};

namespace {

/// Place of each counter within its family: the index into Source::last. Rows may be appended, so a family is not one block.
constexpr auto placesInFamily()
{
    std::array<std::uint8_t, counterCount> places{};
    std::array<std::uint8_t, counterFamilyCount> used{};
    for (std::size_t row = 0; row < counterCount; ++row) places[row] = used[static_cast<std::size_t>(counterRows[row].family)]++;
    return places;
}
constexpr auto places = placesInFamily();

constexpr bool allFamiliesFit()
{
    for (const std::uint8_t place : places)
        if (place >= mostCountersOfAFamily) return false;
    return true;
}
static_assert(allFamiliesFit(), "raise mostCountersOfAFamily");

/// FNV-1a. Two names of one host that collide in 64 bits would share a place; there are a few hundred names.
std::uint64_t hashOf(CounterFamily family, std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL ^ static_cast<std::uint64_t>(family);
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
    return hash == 0 ? 1 : hash;
}

}  // namespace

bool SourceTable::create(std::size_t capacity)
{
    if (m_sources != nullptr) return true;
    void* const memory = raw::map(capacity * sizeof(Source), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == nullptr) return false;
    m_sources = static_cast<Source*>(memory);  // zero bytes are the state of a free place
    m_capacity = capacity;
    m_used = 0;
    return true;
}

void SourceTable::release()
{
    if (m_sources != nullptr) raw::unmap(m_sources, m_capacity * sizeof(Source));
    m_sources = nullptr;
    m_capacity = 0;
}

Source* SourceTable::find(CounterFamily family, std::string_view name, bool mayAdd)
{
    const std::uint64_t hash = hashOf(family, name);
    for (std::size_t step = 0; step < m_capacity; ++step) {
        Source& source = m_sources[(hash + step) % m_capacity];
        if (source.hash == hash) return &source;
        if (source.hash != 0) continue;
        if (!mayAdd || m_used + 1 >= m_capacity) break;  // one free place ends every search
        ++m_used;
        source.hash = hash;
        return &source;
    }
    return nullptr;
}

void CounterSink::accept(Source& source, std::string_view name) const
{
    source.use = Use::Sampled;
    source.key = m_outlet->name(NameClass::Source, name);
}

bool CounterSink::hasStored(const Source& source, Counter counter)
{
    return source.last[places[static_cast<std::size_t>(counter)]].storedNs != 0;
}

void CounterSink::put(Ticks at, Source& source, Counter counter, std::uint64_t value)
{
    LastReading& last = source.last[places[static_cast<std::size_t>(counter)]];
    if (last.storedNs != 0 && last.value == value && m_nowNs - last.storedNs < heartbeatNs) {
        last.seenAt = at;
        return;
    }
    if (last.storedNs != 0 && last.value != value && last.seenAt != 0) store(last.seenAt, source, counter, last.value);
    store(at, source, counter, value);
    last = {value, m_nowNs, 0};
}

void CounterSink::store(Ticks at, const Source& source, Counter counter, std::uint64_t value) const
{
    m_outlet->record(counterSample(at, counter, source.key, value));
}

void CounterSink::note(std::string_view what, std::string_view state, std::string_view reason) const
{
    Path line(m_factMark);
    line.add(what).add("\t").add(state).add("\t").add(reason);
    static_cast<void>(m_outlet->name(NameClass::Other, line.view()));
}

}  // namespace flowgauge::sample
