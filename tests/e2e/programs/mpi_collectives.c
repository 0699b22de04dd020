/* SPDX-License-Identifier: MIT */
/* Every collective in every form, with a ledger. Works with any number of ranks up to 8. */
#include "tests/e2e/programs/mpi_ledger.h"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#define INIT(call) MPIX_##call##_init
#else
#define INIT(call) MPI_##call##_init
#endif
#define NAME_(x) #x
#define NAME(x) NAME_(x)

/* MPICH 4.0.2 fails by itself at the second start of some persistent collectives (MPI_Scatter_init: "Invalid communicator"). */
#if defined(OPEN_MPI)
enum { starts = 2 };
#else
enum { starts = 1 };
#endif
enum { most = 8, block = 3 };
static int rank, size, in[most * most * block], out[most * most * block];
static int counts[most], displacements[most], byte_displacements[most];
static MPI_Datatype types[most];
static MPI_Request request;

static void complete(const char* kind, long long bytes)
{
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    book(kind, bytes);
    book("mpi_wait", 0);
}

/* The blocking form, the nonblocking one, and some runs of the persistent one. The last argument of INIT's list is the communicator. */
#define ALL_FORMS(Call, lower, kind, bytes, ...)            \
    do {                                                    \
        CALL(MPI_##Call, __VA_ARGS__);                      \
        book(kind, bytes);                                  \
        CALL(MPI_I##lower, __VA_ARGS__, &request);          \
        complete(kind, bytes);                              \
        note_call(NAME(INIT(Call)));                        \
        INIT(Call)(__VA_ARGS__, MPI_INFO_NULL, &request);   \
        for (int run = 0; run < starts; ++run) {            \
            CALL(MPI_Start, &request);                      \
            complete(kind, bytes);                          \
        }                                                   \
        CALL(MPI_Request_free, &request);                   \
        LARGE_FORMS(Call, lower, kind, bytes, __VA_ARGS__); \
    } while (0)

#if MPI_VERSION >= 4
#define LARGE_FORMS(Call, lower, kind, bytes, ...)                       \
    do {                                                                 \
        CALL(MPI_##Call##_c, __VA_ARGS__);                               \
        book(kind, bytes);                                               \
        CALL(MPI_I##lower##_c, __VA_ARGS__, &request);                   \
        complete(kind, bytes);                                           \
        CALL(MPI_##Call##_init_c, __VA_ARGS__, MPI_INFO_NULL, &request); \
        CALL(MPI_Start, &request);                                       \
        complete(kind, bytes);                                           \
        CALL(MPI_Request_free, &request);                                \
    } while (0)
static MPI_Count large_counts[most];
static MPI_Aint large_displacements[most];
#else
#define LARGE_FORMS(...) (void)0
#endif

static void scalar_collectives(MPI_Comm comm)
{
    const long long four = 4;
    ALL_FORMS(Allreduce, allreduce, "allreduce", 5 * four, in, out, 5, MPI_INT, MPI_SUM, comm);
    ALL_FORMS(Allreduce, allreduce, "allreduce", 7 * 8, MPI_IN_PLACE, out, 7, MPI_DOUBLE, MPI_SUM, comm);
    ALL_FORMS(Reduce, reduce, "reduce", 6 * four, rank == 1 ? MPI_IN_PLACE : in, out, 6, MPI_INT, MPI_SUM, 1, comm);
    ALL_FORMS(Bcast, bcast, "broadcast", 9 * four, in, 9, MPI_INT, 0, comm);
    ALL_FORMS(Allgather, allgather, "allgather", block * four, in, block, MPI_INT, out, block, MPI_INT, comm);
    ALL_FORMS(Allgather, allgather, "allgather", block * four, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, block, MPI_INT, comm);
    ALL_FORMS(Gather, gather, "gather", block * four, rank == 0 ? MPI_IN_PLACE : in, block, MPI_INT, out, block, MPI_INT, 0, comm);
    ALL_FORMS(Scatter, scatter, "scatter", block * four, in, block, MPI_INT, rank == 1 ? MPI_IN_PLACE : out, block, MPI_INT, 1, comm);
    ALL_FORMS(Reduce_scatter_block, reduce_scatter_block, "reduce_scatter", 2 * four, in, out, 2, MPI_INT, MPI_SUM, comm);
    ALL_FORMS(Alltoall, alltoall, "alltoall", size * 2 * four, in, 2, MPI_INT, out, 2, MPI_INT, comm);
    ALL_FORMS(Alltoall, alltoall, "alltoall", size * 2 * four, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 2, MPI_INT, comm);
    ALL_FORMS(Scan, scan, "scan", 3 * four, in, out, 3, MPI_INT, MPI_SUM, comm);
    ALL_FORMS(Exscan, exscan, "scan", 4 * four, in, out, 4, MPI_INT, MPI_SUM, comm);
}

static void meetings(MPI_Comm comm)
{
    CALL(MPI_Barrier, comm);
    book("barrier", 0);
    CALL(MPI_Ibarrier, comm, &request);
    complete("barrier", 0);
    note_call(NAME(INIT(Barrier)));
    INIT(Barrier)(comm, MPI_INFO_NULL, &request);
    CALL(MPI_Start, &request);
    complete("barrier", 0);
    CALL(MPI_Request_free, &request);
}

#define VECTOR_FORMS(Call, lower, kind, bytes, ...)       \
    do {                                                  \
        CALL(MPI_##Call, __VA_ARGS__);                    \
        book(kind, bytes);                                \
        CALL(MPI_I##lower, __VA_ARGS__, &request);        \
        complete(kind, bytes);                            \
        note_call(NAME(INIT(Call)));                      \
        INIT(Call)(__VA_ARGS__, MPI_INFO_NULL, &request); \
        CALL(MPI_Start, &request);                        \
        complete(kind, bytes);                            \
        CALL(MPI_Request_free, &request);                 \
    } while (0)

/* Rank r gives or takes r + 1 elements. */
static void vector_collectives(MPI_Comm comm)
{
    const long long own = 4LL * (rank + 1), all = 4LL * size * (size + 1) / 2;
    VECTOR_FORMS(Allgatherv, allgatherv, "allgather", own, in, rank + 1, MPI_INT, out, counts, displacements, MPI_INT, comm);
    VECTOR_FORMS(Allgatherv, allgatherv, "allgather", own, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, counts, displacements, MPI_INT, comm);
    VECTOR_FORMS(Gatherv, gatherv, "gather", own, rank == 0 ? MPI_IN_PLACE : in, rank + 1, MPI_INT, out, counts, displacements, MPI_INT, 0,
                 comm);
    VECTOR_FORMS(Scatterv, scatterv, "scatter", own, in, counts, displacements, MPI_INT, rank == 0 ? MPI_IN_PLACE : out, rank + 1, MPI_INT,
                 0, comm);
    VECTOR_FORMS(Reduce_scatter, reduce_scatter, "reduce_scatter", own, in, out, counts, MPI_INT, MPI_SUM, comm);
    int same[most];
    for (int i = 0; i < most; ++i) same[i] = rank + 1;
    /* rank r sends r + 1 to everyone, and receives i + 1 from i */
    VECTOR_FORMS(Alltoallv, alltoallv, "alltoall", own * size, in, same, displacements, MPI_INT, out, counts, displacements, MPI_INT, comm);
    VECTOR_FORMS(Alltoallw, alltoallw, "alltoall", all, in, counts, byte_displacements, types, out, same, byte_displacements, types, comm);
}

#if MPI_VERSION >= 4
static void large_vector_collectives(MPI_Comm comm)
{
    const long long own = 4LL * (rank + 1);
    MPI_Count same[most];
    for (int i = 0; i < most; ++i) same[i] = rank + 1;
    LARGE_FORMS(Allgatherv, allgatherv, "allgather", own, in, rank + 1, MPI_INT, out, large_counts, large_displacements, MPI_INT, comm);
    LARGE_FORMS(Gatherv, gatherv, "gather", own, in, rank + 1, MPI_INT, out, large_counts, large_displacements, MPI_INT, 0, comm);
    LARGE_FORMS(Scatterv, scatterv, "scatter", own, in, large_counts, large_displacements, MPI_INT, out, rank + 1, MPI_INT, 0, comm);
    LARGE_FORMS(Reduce_scatter, reduce_scatter, "reduce_scatter", own, in, out, large_counts, MPI_INT, MPI_SUM, comm);
    LARGE_FORMS(Alltoallv, alltoallv, "alltoall", own * size, in, same, large_displacements, MPI_INT, out, large_counts,
                large_displacements, MPI_INT, comm);
    MPI_Aint offsets[most];
    for (int i = 0; i < most; ++i) offsets[i] = 4 * displacements[i];
    LARGE_FORMS(Alltoallw, alltoallw, "alltoall", own * size, in, same, offsets, types, out, large_counts, offsets, types, comm);
}
#endif

/* On a ring with two neighbours each way round. */
static void neighbor_collectives(void)
{
    MPI_Comm ring, copy;
    const int periodic = 1;
    int ones[most];
    MPI_Aint offsets[most];
    for (int i = 0; i < most; ++i) ones[i] = 1, offsets[i] = 4 * i;
    CALL(MPI_Cart_create, MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    CALL(MPI_Comm_dup, ring, &copy);
    ALL_FORMS(Neighbor_allgather, neighbor_allgather, "neighbor", 2 * 2 * 4, in, 2, MPI_INT, out, 2, MPI_INT, ring);
    ALL_FORMS(Neighbor_alltoall, neighbor_alltoall, "neighbor", 2 * 3 * 4, in, 3, MPI_INT, out, 3, MPI_INT, copy);
    VECTOR_FORMS(Neighbor_allgatherv, neighbor_allgatherv, "neighbor", 2 * 4, in, 1, MPI_INT, out, ones, displacements, MPI_INT, ring);
    VECTOR_FORMS(Neighbor_alltoallv, neighbor_alltoallv, "neighbor", 2 * 4, in, ones, displacements, MPI_INT, out, ones, displacements,
                 MPI_INT, ring);
    VECTOR_FORMS(Neighbor_alltoallw, neighbor_alltoallw, "neighbor", 2 * 4, in, ones, offsets, types, out, ones, offsets, types, ring);
#if MPI_VERSION >= 4
    MPI_Count large_ones[most];
    for (int i = 0; i < most; ++i) large_ones[i] = 1;
    LARGE_FORMS(Neighbor_allgatherv, neighbor_allgatherv, "neighbor", 2 * 4, in, 1, MPI_INT, out, large_ones, large_displacements, MPI_INT,
                ring);
    LARGE_FORMS(Neighbor_alltoallv, neighbor_alltoallv, "neighbor", 2 * 4, in, large_ones, large_displacements, MPI_INT, out, large_ones,
                large_displacements, MPI_INT, ring);
    LARGE_FORMS(Neighbor_alltoallw, neighbor_alltoallw, "neighbor", 2 * 4, in, large_ones, offsets, types, out, large_ones, offsets, types,
                ring);
#endif
    CALL(MPI_Comm_free, &copy);
    CALL(MPI_Comm_free, &ring);
}

int main(int argc, char** argv)
{
    CALL(MPI_Init, &argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < most; ++i) {
        counts[i] = i + 1;
        displacements[i] = i * most;
        byte_displacements[i] = i * most * 4;
        types[i] = MPI_INT;
#if MPI_VERSION >= 4
        large_counts[i] = counts[i];
        large_displacements[i] = displacements[i];
#endif
    }
    scalar_collectives(MPI_COMM_WORLD);
    vector_collectives(MPI_COMM_WORLD);
#if MPI_VERSION >= 4
    large_vector_collectives(MPI_COMM_WORLD);
#endif
    meetings(MPI_COMM_WORLD);
    neighbor_collectives();
    note_call("MPI_Finalize");
    write_ledger(rank);
    MPI_Finalize();
    return 0;
}
