/* SPDX-License-Identifier: MIT */
/* Every way to make a communicator, each used once for a barrier (and, where it has a topology, for a neighbourhood exchange)
 * and freed. For an even number of ranks. */
#include "tests/e2e/programs/mpi_ledger.h"

static int rank, size, data[64], more[64];

static void use(MPI_Comm* comm, int neighbors)
{
    if (*comm == MPI_COMM_NULL) return;
    MPI_Barrier(*comm);
    book("barrier", 0);
    if (neighbors > 0) {
        MPI_Neighbor_alltoall(data, 1, MPI_INT, more, 1, MPI_INT, *comm);
        book("neighbor", 4LL * neighbors);
    }
    CALL(MPI_Comm_free, comm);
}

static void plain(void)
{
    MPI_Comm made;
    MPI_Request request;
    MPI_Group world, half;
    int lower[2] = {0, 1};
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &made), use(&made, 0);
    CALL(MPI_Comm_dup_with_info, MPI_COMM_WORLD, MPI_INFO_NULL, &made), use(&made, 0);
    CALL(MPI_Comm_idup, MPI_COMM_WORLD, &made, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    book("mpi_wait", 0);
    use(&made, 0);
    CALL(MPI_Comm_split, MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : rank % 2, -rank, &made), use(&made, 0);
    CALL(MPI_Comm_split_type, MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), use(&made, 0);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, lower, &half);
    CALL(MPI_Comm_create, MPI_COMM_WORLD, half, &made), use(&made, 0);
    if (rank < 2) MPI_Comm_create_group(MPI_COMM_WORLD, half, 3, &made), use(&made, 0); /* nobody sees it made */
    MPI_Group_free(&half);
    MPI_Group_free(&world);
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    CALL(MPI_Comm_disconnect, &made);
}

static void with_topology(void)
{
    MPI_Comm grid, made;
    const int extent[2] = {2, size / 2}, periodic[2] = {1, 1}, keep[2] = {1, 0};
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    int index[8], edges[16];
    MPI_Cart_create(MPI_COMM_WORLD, 2, extent, periodic, 0, &grid);
    CALL(MPI_Cart_sub, grid, keep, &made);
    use(&made, 2);
    use(&grid, 4);
    for (int i = 0; i < size; ++i) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    CALL(MPI_Graph_create, MPI_COMM_WORLD, size, index, edges, 0, &made), use(&made, 2);
    CALL(MPI_Dist_graph_create_adjacent, MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    use(&made, 1);
    const int one = 1;
    CALL(MPI_Dist_graph_create, MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
    use(&made, 1);
}

/* A type whose handle comes back as another type: its size must not be remembered. */
static void types(void)
{
    for (int length = 1; length <= 20; ++length) {
        MPI_Datatype type;
        MPI_Type_contiguous(length, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Bcast(data, 1, type, 0, MPI_COMM_WORLD);
        book("broadcast", 4LL * length);
        CALL(MPI_Type_free, &type);
    }
}

static void windows(void)
{
    MPI_Win window;
    MPI_Comm node;
    int* memory;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    CALL(MPI_Win_allocate_shared, 64, 4, MPI_INFO_NULL, node, &memory, &window);
    CALL(MPI_Win_free, &window);
    CALL(MPI_Comm_free, &node);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    plain();
    with_topology();
    types();
    windows();
    write_ledger(rank);
    MPI_Finalize();
    return 0;
}
