// SPDX-License-Identifier: MIT
// Loads a module as Python loads an extension, or as a program with RTLD_DEEPBIND does, and runs it.
//   nccl_loader MODULE local|deepbind
#include <dlfcn.h>
#include <cstdio>
#include <cstring>

int main(int count, char** words)
{
    if (count < 3) return 2;
    const int more = std::strcmp(words[2], "deepbind") == 0 ? RTLD_DEEPBIND : 0;
    void* const module = dlopen(words[1], RTLD_NOW | RTLD_LOCAL | more);
    void* const run = module != nullptr ? dlsym(module, "runNcclProgram") : nullptr;
    if (run == nullptr) return std::fprintf(stderr, "%s\n", dlerror()), 2;
    return reinterpret_cast<int (*)(bool)>(run)(false);
}
