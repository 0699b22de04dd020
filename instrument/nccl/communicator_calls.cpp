// SPDX-License-Identifier: MIT
// Calls that make and end communicators, and the program's groups.
#include "collector/buffer/recorder.h"
#include "collector/record/clock.h"
#include "collector/record/raw.h"
#include "instrument/hook/next.h"
#include "instrument/nccl/grouped.h"
#include "instrument/nccl/plugin.h"

namespace flowgauge::nccl {
namespace {

/// Handed over by value: 128 bytes on the stack.
struct UniqueId {
    char bytes[128];
};

#define FLOWGAUGE_NCCL_CALL(name, arity, kind, letters)
#define FLOWGAUGE_NCCL_OTHER(name) constinit Call call##name{"pnccl" #name};
#include "instrument/nccl/nccl_calls.def"
#undef FLOWGAUGE_NCCL_OTHER
#undef FLOWGAUGE_NCCL_CALL

bool watching() { return depth == 0 && buffer::enabled(); }

/// Calls through to the real function; what it calls by public names is not looked at.
template <typename Function, typename... Arguments>
int pass(Call& call, const void* caller, Arguments... arguments)
{
    const auto real = reinterpret_cast<Function>(call.realFor(caller));
    if (real == nullptr) return internalError;
    ++depth;
    const int result = real(arguments...);
    --depth;
    return result;
}

constexpr int inProgress = 7;  // ncclInProgress: a communicator that is being made without blocking

void made(int result, const Word* comm, const communicators::Members& members, std::uint64_t before)
{
    const raw::KeepErrno keep;
    if ((result == 0 || result == inProgress) && comm != nullptr) grouped::promise({comm, members, before});
}

/// A split asks nobody which ranks went with this one: size and rank are asked for at the child's first operation.
void madeChild(int result, Word parent, int color, const Word* child, const void* caller)
{
    const raw::KeepErrno keep;
    const std::uint64_t hash = communicators::childHash(parent, color, caller);
    if (result != 0 && result != inProgress) return;
    if (child != nullptr && color >= 0) grouped::promise({child, {hash, 0, -1}, 0});
}

}  // namespace
}  // namespace flowgauge::nccl

using namespace flowgauge;
using namespace flowgauge::nccl;

extern "C" {

FLOWGAUGE_EXPORT int ncclCommInitRank(Word* comm, int ranks, UniqueId id, int rank)
{
    const std::uint64_t before = plugin::opened();
    const int result = pass<int (*)(Word*, int, UniqueId, int)>(callCommInitRank, __builtin_return_address(0), comm, ranks, id, rank);
    if (watching()) made(result, comm, {communicators::hashOf(&id, sizeof id), static_cast<std::uint32_t>(ranks), rank}, before);
    return result;
}

FLOWGAUGE_EXPORT int ncclCommInitRankConfig(Word* comm, int ranks, UniqueId id, int rank, Word config)
{
    const std::uint64_t before = plugin::opened();
    const int result =
        pass<int (*)(Word*, int, UniqueId, int, Word)>(callCommInitRankConfig, __builtin_return_address(0), comm, ranks, id, rank, config);
    if (watching()) made(result, comm, {communicators::hashOf(&id, sizeof id), static_cast<std::uint32_t>(ranks), rank}, before);
    return result;
}

FLOWGAUGE_EXPORT int ncclCommInitRankScalable(Word* comm, int ranks, int rank, int ids, const UniqueId* id, Word config)
{
    const std::uint64_t before = plugin::opened();
    const int result = pass<int (*)(Word*, int, int, int, const UniqueId*, Word)>(callCommInitRankScalable, __builtin_return_address(0),
                                                                                  comm, ranks, rank, ids, id, config);
    if (watching() && id != nullptr)
        made(result, comm, {communicators::hashOf(id, sizeof *id), static_cast<std::uint32_t>(ranks), rank}, before);
    return result;
}

FLOWGAUGE_EXPORT int ncclCommInitAll(Word* comms, int count, const int* devices)
{
    static constinit std::atomic<std::uint64_t> calls{0};
    const std::uint64_t before = plugin::opened();
    const int result = pass<int (*)(Word*, int, const int*)>(callCommInitAll, __builtin_return_address(0), comms, count, devices);
    if (!watching() || comms == nullptr) return result;
    // All ranks are in this process: a number that no other process has, and its own count, name the communicator.
    chooseSalt();
    const std::uint64_t words[] = {handleSalt, calls.fetch_add(1, std::memory_order_relaxed)};
    for (int rank = 0; rank < count; ++rank)
        made(result, comms + rank, {communicators::hashOf(words, sizeof words), static_cast<std::uint32_t>(count), rank}, before);
    return result;
}

FLOWGAUGE_EXPORT int ncclCommSplit(Word parent, int color, int key, Word* child, Word config)
{
    const void* const caller = __builtin_return_address(0);
    const int result = pass<int (*)(Word, int, int, Word*, Word)>(callCommSplit, caller, parent, color, key, child, config);
    if (watching()) madeChild(result, parent, color, child, caller);
    return result;
}

FLOWGAUGE_EXPORT int ncclCommDestroy(Word comm)
{
    if (watching()) communicators::forget(comm);
    return pass<int (*)(Word)>(callCommDestroy, __builtin_return_address(0), comm);
}

FLOWGAUGE_EXPORT int ncclCommAbort(Word comm)
{
    if (watching()) communicators::forget(comm);
    return pass<int (*)(Word)>(callCommAbort, __builtin_return_address(0), comm);
}

FLOWGAUGE_EXPORT int ncclGroupStart()
{
    const int result = pass<int (*)()>(callGroupStart, __builtin_return_address(0));
    if (watching()) grouped::enter();
    return result;
}

FLOWGAUGE_EXPORT int ncclGroupEnd()
{
    const int result = pass<int (*)()>(callGroupEnd, __builtin_return_address(0));
    if (!watching()) return result;
    const raw::KeepErrno keep;
    grouped::leave(now(), result == inProgress ? 0 : result);
    return result;
}

}  // extern "C"
