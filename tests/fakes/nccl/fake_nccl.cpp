// SPDX-License-Identifier: MIT
// STAND-IN for NCCL, no NCCL. FAKE_NCCL_VERSION is what it says it is; from 2.28 on it tells its profiler plugin, as the real one does.
#include "tests/fakes/nccl/fake_nccl.h"

#include "tests/fakes/nccl/profiler_driver.h"

#include <dlfcn.h>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

struct FakeComm {
    int ranks, rank;
    std::optional<fake_nccl::Communicator> told;
};

namespace {

constexpr int version = FAKE_NCCL_VERSION;
constexpr int argumentError = 4;

std::unique_ptr<fake_nccl::Plugin>& plugin()
{
    static std::unique_ptr<fake_nccl::Plugin> loaded;
    return loaded;
}

FakeComm* make(int ranks, int rank, const ncclUniqueId& id)
{
    auto* const comm = new FakeComm{ranks, rank, {}};
    if (version < 22800) return comm;
    if (!plugin()) plugin() = std::make_unique<fake_nccl::Plugin>(5);
    std::uint64_t hash = 0;
    std::memcpy(&hash, id.internal, sizeof hash);
    comm->told.emplace(*plugin(), hash, ranks, rank);
    return comm;
}

/// Where a CUDA driver is in the process each collective is one kernel on the caller's stream. The stand-in driver takes a block's width
/// for its microseconds: one for each thousand elements.
void launch(const char* func, std::size_t count, void* stream)
{
    int (*function)(void**, void*, const char*) = nullptr;
    int (*kernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**) = nullptr;
    *reinterpret_cast<void**>(&function) = dlsym(RTLD_DEFAULT, "cuModuleGetFunction");
    *reinterpret_cast<void**>(&kernel) = dlsym(RTLD_DEFAULT, "cuLaunchKernel");
    if (function == nullptr || kernel == nullptr) return;
    void* loaded = nullptr;
    function(&loaded, nullptr, (std::string("ncclDevKernel_") + func + "_Sum_f32_RING_LL").c_str());
    kernel(loaded, 1, 1, 1, static_cast<unsigned>(count / 1000), 1, 1, 0, stream, nullptr, nullptr);
}

/// One rank alone copies, and nothing is nothing: the plugin hears of neither.
int collective(FakeComm* comm, const char* func, int number, std::size_t count, int root = 0, void* stream = nullptr)
{
    if (comm == nullptr) return argumentError;
    const char* const deadly = std::getenv("FAKE_NCCL_KILLS_AT");
    if (deadly != nullptr && std::strtoul(deadly, nullptr, 10) == count) std::raise(SIGKILL);
    if (comm->ranks > 1 && count > 0) launch(func, count, stream);
    if (!comm->told || comm->ranks == 1 || count == 0) return 0;
    const fake_nccl::Communicator::Call call{func, number, count, "ncclFloat32", 7, root};
    void* const outer = comm->told->groupApi();
    void* const api = comm->told->collApi(outer, call);
    plugin()->stop(api);
    void* const group = comm->told->group(outer);
    plugin()->stop(comm->told->coll(call, api, group));
    plugin()->stop(group);
    plugin()->stop(outer);
    return 0;
}

}  // namespace

#define BOTH(name, parameters, arguments, ...) \
    int pnccl##name parameters __VA_ARGS__ FAKE_NCCL_WEAK int nccl##name parameters { return pnccl##name arguments; }
// The real library's first names are weak, so that a tool may define them.
#define FAKE_NCCL_WEAK __attribute__((weak))

extern "C" {
BOTH(GetVersion, (int* into), (into), { return *into = version, 0; })
BOTH(CommInitRank, (ncclComm_t * comm, int ranks, ncclUniqueId id, int rank), (comm, ranks, id, rank),
     { return *comm = make(ranks, rank, id), 0; })
BOTH(CommInitAll, (ncclComm_t * comms, int count, const int*), (comms, count, nullptr), {
    for (int rank = 0; rank < count; ++rank) comms[rank] = make(count, rank, {});
    return 0;
})
BOTH(CommSplit, (ncclComm_t parent, int color, int key, ncclComm_t* child, void*), (parent, color, key, child, nullptr), {
    ncclUniqueId id{};
    id.internal[0] = static_cast<char>(color + 1);
    *child = color < 0 ? nullptr : make(parent->ranks / 2, key, id);
    return 0;
})
BOTH(CommCount, (ncclComm_t comm, int* into), (comm, into), { return *into = comm->ranks, 0; })
BOTH(CommUserRank, (ncclComm_t comm, int* into), (comm, into), { return *into = comm->rank, 0; })
BOTH(CommDestroy, (ncclComm_t comm), (comm), {
    if (comm->told) comm->told->end();
    delete comm;
    return 0;
})
BOTH(CommAbort, (ncclComm_t comm), (comm), {
    if (comm->told) comm->told->end();
    delete comm;
    return 0;
})
BOTH(GroupStart, (), (), { return 0; })
BOTH(GroupEnd, (), (), { return 0; })
BOTH(AllReduce, (const void*, void*, size_t count, int, int, ncclComm_t comm, void* stream), (nullptr, nullptr, count, 0, 0, comm, stream),
     { return collective(comm, "AllReduce", 4, count, 0, stream); })
BOTH(Reduce, (const void*, void*, size_t count, int, int, int root, ncclComm_t comm, void*),
     (nullptr, nullptr, count, 0, 0, root, comm, nullptr), { return collective(comm, "Reduce", 1, count, root); })
BOTH(Broadcast, (const void*, void*, size_t count, int, int root, ncclComm_t comm, void*),
     (nullptr, nullptr, count, 0, root, comm, nullptr), { return collective(comm, "Broadcast", 0, count, root); })
// Calls itself by its public name, as some releases do.
BOTH(Bcast, (void*, size_t count, int type, int root, ncclComm_t comm, void*), (nullptr, count, type, root, comm, nullptr),
     { return ncclBroadcast(nullptr, nullptr, count, type, root, comm, nullptr); })
BOTH(AllGather, (const void*, void*, size_t count, int, ncclComm_t comm, void*), (nullptr, nullptr, count, 0, comm, nullptr),
     { return collective(comm, "AllGather", 2, count); })
BOTH(ReduceScatter, (const void*, void*, size_t count, int, int, ncclComm_t comm, void*), (nullptr, nullptr, count, 0, 0, comm, nullptr),
     { return collective(comm, "ReduceScatter", 3, count); })
BOTH(AlltoAll, (const void*, void*, size_t, int, ncclComm_t, void*), (nullptr, nullptr, 0, 0, nullptr, nullptr), { return 0; })
BOTH(Gather, (const void*, void*, size_t, int, int, ncclComm_t, void*), (nullptr, nullptr, 0, 0, 0, nullptr, nullptr), { return 0; })
BOTH(Scatter, (const void*, void*, size_t, int, int, ncclComm_t, void*), (nullptr, nullptr, 0, 0, 0, nullptr, nullptr), { return 0; })
BOTH(Send, (const void*, size_t, int, int, ncclComm_t, void*), (nullptr, 0, 0, 0, nullptr, nullptr), { return 0; })
BOTH(Recv, (void*, size_t, int, int, ncclComm_t, void*), (nullptr, 0, 0, 0, nullptr, nullptr), { return 0; })
}
