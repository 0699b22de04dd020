// SPDX-License-Identifier: MIT
// STAND-IN for NCCL: plays one script of profiler events as one version of the interface, and keeps books of what it told.
//
//   fake_nccl_events SCRIPT VERSION [RANKS RANK]
#include "tests/fakes/nccl/scripts.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace fake_nccl::scripts {

int version = 6, ranks = 4, rank = 1;
Books books;

/// AllGather and Broadcast are told in bytes, as ncclInt8, whatever the program's type was.
const Call calls[] = {
    {"AllReduce", 4, 1'000'003, "ncclFloat32", 7, 0},      {"AllGather", 2, 4'096, "ncclInt8", 0, 0},
    {"ReduceScatter", 3, 77, "ncclBfloat16", 9, 0},        {"Broadcast", 0, 12'345, "ncclInt8", 0, 2},
    {"Reduce", 1, 5'000'000'000, "ncclFloat8e5m2", 11, 3},
};
const char* const kinds[] = {"allreduce", "allgather", "reduce_scatter", "broadcast", "reduce"};

void* playCollective(Communicator& world, const Call& call, void* api, void* group)
{
    void* const handle = world.coll(call, api, group);
    world.plugin().stop(handle);
    return handle;
}

namespace {

template <std::size_t count>
const Script* find(const Script (&scripts)[count], const std::string& name)
{
    for (const Script& script : scripts)
        if (script.name == name) return &script;
    return nullptr;
}

}  // namespace
}  // namespace fake_nccl::scripts

int main(int count, char** words)
{
    using namespace fake_nccl::scripts;
    if (count < 3) return std::fputs("fake_nccl_events SCRIPT VERSION [RANKS RANK]\n", stderr), 2;
    version = std::atoi(words[2]);
    if (count >= 5) ranks = std::atoi(words[3]), rank = std::atoi(words[4]);
    for (const Script* script : {find(ordinary, words[1]), find(trouble, words[1]), find(ends, words[1])}) {
        if (script == nullptr) continue;
        script->play();
        books.write();
        return 0;
    }
    std::fprintf(stderr, "no script %s\n", words[1]);
    return 2;
}
