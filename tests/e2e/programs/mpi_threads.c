/* SPDX-License-Identifier: MIT */
/* Eight threads at MPI_THREAD_MULTIPLE, each with communicators of its own that it makes, uses and frees again and again, so that
 * their handles come back for others. */
#include "tests/e2e/programs/mpi_ledger.h"

#include <pthread.h>

enum { threads = 8, rounds = 20, reduces = 10 };
static MPI_Comm parents[threads];

static void* work(void* argument)
{
    const int me = (int)(size_t)argument;
    for (int round = 0; round < rounds; ++round) {
        MPI_Comm own;
        MPI_Request request;
        int in = 1, out = 0;
        MPI_Comm_dup(parents[me], &own);
        for (int i = 0; i < reduces; ++i) {
            MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, own);
            MPI_Ibcast(&in, 1, MPI_INT, 0, own, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Comm_free(&own);
    }
    return NULL;
}

int main(int argc, char** argv)
{
    int provided, rank;
    pthread_t ids[threads];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided != MPI_THREAD_MULTIPLE) {
        printf("no MPI_THREAD_MULTIPLE here\n");
        MPI_Finalize();
        return 77;
    }
    for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &parents[i]);
    for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, work, (void*)(size_t)i);
    for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
    for (int i = 0; i < threads * rounds * reduces; ++i) book("allreduce", 4), book("broadcast", 4), book("mpi_wait", 0);
    for (int i = 0; i < threads; ++i) MPI_Comm_free(&parents[i]);
    write_ledger(rank);
    MPI_Finalize();
    return 0;
}
