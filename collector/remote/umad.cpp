// SPDX-License-Identifier: MIT
#include "collector/remote/umad.h"

#include "collector/record/error.h"

#include <dlfcn.h>

namespace flowgauge::remote {
namespace {

void* functionOf(void* library, const char* path, const char* name)
{
    void* const function = ::dlsym(library, name);
    if (function == nullptr) throw Error(path, "expected the function ", name, ", found none");
    return function;
}

}  // namespace

Umad openUmad(const char* path)
{
    void* const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        throw Error(path, "cannot be loaded: install it on this host (Debian: libibumad3, others: rdma-core or libibumad)");
    Umad umad;
#define FLOWGAUGE_UMAD(member, result, function, ...) \
    umad.member = reinterpret_cast<result (*)(__VA_ARGS__)>(functionOf(library, path, #function));
#include "collector/remote/umad.def"
#undef FLOWGAUGE_UMAD
    return umad;
}

}  // namespace flowgauge::remote
