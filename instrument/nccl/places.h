// SPDX-License-Identifier: MIT
#pragma once
#include "instrument/nccl/handle.h"
#include "instrument/nccl/operation.h"

#include <array>
#include <atomic>

namespace flowgauge::nccl {

/// What is kept of an event between its start and its end. Whoever has claimed it owns it; the fields belong to the thread that
/// started the event until then, the atomic ones to everybody.
struct EventPlace {
    std::atomic<Handle> handle;    ///< 0 free, 1 owned by one thread
    std::atomic<Handle> members;   ///< of a group: the newest of the events that are recorded with it
    std::atomic<bool> carriedOut;  ///< of an API call: NCCL told how it was carried out
    std::atomic<bool> ended;
    std::uint32_t age;
    std::uint32_t context;  ///< its position
    std::uint64_t type;
    Handle group, parent, next;
    bool captured;
    Operation operation;
};

/// One step's place in the round of its proxy operation.
struct StepTime {
    std::uint32_t step;
    std::int32_t state;  ///< -1: not open
    Ticks since;
    std::uint64_t bytes;
};

/// A proxy operation: its steps are summed here and nowhere else. One thread, the proxy's, works on it.
struct ProxyPlace {
    std::atomic<Handle> handle;
    std::uint32_t age;
    std::uint64_t link;
    Ticks begin;
    CommWire wire;
    CommWait wait;
    std::array<StepTime, 16> steps;  ///< NCCL keeps at most 8 (NCCL_STEPS) a sub-operation under way
};

namespace places {

/// A free place, owned by the caller until it publishes a handle; nullptr (counted) when all are in use. The oldest free ones first,
/// so that what has ended stays unlike what begins for long.
[[nodiscard]] EventPlace* takeEvent();
[[nodiscard]] ProxyPlace* takeProxy();

[[nodiscard]] Handle publish(EventPlace& place, std::uint64_t serial);
[[nodiscard]] Handle publish(ProxyPlace& place, std::uint64_t serial);

/// The live event or proxy operation of that handle; nullptr for any other number.
[[nodiscard]] EventPlace* findEvent(Handle handle);
[[nodiscard]] ProxyPlace* findProxy(Handle handle);
/// The proxy operation whose step the handle is; `step` is which.
[[nodiscard]] ProxyPlace* findProxyOfStep(Handle handle, std::uint32_t& step);
[[nodiscard]] Handle stepHandle(Handle operation, std::uint32_t step);

/// Owns it, if it is still what the handle says; false when another thread was first.
[[nodiscard]] bool claim(std::atomic<Handle>& held, Handle handle);
void free(EventPlace& place);
void free(ProxyPlace& place);

/// Shows the handle of every live event of a type.
void forEach(std::uint64_t type, void (*show)(Handle, std::uint32_t wanted), std::uint32_t wanted);

void forEachProxy(void (*show)(ProxyPlace&, Handle));

/// In a child after fork, and for tests.
void forgetAll();

}  // namespace places

}  // namespace flowgauge::nccl
