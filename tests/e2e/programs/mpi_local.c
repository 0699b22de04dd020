/* SPDX-License-Identifier: MIT */
/* mpi_local PLUGIN: uses MPI through a library that nobody else can see. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    void* plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!plugin) return fprintf(stderr, "%s\n", dlerror()), 2;
    int (*use_mpi)(void) = (int (*)(void))dlsym(plugin, "use_mpi");
    return use_mpi ? use_mpi() : 3;
}
