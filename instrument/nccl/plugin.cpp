// SPDX-License-Identifier: MIT
#include "instrument/nccl/plugin.h"

#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "instrument/nccl/abi.h"
#include "instrument/nccl/fold.h"
#include "instrument/nccl/places.h"

namespace flowgauge::nccl::plugin {
namespace {

constinit std::atomic<std::uint64_t> nextPlan{1}, nextMember{1}, nextOther{1};
/// Counts for events without a communicator that we know; their sequence says nothing.
constinit std::atomic<std::uint64_t> straySequence{0};
constinit std::atomic<std::uint64_t> openedSoFar{0};

bool isOperation(std::uint64_t type) { return (type & (abi::typeColl | abi::typeP2p | abi::typeCeColl)) != 0; }
bool isApi(std::uint64_t type) { return (type & (abi::typeCollApi | abi::typeP2pApi)) != 0; }
bool isGroup(std::uint64_t type) { return (type & (abi::typeGroup | abi::typeGroupApi)) != 0; }

/// Collectives of a plan are numbered 1 to 255; sends and receives share 0, and what proxies move for them is told apart by peer.
std::uint64_t serialOf(const Start& event, Handle plan)
{
    if (isOperation(event.type)) {
        const std::uint64_t whole = isOurs(plan) ? planOf(plan) << 8 : newPlan();
        return event.type == abi::typeP2p ? whole : whole | newMember();
    }
    if (isGroup(event.type)) return newPlan();
    return nextOther.fetch_add(1, std::memory_order_relaxed);
}

EventPlace* openGroup(Handle handle, std::uint64_t type)
{
    EventPlace* const place = places::findEvent(handle);
    return place != nullptr && place->type == type && !place->ended.load(std::memory_order_relaxed) ? place : nullptr;
}

/// The group with which a send or receive is recorded: the program's own (v5), else the kernel plan; nullptr when it has ended.
EventPlace* groupOf(const Start& event, const EventPlace* api)
{
    if (api != nullptr)
        if (EventPlace* const group = openGroup(api->parent, abi::typeGroupApi)) return group;
    return openGroup(event.group != 0 ? event.group : event.parent, abi::typeGroup);
}

EventPlace* apiOf(Handle parent)
{
    EventPlace* const place = places::findEvent(parent);
    return place != nullptr && isApi(place->type) ? place : nullptr;
}

std::uint64_t nextSequence(Context* context)
{
    return (context != nullptr ? context->sequence : straySequence).fetch_add(1, std::memory_order_relaxed);
}

void fill(EventPlace& place, Context* context, const Start& event, EventPlace* api)
{
    place.type = event.type;
    place.parent = event.parent;
    place.captured = event.captured;
    place.context = context != nullptr ? contexts::positionOf(*context) : contextPlaces;
    place.operation = event.operation;
    Operation& operation = place.operation;
    operation.comm = context != nullptr ? context->comm.load(std::memory_order_relaxed) : 0;
    if (event.tellsCommunicator) operation.comm = contexts::idOfHash(event.hash);
    if (context == nullptr) operation.flags |= flagIncomplete;
    // What brackets an operation is its way to the proxy; its end is its kernel's, or its last proxy operation's.
    operation.flags |= flagNonblocking;
    operation.span = {now(), 0};
    if (api == nullptr || !isOperation(event.type)) return;
    api->carriedOut.store(true, std::memory_order_relaxed);
    operation.partOf = isCollective(api->operation.kind) && event.type == abi::typeP2p ? api->operation.kind : Kind::None;
}

void join(EventPlace& place, EventPlace* group, Handle groupHandle, Handle handle)
{
    place.group = groupHandle;
    place.next = group->members.load(std::memory_order_relaxed);
    while (!group->members.compare_exchange_weak(place.next, handle, std::memory_order_release)) {
    }
}

void takeCommunicator(Context* context, const Start& event)
{
    if (context == nullptr || !event.tellsCommunicator) return;
    context->rank.store(event.rank, std::memory_order_relaxed);
    contexts::announce(*context, event.hash, event.name != nullptr ? std::string_view(event.name) : std::string_view());
}

/// Records an operation that stands for itself and gives its place back. The caller owns it.
void recordAlone(EventPlace& place)
{
    place.operation.span.end = now();
    record(place.operation);
    places::free(place);
}

void stopEvent(EventPlace& place, Handle handle)
{
    if (place.ended.exchange(true, std::memory_order_relaxed)) return;
    if (isGroup(place.type)) {
        if (places::claim(place.handle, handle)) closeGroup(place);
        return;
    }
    place.operation.span.end = now();
    if (place.group != 0) return;  // its group records it
    if (!places::claim(place.handle, handle)) return;
    if (isApi(place.type)) return places::free(place);
    recordAlone(place);
}

void stopProxy(ProxyPlace& place, Handle handle)
{
    if (!places::claim(place.handle, handle)) return;
    const Ticks end = now();
    for (StepTime& step : place.steps) endStep(place, step, end);
    buffer::record(commWire({place.begin, end}, place.wire, place.link));
    if (place.wait.steps > 0) buffer::record(commWait({place.begin, end}, place.wait, place.link));
    places::free(place);
}

void stopIncomplete(Handle handle, std::uint32_t context)
{
    EventPlace* const place = places::findEvent(handle);
    if (place == nullptr || (place->context != context && context != contextPlaces)) return;
    if (place->group != 0 && places::findEvent(place->group) != nullptr) return;  // with its group
    place->operation.flags |= flagIncomplete;
    stopEvent(*place, handle);
}

void finishPlaces(std::uint32_t context)
{
    for (const std::uint64_t type : {abi::typeGroupApi, abi::typeGroup, abi::typeColl, abi::typeP2p, abi::typeCeColl})
        places::forEach(type, stopIncomplete, context);
}

}  // namespace

Handle start(Context* context, const Start& event)
{
    takeCommunicator(context, event);
    if (context != nullptr && isApi(event.type)) recordWaiting(*context);
    EventPlace* const api = isOperation(event.type) ? apiOf(event.parent) : nullptr;
    const Handle plan = event.group != 0 ? event.group : event.parent;
    const std::uint64_t serial = serialOf(event, plan);
    EventPlace* const place = places::takeEvent();
    if (place == nullptr) return makeHandle(serial, 0, lostPlace);
    fill(*place, context, event, api);
    place->operation.link = linkOf(serial);
    if (isOperation(event.type) && isCollective(place->operation.kind)) place->operation.sequence = nextSequence(context);
    EventPlace* const group = event.type == abi::typeP2p ? groupOf(event, api)
                              : isApi(event.type)        ? openGroup(event.parent, abi::typeGroupApi)
                                                         : nullptr;
    const Handle groupHandle = group != nullptr ? group->handle.load(std::memory_order_acquire) : 0;
    if (groupHandle > 1) place->group = groupHandle;
    const Handle handle = places::publish(*place, serial);
    if (groupHandle > 1) join(*place, group, groupHandle, handle);
    return handle;
}

Handle startProxy(const ProxyStart& event)
{
    const std::uint64_t serial = nextOther.fetch_add(1, std::memory_order_relaxed);
    ProxyPlace* const place = places::takeProxy();
    if (place == nullptr) return makeHandle(serial, 0, lostPlace);
    place->begin = now();
    place->wire = event.wire;
    // PXN: a proxy may work for another process, whose handles mean nothing here.
    place->link = event.pid == raw::processId() ? linkOfHandle(event.parent) : 0;
    return places::publish(*place, serial);
}

Handle startStep(Handle parent, int step)
{
    const auto number = static_cast<std::uint32_t>(step) & 0x7fffffff;
    ProxyPlace* const place = places::findProxy(parent);
    if (place == nullptr) return makeHandle(number, 0, lostPlace);
    beginStep(*place, number, now());
    return places::stepHandle(parent, number);
}

void stop(Handle handle)
{
    std::uint32_t step = 0;
    if (EventPlace* const event = places::findEvent(handle)) return stopEvent(*event, handle);
    if (ProxyPlace* const proxy = places::findProxy(handle)) return stopProxy(*proxy, handle);
    if (ProxyPlace* const proxy = places::findProxyOfStep(handle, step)) stopStep(*proxy, step, now());
}

void stepState(Handle handle, int state, std::uint64_t bytes)
{
    std::uint32_t step = 0;
    if (ProxyPlace* const proxy = places::findProxyOfStep(handle, step)) changeStep(*proxy, step, state, bytes);
}

void proxyBytes(Handle handle, std::uint64_t bytes)
{
    ProxyPlace* const proxy = places::findProxy(handle);
    if (proxy != nullptr && bytes > proxy->wire.bytes) proxy->wire.bytes = bytes;
}

std::uint64_t newPlan() { return (nextPlan.fetch_add(1, std::memory_order_relaxed) & planMask) << 8; }
std::uint64_t newMember() { return nextMember.fetch_add(1, std::memory_order_relaxed) % 255 + 1; }
std::uint64_t opened() { return openedSoFar.load(std::memory_order_relaxed); }
void countOpened() { openedSoFar.fetch_add(1, std::memory_order_relaxed); }

int maskFor(int version)
{
    if (!buffer::enabled()) return 0;
    std::uint64_t mask = 0;
    if (wantsOperations()) {
        mask = abi::typeGroup | abi::typeColl | abi::typeP2p;
        if (version >= 5) mask |= abi::typeGroupApi | abi::typeCollApi | abi::typeP2pApi;
        if (version >= 6) mask |= abi::typeCeColl;
    }
    if (buffer::wants(Kind::CommWire) || buffer::wants(Kind::CommWait)) mask |= abi::typeProxyOp | abi::typeProxyStep;
    // 2.23 asks for Coll where it should ask for P2p, and starts no child of what it does not tell: parents go with children.
    if ((mask & abi::typeProxyOp) != 0) mask |= abi::typeGroup | abi::typeColl | abi::typeP2p;
    return static_cast<int>(mask);
}

void finish(Context& context)
{
    finishPlaces(contexts::positionOf(context));
    recordWaiting(context);
    contexts::close(context);
}

void finishAll()
{
    if (!contexts::openedHere()) return;
    finishPlaces(contextPlaces);
    places::forEachProxy([](ProxyPlace& place, Handle handle) { stopProxy(place, handle); });
    for (std::uint32_t position = 0; position < contextPlaces; ++position)
        if (Context* const context = contexts::at(position)) recordWaiting(*context);
}

void forgetAfterFork()
{
    if (contexts::opened() == 0) return;
    places::forgetAll();
    contexts::forgetAll();
}

}  // namespace flowgauge::nccl::plugin
