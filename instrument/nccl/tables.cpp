// SPDX-License-Identifier: MIT
// The tables that NCCL looks up, one a version of the interface, each native: NCCL's own conversions from a newer version to an older
// one lose names, sizes and types. There is no v7 here: more than one layout goes by that name.
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "instrument/hook/next.h"
#include "instrument/nccl/abi_early.h"
#include "instrument/nccl/abi_late.h"
#include "instrument/nccl/nccl.h"
#include "instrument/nccl/plugin.h"
#include "instrument/nccl/words.h"

namespace flowgauge::nccl {
namespace {

using plugin::Start;

/// What v1 to v3 tell with every event, and v4 in init.
template <typename Part>
void takeCommunicator(Start& event, const Part& part)
{
    if constexpr (requires { part.commHash; }) {
        event.name = part.name;
        event.hash = part.commHash;
        event.tellsCommunicator = true;
    }
}

template <typename Part>
void takeChannels(CommWay& way, const Part& part)
{
    if constexpr (requires { part.nChannels; })
        way.channels = part.nChannels;
    else if constexpr (requires { part.nMaxChannels; })
        way.channels = part.nMaxChannels;
}

template <typename Part>
void takeGroup(Start& event, const Part& part)
{
    if constexpr (requires { part.parentGroup; }) event.group = handleOf(part.parentGroup);
    if constexpr (requires { part.graphCaptured; }) event.captured = part.graphCaptured;
}

/// Kind, size, peer or root and way of what the event stands for. Counts are elements, and bytes where NCCL says ncclInt8.
template <typename Part>
void takeOperation(Start& event, const Part& part)
{
    Operation& operation = event.operation;
    operation.kind = kindOf(part.func);
    operation.bytes = part.count * bytesOf(part.datatype);
    if constexpr (requires { part.peer; }) operation.peer = part.peer;
    if constexpr (requires { part.root; })
        operation.peer = operation.kind == Kind::Broadcast || operation.kind == Kind::Reduce ? part.root : -1;
    if constexpr (requires { part.algo; }) {
        operation.way.algorithm = algorithmOf(part.algo);
        operation.way.protocol = protocolOf(part.proto);
    } else if constexpr (requires { part.syncStrategy; }) {
        operation.way.algorithm = copyEngineOf(part.syncStrategy);
    } else {
        operation.way.algorithm = algorithmOf(nullptr);
    }
    takeChannels(operation.way, part);
    takeCommunicator(event, part);
    takeGroup(event, part);
}

template <typename Descriptor>
bool takeNewer(Start& event, const Descriptor& told)
{
    if constexpr (requires { told.collApi; }) {
        if (told.type == abi::typeGroupApi) return takeGroup(event, told.groupApi), true;
        if (told.type == abi::typeCollApi) return takeOperation(event, told.collApi), true;
        if (told.type == abi::typeP2pApi) return takeOperation(event, told.p2pApi), true;
    }
    if constexpr (requires { told.ceColl; })
        if (told.type == abi::typeCeColl) return takeOperation(event, told.ceColl), true;
    return false;
}

/// False for an event that nothing is made of.
template <typename Descriptor>
bool take(Start& event, const Descriptor& told)
{
    switch (told.type) {
        case abi::typeGroup:
            return true;
        case abi::typeColl:
            return takeOperation(event, told.coll), true;
        case abi::typeP2p:
            return takeOperation(event, told.p2p), true;
        default:
            return takeNewer(event, told);
    }
}

template <typename Descriptor>
Handle begin(void* context, const Descriptor& told)
{
    const Handle parent = handleOf(told.parentObj);
    if (told.type == abi::typeProxyStep) return plugin::startStep(parent, told.proxyStep.step);
    if (told.type == abi::typeProxyOp) {
        const abi::ProxyOp& op = told.proxyOp;
        return plugin::startProxy({parent, op.pid, {0, op.peer, op.isSend == 0, op.channelId}});
    }
    Start event{told.type, parent, 0, told.rank, nullptr, 0, false, false, {}};
    if (!take(event, told)) return makeHandle(0, 0, lostPlace);
    return plugin::start(contexts::find(context), event);
}

template <typename Descriptor>
int startEvent(void* context, void** handle, Descriptor* told)
{
    const raw::KeepErrno keep;
    if (handle == nullptr) return abi::success;
    *handle = given(told != nullptr && buffer::enabled() ? begin(context, *told) : makeHandle(0, 0, lostPlace));
    return abi::success;
}

int stopEvent(void* handle)
{
    const raw::KeepErrno keep;
    plugin::stop(handleOf(handle));
    return abi::success;
}

int earlyState(void* handle, int state, abi::EarlyStateArgs* args)
{
    const raw::KeepErrno keep;
    if (state == abi::opSendDone || state == abi::opRecvDone) {
        if (args != nullptr) plugin::proxyBytes(handleOf(handle), args->proxyOp.transSize);
        return abi::success;
    }
    plugin::stepState(handleOf(handle), state, 0);
    return abi::success;
}

int lateState(void* handle, int state, abi::LateStateArgs* args)
{
    const raw::KeepErrno keep;
    plugin::stepState(handleOf(handle), state, args != nullptr ? args->proxyStep.transSize : 0);
    return abi::success;
}

/// Never fails, and never leaves the context NULL: some releases crash on a plugin that does, and all go on calling it.
Context* open(void** context, int* mask, int version)
{
    Handle handle = 0;
    Context* const opened = contexts::open(handle);
    plugin::countOpened();
    if (context != nullptr) *context = given(handle);
    if (opened != nullptr) opened->mask = mask;
    // Several communicators of one library share the mask: what is on stays on.
    if (mask != nullptr) __atomic_fetch_or(mask, plugin::maskFor(version), __ATOMIC_RELAXED);
    return opened;
}

template <int version>
int initAlone(void** context, int* mask)
{
    const raw::KeepErrno keep;
    static_cast<void>(open(context, mask, version));
    return abi::success;
}

struct Told {
    const char* name;
    std::uint64_t hash;
    int ranks, rank;
};

void takeTold(Context* context, const Told& told)
{
    if (context == nullptr) return;
    context->ranks.store(static_cast<std::uint32_t>(told.ranks), std::memory_order_relaxed);
    context->rank.store(told.rank, std::memory_order_relaxed);
    contexts::announce(*context, told.hash, told.name != nullptr ? std::string_view(told.name) : std::string_view());
}

int initV4(void** context, int* mask, const char* name, std::uint64_t hash, int, int ranks, int rank, abi::Logger)
{
    const raw::KeepErrno keep;
    takeTold(open(context, mask, 4), {name, hash, ranks, rank});
    return abi::success;
}

template <int version>
int initV5(void** context, std::uint64_t hash, int* mask, const char* name, int, int ranks, int rank, abi::Logger)
{
    const raw::KeepErrno keep;
    takeTold(open(context, mask, version), {name, hash, ranks, rank});
    return abi::success;
}

int finalize(void* context)
{
    const raw::KeepErrno keep;
    if (Context* const known = contexts::find(context)) plugin::finish(*known);
    return abi::success;
}

constexpr const char* pluginName = "Flowgauge";

}  // namespace
}  // namespace flowgauge::nccl

extern "C" {
using namespace flowgauge::nccl;
// Not const: a table without relocations would lie in read-only memory, where some tools do not look for data symbols.
#define FLOWGAUGE_NCCL_TABLE(number, init, state)                         \
    FLOWGAUGE_EXPORT extern abi::v##number::Table ncclProfiler_v##number; \
    abi::v##number::Table ncclProfiler_v##number{pluginName, init, startEvent<abi::v##number::Descriptor>, stopEvent, state, finalize};
#include "instrument/nccl/tables.def"
#undef FLOWGAUGE_NCCL_TABLE
}
