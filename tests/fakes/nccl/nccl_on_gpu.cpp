// SPDX-License-Identifier: MIT
// A rank of two that uses the stand-ins for NCCL and for a GPU together: two communicators at once, each with a thread and a stream of its
// own and with collectives of a size of its own, whose kernels last a microsecond for each thousand elements.
#include "tests/fakes/nccl/fake_nccl.h"

#include <dlfcn.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

constexpr int float32 = 7, sum = 0, calls = 50;

template <typename Function>
bool find(void* library, const char* name, Function& into)
{
    *reinterpret_cast<void**>(&into) = library == nullptr ? nullptr : dlsym(library, name);
    return into != nullptr;
}

}  // namespace

int main()
{
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    int (*initialise)(unsigned) = nullptr;
    int (*createContext)(void**, unsigned, int) = nullptr;
    int (*finishStream)(void*) = nullptr;
    if (!find(driver, "cuInit", initialise) || !find(driver, "cuCtxCreate_v2", createContext) ||
        !find(driver, "cuStreamSynchronize", finishStream)) {
        std::fprintf(stderr, "nccl_on_gpu: needs the stand-in for libcuda.so.1\n");
        return 3;
    }
    void* context = nullptr;
    if (initialise(0) != 0 || createContext(&context, 0, 0) != 0) return 3;
    const char* const told = std::getenv("OMPI_COMM_WORLD_RANK");
    const int rank = told == nullptr ? 0 : std::atoi(told);
    ncclComm_t comms[2]{};
    for (int i = 0; i < 2; ++i) {
        ncclUniqueId id{};
        id.internal[0] = static_cast<char>(i + 1);
        ncclCommInitRank(&comms[i], 2, id, rank);
    }
    const auto work = [&](std::size_t i) {
        auto* const stream = reinterpret_cast<void*>(std::uintptr_t{7} + i);
        for (int call = 0; call < calls; ++call) ncclAllReduce(nullptr, nullptr, 10'000 * (i + 1), float32, sum, comms[i], stream);
        finishStream(stream);
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    for (const ncclComm_t comm : comms) ncclCommDestroy(comm);
    return 0;
}
