// SPDX-License-Identifier: MIT
#include "instrument/nccl/fold.h"

#include "collector/record/clock.h"
#include "instrument/nccl/abi.h"

namespace flowgauge::nccl::plugin {
namespace {

constexpr int opened = 0;  // no state is told with a step's start; 0 is none of a step's

StepTime& placeOfStep(ProxyPlace& place, std::uint32_t step) { return place.steps[step % place.steps.size()]; }

/// What a step waited for in a state.
Ticks& waitIn(ProxyPlace& place, int state)
{
    switch (state) {
        case abi::stepSendGpuWait:
        case abi::stepRecvFlushWait:
        case abi::stepRecvGpuWait:
            return place.wait.gpu;
        case abi::stepSendPeerWait:
            return place.wait.peer;
        case abi::stepSendWait:
        case abi::stepRecvWait:
            return place.wait.network;
        default:
            return place.wait.gpu;
    }
}

void leaveState(ProxyPlace& place, StepTime& step, Ticks at)
{
    if (step.state != opened && at > step.since) waitIn(place, step.state) += at - step.since;
    step.since = at;
}

/// Takes a member out of the list for good; nullptr when it is not there any more.
EventPlace* takeMember(Handle handle)
{
    EventPlace* const place = places::findEvent(handle);
    return place != nullptr && places::claim(place->handle, handle) ? place : nullptr;
}

/// An API call of which NCCL has told nothing more by the end of its group: perhaps it runs in a helper thread, perhaps it is a kernel
/// that NCCL tells nothing of.
bool keepWaiting(EventPlace& place, Handle handle)
{
    Context* const context = contexts::at(place.context);
    if (context == nullptr || place.type != abi::typeCollApi || place.captured || place.carriedOut.load(std::memory_order_relaxed))
        return false;
    place.group = 0;
    for (auto& waiting : context->waiting) {
        Handle free = 0;
        if (waiting.compare_exchange_strong(free, handle, std::memory_order_relaxed)) return true;
    }
    return false;
}

void endMember(EventPlace& place, Closing closing)
{
    place.operation.flags |= closing.flags;
    if (closing.end != 0)
        place.operation.span.end = closing.end;
    else if (!place.ended.load(std::memory_order_relaxed)) {
        place.operation.flags |= flagIncomplete;
        place.operation.span.end = now();
    }
}

/// Records collectives, and sorts out the API calls. What remains, newest first, are the sends and receives, owned and chained by `next`.
EventPlace* separate(EventPlace& group, Closing closing)
{
    EventPlace* kept = nullptr;
    for (Handle handle = group.members.exchange(0, std::memory_order_acquire); handle != 0;) {
        EventPlace* const seen = places::findEvent(handle);
        if (seen == nullptr) break;  // the list ends where somebody else has freed a member
        const Handle next = seen->next;
        endMember(*seen, closing);
        if (seen->type == abi::typeColl) {
            if (takeMember(handle) != nullptr) record(seen->operation), places::free(*seen);
        } else if (seen->type != abi::typeP2p) {
            if (!keepWaiting(*seen, handle) && takeMember(handle) != nullptr) places::free(*seen);
        } else if (takeMember(handle) != nullptr) {
            seen->next = reinterpret_cast<Handle>(kept);
            kept = seen;
        }
        handle = next;
    }
    return kept;  // in the order in which they began
}

EventPlace* nextOf(const EventPlace& place) { return reinterpret_cast<EventPlace*>(place.next); }

/// Records all members on the first one's communicator and returns those that are left.
EventPlace* recordOne(EventPlace* members)
{
    Context* const context = contexts::at(members->context);
    const auto shares = [first = members->context, comm = members->operation.comm](const EventPlace& place) {
        return place.context == first && place.operation.comm == comm;
    };
    Exchange exchange(context != nullptr ? context->ranks.load(std::memory_order_relaxed) : 0);
    const std::int64_t self = context != nullptr ? context->rank.load(std::memory_order_relaxed) : -1;
    for (EventPlace* place = members; place != nullptr; place = nextOf(*place))
        if (shares(*place)) exchange.add(place->operation, self);
    Operation whole = exchange.whole();
    const bool alone = whole.kind == Kind::None;
    if (!alone) {
        if (context != nullptr) whole.sequence = context->sequence.fetch_add(1, std::memory_order_relaxed);
        record(whole);
    }
    EventPlace* left = nullptr;
    EventPlace** end = &left;
    for (EventPlace *place = members, *next = nullptr; place != nullptr; place = next) {
        next = nextOf(*place);
        if (!shares(*place)) {
            *end = place;
            place->next = 0;
            end = reinterpret_cast<EventPlace**>(&place->next);
            continue;
        }
        if (alone) record(place->operation);
        places::free(*place);
    }
    return left;
}

}  // namespace

void closeGroup(EventPlace& group, Closing closing)
{
    EventPlace* members = separate(group, closing);
    while (members != nullptr) members = recordOne(members);
    places::free(group);
}

void recordWaiting(Context& context)
{
    for (auto& waiting : context.waiting) {
        const Handle handle = waiting.exchange(0, std::memory_order_relaxed);
        if (handle == 0) continue;
        EventPlace* const place = takeMember(handle);
        if (place == nullptr) continue;
        if (!place->carriedOut.load(std::memory_order_relaxed)) {
            place->operation.sequence = context.sequence.fetch_add(1, std::memory_order_relaxed);
            record(place->operation);
        }
        places::free(*place);
    }
}

void beginStep(ProxyPlace& place, std::uint32_t step, Ticks at)
{
    StepTime& time = placeOfStep(place, step);
    endStep(place, time, at);  // its stop was lost: some releases start more steps than they stop
    time = {step, opened, at, 0};
}

void changeStep(ProxyPlace& place, std::uint32_t step, int state, std::uint64_t bytes)
{
    StepTime& time = placeOfStep(place, step);
    if (time.state < 0 || time.step != step || time.state == state) return;
    if (state < abi::stepSendGpuWait || (state > abi::stepRecvGpuWait && state != abi::stepSendPeerWait)) return;
    leaveState(place, time, now());
    time.state = state;
    if (state == abi::stepSendWait || state == abi::stepRecvFlushWait) time.bytes = bytes;
}

void stopStep(ProxyPlace& place, std::uint32_t step, Ticks at)
{
    StepTime& time = placeOfStep(place, step);
    if (time.step == step) endStep(place, time, at);
}

void endStep(ProxyPlace& place, StepTime& step, Ticks at)
{
    if (step.state < 0) return;
    leaveState(place, step, at);
    place.wire.bytes += step.bytes;
    ++place.wait.steps;
    step.state = -1;
}

}  // namespace flowgauge::nccl::plugin
