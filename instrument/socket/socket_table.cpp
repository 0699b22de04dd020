// SPDX-License-Identifier: MIT
#include "instrument/socket/socket_table.h"

#include "collector/record/raw.h"

namespace flowgauge::sockets::table {
namespace {

constinit std::atomic<Slot*> slots{nullptr};
constinit std::atomic<int> highestHeld{-1};

/// Of an identity: the key lies above the generation's low bits.
constexpr unsigned keyShift = 24;
constexpr std::uint64_t generationMask = (std::uint64_t{1} << keyShift) - 1;

std::uint64_t generationOf(Word word) { return (word / generationStep) & generationMask; }

/// 3 MiB of address space; only the pages that are touched cost memory.
Slot* mapped()
{
    Slot* known = slots.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    constexpr std::size_t bytes = size * sizeof(Slot);
    auto* const fresh = static_cast<Slot*>(raw::map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (fresh == nullptr) return nullptr;
    if (slots.compare_exchange_strong(known, fresh, std::memory_order_acq_rel)) return fresh;
    raw::unmap(fresh, bytes);
    return known;
}

}  // namespace

Slot* slotOf(int fd)
{
    Slot* const known = slots.load(std::memory_order_acquire);
    return known == nullptr || static_cast<unsigned>(fd) >= static_cast<unsigned>(size) ? nullptr : known + fd;
}

int highest() { return highestHeld.load(std::memory_order_acquire); }

Slot* enter(int fd, Ticks at)
{
    if (static_cast<unsigned>(fd) >= static_cast<unsigned>(size) || mapped() == nullptr) return nullptr;
    Slot* const slot = slotOf(fd);
    Word word = slot->word.load(std::memory_order_acquire);
    if (isTaken(word)) return nullptr;
    // Taken before it is filled: two that came upon a number at once would else fill each other's.
    const Word fresh = (word / generationStep + 1) * generationStep;
    if (!slot->word.compare_exchange_strong(word, fresh | fillingBit, std::memory_order_acq_rel)) return nullptr;
    renew(*slot);
    slot->seenAt.store(at, std::memory_order_relaxed);
    slot->word.store(fresh | knownBit, std::memory_order_release);
    int held = highest();
    while (fd > held && !highestHeld.compare_exchange_weak(held, fd, std::memory_order_acq_rel)) {
    }
    return slot;
}

void renew(Slot& slot)
{
    slot.seenAt.store(0, std::memory_order_relaxed);
    slot.told.store(0, std::memory_order_relaxed);
    slot.limitsAt.store(0, std::memory_order_relaxed);
}

bool leave(Slot& slot, Word word)
{
    return slot.word.compare_exchange_strong(word, word / generationStep * generationStep, std::memory_order_acq_rel);
}

NameKey keyOf(const Slot& slot, Word word)
{
    const std::uint64_t identity = slot.identity.load(std::memory_order_acquire);
    return (identity & generationMask) == generationOf(word) ? identity >> keyShift : 0;
}

void setKey(Slot& slot, Word word, NameKey key) { slot.identity.store((key << keyShift) | generationOf(word), std::memory_order_release); }

void inherit()
{
    for (int fd = 0; fd <= highest(); ++fd) {
        Slot& slot = *slotOf(fd);
        const Word word = slot.word.load(std::memory_order_relaxed);
        if (!isKnown(word)) {
            slot.word.store(word / generationStep * generationStep, std::memory_order_relaxed);  // who was filling it is not here
            continue;
        }
        slot.identity.store(0, std::memory_order_relaxed);
        slot.word.store(word | inheritedBit, std::memory_order_relaxed);
    }
}

}  // namespace flowgauge::sockets::table
