// SPDX-License-Identifier: MIT
// STAND-IN for another vendor's profiler plugin, versions 3 and 5: asks for collectives and proxy operations, hands out addresses as
// handles, and writes what it counted when the last communicator ends. Any handle that is not its own ends the program.
#include "tests/fakes/nccl/profiler_layout.h"

#include <cstdio>
#include <cstdlib>
#include <deque>

namespace {

constexpr std::uint64_t stamp = 0x600D600D600D600D;
struct Object {
    std::uint64_t stamp;
};
std::deque<Object> objects;
long started[64], parents, stopped, states, contexts;

void check(const void* handle)
{
    if (handle != nullptr && static_cast<const Object*>(handle)->stamp == stamp) return;
    std::fputs("a handle that is not mine\n", stderr);
    std::abort();
}

int open(void** context, int* mask)
{
    *context = &objects.emplace_back(Object{stamp});
    *mask = fake_nccl::coll | fake_nccl::proxyOp;
    return ++contexts, 0;
}

template <typename TypeWord>
int start(void* context, void** handle, void* descriptor)
{
    check(context);
    TypeWord type;
    void* parent;
    std::memcpy(&type, descriptor, sizeof type);
    std::memcpy(&parent, static_cast<char*>(descriptor) + 8, sizeof parent);
    if (parent != nullptr) check(parent), ++parents;
    for (int bit = 0; bit < 64; ++bit)
        if ((static_cast<std::uint64_t>(type) >> bit & 1) != 0) ++started[bit];
    *handle = &objects.emplace_back(Object{stamp});
    return 0;
}

int stop(void* handle) { return check(handle), ++stopped, 0; }
int state(void* handle, int, void*) { return check(handle), ++states, 0; }

int finalize(void* context)
{
    check(context);
    const char* const path = std::getenv("COUNTING_FILE");
    std::FILE* const file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file == nullptr) return 0;
    // Without us NCCL's stand-in tells everything; only what was asked for is compared.
    std::fprintf(file, "contexts %ld collectives %ld proxy operations %ld\n", contexts, started[1], started[3]);
    std::fclose(file);
    return 0;
}

int openV5(void** context, std::uint64_t, int* mask, const char*, int, int, int, void*) { return open(context, mask); }

/// As the real interface has it. Initialised by constants alone: a table that code fills in when the library is loaded would be looked up
/// by its name, and found in whatever library shows that name first.
template <typename Init>
struct Table {
    const char* name;
    Init init;
    int (*start)(void*, void**, void*);
    int (*stop)(void*);
    int (*state)(void*, int, void*);
    int (*finalize)(void*);
};

}  // namespace

extern "C" {
constinit Table<int (*)(void**, int*)> ncclProfiler_v3{"counting", open, start<std::uint8_t>, stop, state, finalize};
constinit Table<int (*)(void**, std::uint64_t, int*, const char*, int, int, int, void*)> ncclProfiler_v5{
    "counting", openV5, start<std::uint64_t>, stop, state, finalize};
}
