// SPDX-License-Identifier: MIT
// Stands behind the recorder's library in LD_PRELOAD: every MPI_Allreduce takes as long as its bytes would over a link of
// SLOW_LINK_BYTES_PER_SECOND, counted from when the last rank came. It sleeps, so that computing beside it loses no processor.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    static int (*next)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    if (next == NULL) next = (int (*)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm))dlsym(RTLD_NEXT, "MPI_Allreduce");
    const int result = next(from, to, count, type, op, comm);
    const char *speed = getenv("SLOW_LINK_BYTES_PER_SECOND");
    int size = 0;
    PMPI_Type_size(type, &size);
    if (speed == NULL || atof(speed) <= 0) return result;
    const double seconds = (double)count * size / atof(speed);
    const struct timespec rest = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&rest, NULL);
    return result;
}
