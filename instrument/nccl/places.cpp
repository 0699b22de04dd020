// SPDX-License-Identifier: MIT
#include "instrument/nccl/places.h"

#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/raw.h"

namespace flowgauge::nccl {

constinit std::uint64_t handleSalt = 0;

void chooseSalt()
{
    static constinit std::atomic<bool> chosen{false};
    if (chosen.exchange(true, std::memory_order_relaxed)) return;
    std::uint64_t salt = 0;
    constexpr unsigned doNotWait = 1;  // GRND_NONBLOCK
    if (raw::call(SYS_getrandom, &salt, sizeof salt, doNotWait) != static_cast<long>(sizeof salt))
        salt = now() * 0x9E3779B97F4A7C15 ^ static_cast<std::uint64_t>(raw::processId());
    handleSalt = salt;
}

namespace places {
namespace {

constexpr Handle owned = 1;
constexpr std::uint32_t tries = 64;

constinit std::array<EventPlace, eventPlaces> events{};
constinit std::array<ProxyPlace, proxyPlaces> proxies{};
constinit std::atomic<std::uint32_t> nextEvent{0}, nextProxy{0};

template <typename Place, std::size_t count>
Place* take(std::array<Place, count>& all, std::atomic<std::uint32_t>& next)
{
    for (std::uint32_t step = 0; step < tries; ++step) {
        Place& place = all[next.fetch_add(1, std::memory_order_relaxed) % count];
        Handle free = 0;
        if (place.handle.load(std::memory_order_relaxed) == 0 &&
            place.handle.compare_exchange_strong(free, owned, std::memory_order_acquire))
            return &place;
    }
    buffer::lose(DropReason::TableFull);
    return nullptr;
}

template <typename Place>
Handle publishAt(Place& place, std::uint64_t serial, std::uint32_t position)
{
    const Handle handle = makeHandle(serial, ++place.age, position);
    place.handle.store(handle, std::memory_order_release);
    return handle;
}

}  // namespace

EventPlace* takeEvent()
{
    EventPlace* const place = take(events, nextEvent);
    if (place == nullptr) return nullptr;
    place->members.store(0, std::memory_order_relaxed);
    place->carriedOut.store(false, std::memory_order_relaxed);
    place->ended.store(false, std::memory_order_relaxed);
    place->group = place->parent = place->next = 0;
    place->captured = false;
    place->operation = {};
    return place;
}

ProxyPlace* takeProxy()
{
    ProxyPlace* const place = take(proxies, nextProxy);
    if (place == nullptr) return nullptr;
    place->wire = {};
    place->wait = {};
    for (StepTime& step : place->steps) step.state = -1;
    return place;
}

Handle publish(EventPlace& place, std::uint64_t serial)
{
    return publishAt(place, serial, static_cast<std::uint32_t>(&place - events.data()));
}
Handle publish(ProxyPlace& place, std::uint64_t serial)
{
    return publishAt(place, serial, firstProxyPlace + static_cast<std::uint32_t>(&place - proxies.data()));
}

EventPlace* findEvent(Handle handle)
{
    const std::uint32_t at = placeOf(handle);
    if (handle <= owned || at >= eventPlaces) return nullptr;
    return events[at].handle.load(std::memory_order_acquire) == handle ? &events[at] : nullptr;
}

ProxyPlace* findProxy(Handle handle)
{
    const std::uint32_t at = placeOf(handle) - firstProxyPlace;
    if (handle <= owned || at >= proxyPlaces) return nullptr;
    return proxies[at].handle.load(std::memory_order_acquire) == handle ? &proxies[at] : nullptr;
}

// A step's serial: its number (31 bits) over the lowest bits of the operation's.
Handle stepHandle(Handle operation, std::uint32_t step)
{
    const std::uint64_t serial = static_cast<std::uint64_t>(step) << 8 | (serialOf(operation) & 0xff);
    return makeHandle(serial, ageOf(operation), placeOf(operation) - firstProxyPlace + firstStepPlace);
}

ProxyPlace* findProxyOfStep(Handle handle, std::uint32_t& step)
{
    const std::uint32_t at = placeOf(handle) - firstStepPlace;
    if (at >= proxyPlaces || !isOurs(handle)) return nullptr;
    const Handle holder = proxies[at].handle.load(std::memory_order_acquire);
    step = static_cast<std::uint32_t>(serialOf(handle) >> 8);
    return holder > owned && stepHandle(holder, step) == handle ? &proxies[at] : nullptr;
}

bool claim(std::atomic<Handle>& held, Handle handle) { return held.compare_exchange_strong(handle, owned, std::memory_order_acquire); }
void free(EventPlace& place) { place.handle.store(0, std::memory_order_release); }
void free(ProxyPlace& place) { place.handle.store(0, std::memory_order_release); }

void forEach(std::uint64_t type, void (*show)(Handle, std::uint32_t wanted), std::uint32_t wanted)
{
    for (EventPlace& place : events) {
        const Handle handle = place.handle.load(std::memory_order_acquire);
        if (handle > owned && place.type == type) show(handle, wanted);
    }
}

void forEachProxy(void (*show)(ProxyPlace&, Handle))
{
    for (ProxyPlace& place : proxies) {
        const Handle handle = place.handle.load(std::memory_order_acquire);
        if (handle > owned) show(place, handle);
    }
}

void forgetAll()
{
    for (EventPlace& place : events) place.handle.store(0, std::memory_order_relaxed);
    for (ProxyPlace& place : proxies) place.handle.store(0, std::memory_order_relaxed);
}

}  // namespace places

}  // namespace flowgauge::nccl
