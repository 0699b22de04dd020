/* SPDX-License-Identifier: MIT */
/* Calls wrappers behind which there is no MPI library: they must answer with an error and not jump into nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    int error = 0, (*barrier)(void*) = (int (*)(void*))dlsym(RTLD_DEFAULT, "MPI_Barrier");
    void (*fortran)(int*, int*) = (void (*)(int*, int*))dlsym(RTLD_DEFAULT, "mpi_barrier_");
    if (!barrier || !fortran) return 77;
    const int result = barrier(NULL);
    fortran(&error, &error);
    printf("%d %d\n", result, error);
    return 0;
}
