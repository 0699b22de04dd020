/* SPDX-License-Identifier: MIT */
/* An extension that brings MPI along, as Python's do: mpi_local.c loads it with RTLD_LOCAL. */
#include "tests/e2e/programs/mpi_ledger.h"

int use_mpi(void)
{
    int rank, in = 1, out = 0, size;
    MPI_Request request;
    CALL(MPI_Init, NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; ++i) CALL(MPI_Allreduce, &in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), book("allreduce", 4);
    CALL(MPI_Iallreduce, &in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), book("allreduce", 4);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE), book("mpi_wait", 0);
    write_ledger(rank);
    MPI_Finalize();
    return out == size ? 0 : 1;
}
