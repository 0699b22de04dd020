// SPDX-License-Identifier: MIT
// A program that uses NCCL's public functions and keeps books of its calls. Built against the stand-in in several ways; as a module it is
// loaded by nccl_loader.cpp with the flags of its choice.
#include "tests/fakes/nccl/fake_nccl.h"
#include "tests/fakes/nccl/profiler_driver.h"

#include <cstdlib>

namespace {

constexpr int float32 = 7, sum = 0, ranks = 4, rank = 1;
fake_nccl::Books books;

void single(ncclComm_t comm)
{
    ncclAllReduce(nullptr, nullptr, 1'000, float32, sum, comm, nullptr);
    ncclReduce(nullptr, nullptr, 10, float32, sum, 3, comm, nullptr);
    ncclBroadcast(nullptr, nullptr, 20, float32, 2, comm, nullptr);
    ncclBcast(nullptr, 30, float32, 2, comm, nullptr);
    ncclAllGather(nullptr, nullptr, 40, float32, comm, nullptr);
    ncclReduceScatter(nullptr, nullptr, 50, float32, sum, comm, nullptr);
    ncclAllReduce(nullptr, nullptr, 0, float32, sum, comm, nullptr);  // moves nothing and is none
    books.add("allreduce", 4'000);
    books.add("reduce", 40);
    books.add("broadcast", 80);
    books.add("broadcast", 120);
    books.add("allgather", 160);
    books.add("reduce_scatter", 200);
}

/// What the stand-in with a plugin does not tell it.
void newer(ncclComm_t comm)
{
    ncclAlltoAll(nullptr, nullptr, 5, float32, comm, nullptr);
    ncclGather(nullptr, nullptr, 6, float32, 2, comm, nullptr);
    ncclScatter(nullptr, nullptr, 7, float32, 2, comm, nullptr);
    books.add("alltoall", 5 * 4 * ranks);
    books.add("gather", 24);
    books.add("scatter", 28);
}

void exchange(ncclComm_t comm, int from, int to)
{
    for (int peer = from; peer < to; ++peer) {
        ncclSend(nullptr, 25, float32, peer, comm, nullptr);
        ncclRecv(nullptr, 25, float32, peer, comm, nullptr);
    }
}

void grouped(ncclComm_t comm)
{
    ncclGroupStart();
    ncclGroupStart();
    for (int i = 0; i < 3; ++i) ncclAllReduce(nullptr, nullptr, 100, float32, sum, comm, nullptr);
    ncclGroupEnd();
    ncclGroupEnd();
    for (int i = 0; i < 3; ++i) books.add("allreduce", 400);
    ncclGroupStart();
    exchange(comm, 0, ranks);  // with every rank, itself included
    ncclGroupEnd();
    books.add("alltoall", 100 * ranks);
    ncclGroupStart();
    exchange(comm, 2, 3);
    ncclGroupEnd();
    books.add("send", 100);
    books.add("recv", 100);
}

ncclComm_t world(int size)
{
    ncclUniqueId id{};
    for (int i = 0; i < 8; ++i) id.internal[i] = static_cast<char>(size + i);
    ncclComm_t comm = nullptr;
    ncclCommInitRank(&comm, size, id, size == 1 ? 0 : rank);
    return comm;
}

}  // namespace

/// plugin: the stand-in tells its plugin, whose rows are expected; else those of the calls.
extern "C" __attribute__((visibility("default"))) int runNcclProgram(bool plugin)
{
    const ncclComm_t all = world(ranks), alone = world(1);
    single(all);
    if (!plugin) newer(all), grouped(all);
    ncclAllReduce(nullptr, nullptr, 9, float32, sum, alone, nullptr);
    books.add("allreduce", 36);
    ncclComm_t half = nullptr;
    ncclCommSplit(all, 0, 1, &half, nullptr);
    ncclAllReduce(nullptr, nullptr, 11, float32, sum, half, nullptr);
    books.add("allreduce", 44);
    ncclComm_t device = nullptr;
    ncclCommInitAll(&device, 1, nullptr);
    ncclAllReduce(nullptr, nullptr, 12, float32, sum, device, nullptr);
    books.add("allreduce", 48);
    if (!plugin) {
        if (ncclAllReduce(nullptr, nullptr, 1, float32, sum, nullptr, nullptr) == 0)
            return 1;  // refused by the library, seen by the program
    }
    ncclCommAbort(half);
    for (const ncclComm_t comm : {device, alone, all}) ncclCommDestroy(comm);
    ncclComm_t again = world(2);  // likely where the one that was given up lay
    ncclAllReduce(nullptr, nullptr, 13, float32, sum, again, nullptr);
    books.add("allreduce", 52);
    ncclCommAbort(again);
    books.write();
    return 0;
}
