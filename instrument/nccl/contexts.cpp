// SPDX-License-Identifier: MIT
#include "instrument/nccl/contexts.h"

#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/makers.h"
#include "collector/record/raw.h"

namespace flowgauge::nccl::contexts {
namespace {

constexpr Handle filling = 1;

constinit std::array<Context, contextPlaces> all{};
constinit std::atomic<std::uint32_t> next{0};
constinit std::atomic<std::uint64_t> count{0};
constinit std::atomic<int> owner{0};

Context* take()
{
    for (std::uint32_t step = 0; step < contextPlaces; ++step) {
        Context& context = all[next.fetch_add(1, std::memory_order_relaxed) % contextPlaces];
        Handle free = 0;
        if (context.handle.compare_exchange_strong(free, filling, std::memory_order_acquire)) return &context;
    }
    buffer::lose(DropReason::TableFull);
    return nullptr;
}

}  // namespace

Context* open(Handle& handle)
{
    chooseSalt();
    Context* const context = take();
    if (context == nullptr) {
        handle = makeHandle(0, 0, lostPlace);
        return nullptr;
    }
    context->comm.store(0, std::memory_order_relaxed);
    context->ranks.store(0, std::memory_order_relaxed);
    context->rank.store(-1, std::memory_order_relaxed);
    context->sequence.store(0, std::memory_order_relaxed);
    context->announced.store(false, std::memory_order_relaxed);
    context->mask = nullptr;
    context->theirs = nullptr;
    for (auto& waiting : context->waiting) waiting.store(0, std::memory_order_relaxed);
    handle = makeHandle(count.fetch_add(1, std::memory_order_relaxed) + 1, ++context->age, firstContextPlace + positionOf(*context));
    owner.store(raw::processId(), std::memory_order_relaxed);
    context->handle.store(handle, std::memory_order_release);
    return context;
}

Context* find(Handle handle)
{
    const std::uint32_t position = placeOf(handle) - firstContextPlace;
    if (handle <= filling || position >= contextPlaces) return nullptr;
    return all[position].handle.load(std::memory_order_acquire) == handle ? &all[position] : nullptr;
}

Context* at(std::uint32_t position)
{
    if (position >= contextPlaces || all[position].handle.load(std::memory_order_acquire) <= filling) return nullptr;
    return &all[position];
}

std::uint32_t positionOf(const Context& context) { return static_cast<std::uint32_t>(&context - all.data()); }

void close(Context& context) { context.handle.store(0, std::memory_order_release); }

void announce(Context& context, std::uint64_t hash, std::string_view name)
{
    if (context.announced.exchange(true, std::memory_order_relaxed)) return;
    context.comm.store(idOfHash(hash), std::memory_order_relaxed);
    if (!buffer::wants(Kind::Communicator)) return;
    const NameKey key = name.empty() ? 0 : buffer::name(NameClass::Communicator, name);
    const Membership mine{idOfHash(hash), context.rank.load(std::memory_order_relaxed), context.ranks.load(std::memory_order_relaxed), key};
    buffer::record(communicator(now(), mine, flagNccl));
}

bool openedHere() { return opened() > 0 && owner.load(std::memory_order_relaxed) == raw::processId(); }
std::uint64_t opened() { return count.load(std::memory_order_relaxed); }

void forgetAll()
{
    for (Context& context : all) context.handle.store(0, std::memory_order_relaxed);
}

}  // namespace flowgauge::nccl::contexts
