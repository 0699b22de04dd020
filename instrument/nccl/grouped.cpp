// SPDX-License-Identifier: MIT
#include "instrument/nccl/grouped.h"

#include "collector/buffer/recorder.h"
#include "instrument/nccl/abi.h"
#include "instrument/nccl/fold.h"
#include "instrument/nccl/plugin.h"

namespace flowgauge::nccl::grouped {
namespace {

/// What one thread has open.
struct Open {
    unsigned depth;
    Handle group;  ///< the place that holds its operations; 0 until the first one
    unsigned promised;
    std::array<Promised, 16> promises;  ///< a thread that makes more in one group loses the rest (counted)
};
constinit thread_local Open open{};

/// The group of this thread, made when it is needed.
EventPlace* groupPlace()
{
    if (EventPlace* const known = places::findEvent(open.group)) return known;
    EventPlace* const place = places::takeEvent();
    if (place == nullptr) return nullptr;
    place->type = abi::typeGroup;
    place->context = contextPlaces;
    open.group = places::publish(*place, plugin::newPlan());
    return place;
}

std::uint64_t serialFor(const Operation& operation, Handle group)
{
    const std::uint64_t plan = group != 0 ? flowgauge::nccl::serialOf(group) : plugin::newPlan();
    return isCollective(operation.kind) ? plan | plugin::newMember() : plan;
}

void keep(Context& context, const Operation& operation)
{
    EventPlace* const group = groupPlace();
    EventPlace* const place = group != nullptr ? places::takeEvent() : nullptr;
    if (place == nullptr) return record(operation);
    const std::uint64_t serial = serialFor(operation, open.group);
    place->type = isCollective(operation.kind) ? abi::typeColl : abi::typeP2p;
    place->context = contexts::positionOf(context);
    place->operation = operation;
    place->operation.link = linkOf(serial);
    place->group = open.group;
    place->next = group->members.load(std::memory_order_relaxed);
    group->members.store(places::publish(*place, serial), std::memory_order_release);
}

void keepPromises(int result)
{
    for (unsigned i = 0; i < open.promised && result == 0; ++i)
        communicators::add(*open.promises[i].comm, open.promises[i].members, open.promises[i].before);
    open.promised = 0;
}

}  // namespace

void enter() { ++open.depth; }

void leave(Ticks end, int result)
{
    if (open.depth > 0) --open.depth;
    if (open.depth > 0) return;
    keepPromises(result);
    EventPlace* const group = places::findEvent(open.group);
    const Handle handle = open.group;
    open.group = 0;
    if (group != nullptr && places::claim(group->handle, handle))
        plugin::closeGroup(*group, {end, static_cast<std::uint16_t>(result != 0 ? flagFailed : 0)});
}

void add(Context& context, Operation operation, int result)
{
    operation.comm = context.comm.load(std::memory_order_relaxed);
    operation.way.source = NcclSource::Interposed;
    if (isCollective(operation.kind)) operation.sequence = context.sequence.fetch_add(1, std::memory_order_relaxed);
    if (result != 0) operation.flags |= flagFailed;
    if (open.depth > 0 && result == 0) return keep(context, operation);
    operation.link = linkOf(serialFor(operation, 0));
    record(operation);
}

void promise(const Promised& made)
{
    if (open.depth == 0) return communicators::add(*made.comm, made.members, made.before);
    if (open.promised == open.promises.size()) return buffer::lose(DropReason::TableFull);
    open.promises[open.promised++] = made;
}

void forget() { open = {}; }

}  // namespace flowgauge::nccl::grouped
