// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/abi_early.h"
#include "instrument/nccl/abi_late.h"
#include "instrument/nccl/plugin.h"
#include "instrument/nccl/words.h"

/// Descriptors of every version as what the plugin works with. One template reads all versions: a member that a version lacks is skipped
/// when the code for that version is made.
namespace flowgauge::nccl::translate {

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

}  // namespace flowgauge::nccl::translate
