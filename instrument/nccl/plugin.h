// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/contexts.h"
#include "instrument/nccl/operation.h"

#include <cstdint>

/// What becomes of the events that NCCL tells its profiler plugin, whatever version it speaks. Called from any thread of NCCL and of
/// the program, in any order, also in orders that NCCL promises never to use: nothing here follows an address, waits, or fails.
namespace flowgauge::nccl::plugin {

/// An event that stands for an operation or holds some: Coll, P2p, CollApi, P2pApi, CeColl, Group, GroupApi.
struct Start {
    std::uint64_t type;
    Handle parent;
    Handle group;            ///< the kernel plan it belongs to; 0: its parent is
    int rank;                ///< in the communicator
    const char* name;        ///< of the communicator, where the event tells it (before v4)
    std::uint64_t hash;      ///< of the communicator, likewise
    bool tellsCommunicator;  ///< name and hash are told
    bool captured;           ///< into a CUDA graph: nothing runs now
    Operation operation;     ///< kind, bytes, peer, way
};
[[nodiscard]] Handle start(Context* context, const Start& event);

struct ProxyStart {
    Handle parent;
    int pid;
    CommWire wire;
};
[[nodiscard]] Handle startProxy(const ProxyStart& event);
[[nodiscard]] Handle startStep(Handle parent, int step);

/// The event of a handle ends; unknown handles and second ends are ignored.
void stop(Handle handle);
/// A step of a proxy operation goes on to another state. bytes: those of the step, where that state knows them.
void stepState(Handle handle, int state, std::uint64_t bytes);
/// Before v4: the bytes of a proxy operation so far.
void proxyBytes(Handle handle, std::uint64_t bytes);

/// Numbers for links: a new plan (kernel launch), to which a member is added for a collective.
[[nodiscard]] std::uint64_t newPlan();
[[nodiscard]] std::uint64_t newMember();

/// How many communicators were opened through the profiler interface so far.
[[nodiscard]] std::uint64_t opened();
void countOpened();

/// Which events NCCL is asked for, as the mask of a version; 0 when nothing of it is to be recorded.
[[nodiscard]] int maskFor(int version);
/// The communicator ends: what is still open on it is recorded as incomplete.
void finish(Context& context);
/// The process ends: what waits is recorded.
void finishAll();

/// In a child after fork: nothing of the parent's is known.
void forgetAfterFork();

}  // namespace flowgauge::nccl::plugin
