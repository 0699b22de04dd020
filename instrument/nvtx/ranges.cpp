// SPDX-License-Identifier: MIT
#include "instrument/nvtx/ranges.h"

#include "collector/buffer/interned.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "instrument/nvtx/nccl_payload.h"

#include <array>
#include <cstring>

namespace flowgauge::nvtx {
namespace {

/// A domain keeps its name for children of fork, which record it anew.
struct Domain {
    std::array<char, 64> name;
    std::atomic<NameKey> key;
    std::atomic<std::uint32_t> state;  ///< free, filling, open
    bool isNccl;
};
constinit std::array<Domain, 64> domains{};
enum : std::uint32_t { placeFree, placeFilling, placeOpen };

struct Open {
    const Domain* domain;
    Ticks begin;
    Given given;
};

/// Of one thread. Ranges deeper than the array are only counted, so that their ends find themselves again.
struct Stack {
    std::array<Open, deepest> open;
    std::uint32_t depth, beyond;
};
constinit thread_local Stack stack{};

struct Started {
    std::atomic<std::uint32_t> state;
    std::uint32_t turn;  ///< tells a number that is used twice from the range that has its place now
    Open range;
};
constinit std::array<Started, mostStarted> started{};
std::atomic<std::uint32_t> nextStarted{0};

std::atomic<std::int64_t> countedEpochs{0}, countedSteps{0};

const Domain* domainAt(const void* handle)
{
    const auto* const domain = static_cast<const Domain*>(handle);
    return domain >= domains.data() && domain < domains.data() + domains.size() ? domain : nullptr;
}

NameKey keyOf(const Domain* domain)
{
    if (domain == nullptr) return 0;
    auto& key = const_cast<Domain*>(domain)->key;
    if (key.load(std::memory_order_acquire) == 0) key.store(buffer::name(NameClass::Other, domain->name.data()), std::memory_order_release);
    return key.load(std::memory_order_relaxed);
}

/// Marks that must survive a crash in the middle of what they begin are told at once.
void tellBegin(Open& range)
{
    Meaning& meaning = range.given.text.meaning;
    if (meaning.role == Role::Epoch && !meaning.numbered) meaning.number = countedEpochs.fetch_add(1, std::memory_order_relaxed);
    if (meaning.role == Role::Step && !meaning.numbered) meaning.number = countedSteps.fetch_add(1, std::memory_order_relaxed);
    if (meaning.role == Role::Epoch) buffer::record(epochStart(range.begin, meaning.number));
    if (meaning.role == Role::Phase) buffer::record(phaseStart(range.begin, range.given.text.key));
}

void tellEnd(const Open& range, Ticks end)
{
    const Span span{range.begin, end};
    const Given& given = range.given;
    switch (given.text.meaning.role) {
        case Role::Epoch:
            return buffer::record(epochMark(span, given.text.meaning.number, 0));
        case Role::Step:
            return buffer::record(stepMark(span, given.text.meaning.number, 0));
        case Role::Phase:
            return buffer::record(phaseMark(span, given.text.key));
        case Role::Range:
            return buffer::record(flowgauge::range(span, given.text.key, keyOf(range.domain), given.payload, given.category));
    }
}

std::int64_t numberIn(const Attributes& attributes)
{
    switch (attributes.payloadType) {
        case payloadUnsigned:
        case payloadSigned:
            return static_cast<std::int64_t>(attributes.payload);
        case payloadUnsigned32:
            return static_cast<std::uint32_t>(attributes.payload);
        case payloadSigned32:
            return static_cast<std::int32_t>(attributes.payload);
        case payloadDouble: {
            double value;
            std::memcpy(&value, &attributes.payload, sizeof value);
            return value > -9e18 && value < 9e18 ? static_cast<std::int64_t>(value) : 0;
        }
        case payloadFloat: {
            float value;
            std::memcpy(&value, &attributes.payload, sizeof value);
            return value > -9e18F && value < 9e18F ? static_cast<std::int64_t>(value) : 0;
        }
        default:
            return 0;
    }
}

}  // namespace

Given givenBy(const void* handle, const Attributes* attributes)
{
    Given given;
    if (attributes == nullptr || attributes->bytes < sizeof(Attributes)) return given;
    given.text = messageOf(*attributes);
    given.category = attributes->category;
    given.payload = numberIn(*attributes);
    const Domain* const domain = domainAt(handle);
    if (domain != nullptr && domain->isNccl && attributes->payloadType == payloadExtended && attributes->payload != 0 &&
        attributes->reserved > 0) {
        PayloadData data;
        std::memcpy(&data, reinterpret_cast<const void*>(attributes->payload), sizeof data);
        given.payload = static_cast<std::int64_t>(ncclBytes(data));
    }
    return given;
}

int push(const void* handle, const Given& given)
{
    if (stack.depth == deepest) return ++stack.beyond, buffer::lose(DropReason::TableFull), -2;
    const Domain* const domain = domainAt(handle);
    int level = 0;
    for (std::uint32_t i = 0; i < stack.depth; ++i) level += stack.open[i].domain == domain ? 1 : 0;
    Open& mine = stack.open[stack.depth++];
    mine = {domain, now(), given};
    tellBegin(mine);
    return level;
}

int pop(const void* handle)
{
    const Ticks at = now();
    if (stack.beyond > 0) return --stack.beyond, -2;
    const Domain* const domain = domainAt(handle);
    std::uint32_t index = stack.depth;
    while (index > 0 && stack.open[index - 1].domain != domain) --index;
    if (index == 0) return buffer::lose(DropReason::Unbalanced), -2;
    tellEnd(stack.open[index - 1], at);
    int level = -1;
    for (std::uint32_t i = 0; i < index; ++i) level += stack.open[i].domain == domain ? 1 : 0;
    // Domains may interleave: what lies above belongs to others and stays open.
    for (std::uint32_t i = index; i < stack.depth; ++i) stack.open[i - 1] = stack.open[i];
    --stack.depth;
    return level;
}

std::uint64_t startRange(const void* handle, const Given& given)
{
    const std::uint32_t first = nextStarted.fetch_add(1, std::memory_order_relaxed);
    for (std::uint32_t step = 0; step < 64; ++step) {
        const std::uint32_t index = (first + step) % mostStarted;
        Started& place = started[index];
        std::uint32_t expected = placeFree;
        if (!place.state.compare_exchange_strong(expected, placeFilling, std::memory_order_acq_rel)) continue;
        place.range = {domainAt(handle), now(), given};
        tellBegin(place.range);
        const std::uint64_t number = std::uint64_t{++place.turn} << 32 | (index + 1);
        place.state.store(placeOpen, std::memory_order_release);
        return number;
    }
    return buffer::lose(DropReason::TableFull), 0;
}

void stopRange(std::uint64_t number)
{
    const Ticks at = now();
    const std::uint64_t index = (number & 0xFFFFFFFF) - 1;
    if (number == 0) return;  // one that could not be kept, and was counted
    if (index >= mostStarted) return buffer::lose(DropReason::Unbalanced);
    Started& place = started[index];
    std::uint32_t expected = placeOpen;
    if (place.turn != number >> 32 || !place.state.compare_exchange_strong(expected, placeFilling, std::memory_order_acq_rel))
        return buffer::lose(DropReason::Unbalanced);
    tellEnd(place.range, at);
    place.state.store(placeFree, std::memory_order_release);
}

void mark(const void* handle, const Given& given)
{
    const Ticks at = now();
    const NameKey key = given.text.meaning.role == Role::Range ? given.text.key : rangeKey(given.text);
    buffer::record(flowgauge::range({at, at}, key, keyOf(domainAt(handle)), given.payload, given.category));
}

const void* domainOf(std::string_view name)
{
    for (Domain& domain : domains) {
        if (domain.state.load(std::memory_order_acquire) == placeOpen && name == domain.name.data()) return &domain;
        std::uint32_t expected = placeFree;
        if (!domain.state.compare_exchange_strong(expected, placeFilling, std::memory_order_acq_rel)) continue;
        const std::size_t length = name.size() < domain.name.size() ? name.size() : domain.name.size() - 1;
        if (length > 0) std::memcpy(domain.name.data(), name.data(), length);
        domain.name[length] = '\0';
        domain.isNccl = name == "NCCL";
        domain.state.store(placeOpen, std::memory_order_release);
        return &domain;
    }
    return nullptr;
}

void forgetRanges()
{
    stack.depth = stack.beyond = 0;
    for (Domain& domain : domains) domain.key.store(0, std::memory_order_relaxed);
    for (Started& place : started)
        if (place.state.load(std::memory_order_relaxed) != placeFree) place.state.store(placeFree, std::memory_order_relaxed);
}

}  // namespace flowgauge::nvtx
