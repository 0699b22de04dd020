/* SPDX-License-Identifier: MIT */
/* Sends, receives, one-sided accesses and every way to complete a request, with a ledger. For an even number of ranks: rank 2k
 * and 2k + 1 talk to each other, one sending what the other receives. */
#include "tests/e2e/programs/mpi_ledger.h"

enum { elements = 10, bytes = elements * 4, many = 100 };
static int rank, size, partner, sends, data[many * elements], buffer[65536];
static MPI_Comm comm;
static MPI_Request request, requests[many];

static void waited(void) { book("mpi_wait", 0); }

#define SEND_FORMS(Call, lower)                                                       \
    do {                                                                              \
        CALL(MPI_##Call, data, elements, MPI_INT, partner, 5, comm);                  \
        book("send", bytes);                                                          \
        CALL(MPI_I##lower, data, elements, MPI_INT, partner, 5, comm, &request);      \
        CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);                                  \
        book("send", bytes), waited();                                                \
        CALL(MPI_##Call##_init, data, elements, MPI_INT, partner, 5, comm, &request); \
        for (int run = 0; run < 3; ++run) {                                           \
            CALL(MPI_Start, &request);                                                \
            CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);                              \
            book("send", bytes), waited();                                            \
        }                                                                             \
        CALL(MPI_Request_free, &request);                                             \
    } while (0)

static void receive_blocking(int times)
{
    for (int i = 0; i < times; ++i) {
        /* room for more than comes: the status tells, also where nobody asks for it */
        CALL(MPI_Recv, data, 3 * elements, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        book("recv", bytes);
    }
}

/* A ready send needs its receive to be there: both sides meet after it was posted. */
static void ready_sends(void)
{
    for (int i = 0; i < 5; ++i)
        if (!sends) MPI_Irecv(data + i * elements, elements, MPI_INT, partner, 5, comm, &requests[i]);
    MPI_Barrier(comm);
    book("barrier", 0);
    if (sends) {
        SEND_FORMS(Rsend, rsend);
    } else {
        MPI_Status statuses[5];
        CALL(MPI_Waitall, 5, requests, statuses);
        for (int i = 0; i < 5; ++i) book("recv", bytes);
        waited();
    }
}

static void every_send(void)
{
    MPI_Buffer_attach(buffer, sizeof buffer);
    if (sends) {
        SEND_FORMS(Send, send);
        SEND_FORMS(Bsend, bsend);
        SEND_FORMS(Ssend, ssend);
    } else {
        receive_blocking(15);
    }
    ready_sends();
    void* detached;
    int attached;
    MPI_Buffer_detach(&detached, &attached);
}

/* Sends `many` messages of `elements`; the other side takes them by `completes`. */
static void flood(void)
{
    if (!sends) return;
    for (int i = 0; i < many; ++i) CALL(MPI_Isend, data, elements, MPI_INT, partner, 6, comm, &requests[i]), book("send", bytes);
    CALL(MPI_Waitall, many, requests, MPI_STATUSES_IGNORE);
    waited();
}

static void post_all(void)
{
    for (int i = 0; i < many; ++i)
        CALL(MPI_Irecv, data + i * elements, elements, MPI_INT, partner, 6, comm, &requests[i]), book("recv", bytes);
}

static void every_completion(void)
{
    int index, flag, done = 0, indices[many];
    MPI_Status status, statuses[many];
    for (int way = 0; way < 7; ++way) {
        flood();
        if (sends) continue;
        post_all();
        done = 0;
        while (done < many) {
            int count = 1, before = done;
            if (way == 0) CALL(MPI_Waitany, many, requests, &index, &status);
            if (way == 1) CALL(MPI_Waitsome, many, requests, &count, indices, statuses);
            if (way == 2) CALL(MPI_Testany, many, requests, &index, &flag, MPI_STATUS_IGNORE), count = flag ? 1 : 0;
            if (way == 3) CALL(MPI_Testsome, many, requests, &count, indices, MPI_STATUSES_IGNORE);
            if (way == 4) CALL(MPI_Testall, many, requests, &flag, statuses), count = flag ? many : 0;
            if (way == 5) CALL(MPI_Test, &requests[done], &flag, &status), count = flag ? 1 : 0;
            if (way == 6) CALL(MPI_Waitall, many, requests, MPI_STATUSES_IGNORE), count = many;
            done += count;
            if (done > before) waited(); /* a test that completes nothing leaves no row */
        }
        /* requests that are all MPI_REQUEST_NULL by now: nothing is waited for */
        CALL(MPI_Waitall, many, requests, MPI_STATUSES_IGNORE);
        CALL(MPI_Testall, many, requests, &flag, MPI_STATUSES_IGNORE);
    }
}

static void persistent_pair(void)
{
    if (sends)
        CALL(MPI_Send_init, data, elements, MPI_INT, partner, 7, comm, &requests[0]);
    else
        CALL(MPI_Recv_init, data, 2 * elements, MPI_INT, partner, 7, comm, &requests[0]);
    requests[1] = MPI_REQUEST_NULL;
    for (int run = 0; run < 4; ++run) {
        MPI_Status status;
        CALL(MPI_Startall, 1, requests);
        CALL(MPI_Wait, &requests[0], &status);
        book(sends ? "send" : "recv", bytes), waited();
        CALL(MPI_Wait, &requests[0], &status); /* asleep: returns at once and completes nothing */
    }
    CALL(MPI_Request_free, &requests[0]);
}

static void matched_probes(void)
{
    MPI_Message message;
    MPI_Status status;
    int flag = 0;
    if (sends) {
        for (int i = 0; i < 2; ++i) CALL(MPI_Send, data, elements, MPI_INT, partner, 8, comm), book("send", bytes);
        return;
    }
    CALL(MPI_Mprobe, partner, 8, comm, &message, &status);
    CALL(MPI_Mrecv, data, many, MPI_INT, &message, MPI_STATUS_IGNORE);
    book("recv", bytes);
    while (!flag) CALL(MPI_Improbe, partner, 8, comm, &flag, &message, &status);
    CALL(MPI_Imrecv, data, many, MPI_INT, &message, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    book("recv", bytes), waited();
}

static void exchanges(void)
{
    int other[elements];
    CALL(MPI_Sendrecv, data, elements, MPI_INT, partner, 9, other, elements, MPI_INT, partner, 9, comm, MPI_STATUS_IGNORE);
    book("send", bytes), book("recv", bytes);
    CALL(MPI_Sendrecv_replace, data, 5, MPI_INT, partner, 9, partner, 9, comm, MPI_STATUS_IGNORE);
    book("send", 20), book("recv", 20);
    CALL(MPI_Send, data, elements, MPI_INT, MPI_PROC_NULL, 9, comm);
    book("send", 0);
    CALL(MPI_Recv, data, elements, MPI_INT, MPI_PROC_NULL, 9, comm, MPI_STATUS_IGNORE);
    book("recv", 0);
}

/* A receive that never comes is cancelled: a row without bytes. */
static void cancelled(void)
{
    MPI_Status status;
    CALL(MPI_Irecv, data, elements, MPI_INT, partner, 99, comm, &request);
    CALL(MPI_Cancel, &request);
    CALL(MPI_Wait, &request, &status);
    book("recv", 0), waited();
}

static void one_sided(void)
{
    MPI_Win window, other;
    int* memory;
    const int neighbour = rank ^ 1;
    CALL(MPI_Win_allocate, sizeof data, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    CALL(MPI_Win_create, data, sizeof data, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    CALL(MPI_Win_free, &other);
    CALL(MPI_Win_create_dynamic, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    CALL(MPI_Win_free, &other);
    MPI_Win_lock_all(0, window);
    CALL(MPI_Put, data, elements, MPI_INT, neighbour, 0, elements, MPI_INT, window), book("rma_put", bytes);
    CALL(MPI_Get, data, 5, MPI_INT, neighbour, 0, 5, MPI_INT, window), book("rma_get", 20);
    CALL(MPI_Accumulate, data, 3, MPI_INT, neighbour, 0, 3, MPI_INT, MPI_SUM, window), book("rma_put", 12);
    CALL(MPI_Get_accumulate, data, 2, MPI_INT, data + 50, 2, MPI_INT, neighbour, 0, 2, MPI_INT, MPI_SUM, window), book("rma_get", 8);
    CALL(MPI_Rput, data, elements, MPI_INT, neighbour, 0, elements, MPI_INT, window, &requests[0]), book("rma_put", bytes);
    CALL(MPI_Rget, data + 100, 5, MPI_INT, neighbour, 0, 5, MPI_INT, window, &requests[1]), book("rma_get", 20);
    CALL(MPI_Raccumulate, data, 3, MPI_INT, neighbour, 0, 3, MPI_INT, MPI_SUM, window, &requests[2]), book("rma_put", 12);
    CALL(MPI_Rget_accumulate, data, 2, MPI_INT, data + 70, 2, MPI_INT, neighbour, 0, 2, MPI_INT, MPI_SUM, window, &requests[3]);
    book("rma_get", 8);
    CALL(MPI_Waitall, 4, requests, MPI_STATUSES_IGNORE);
    waited();
    MPI_Win_unlock_all(window);
    CALL(MPI_Win_free, &window);
}

#if MPI_VERSION >= 4
static void large_counts(void)
{
    if (sends) {
        CALL(MPI_Send_c, data, elements, MPI_INT, partner, 5, comm), book("send", bytes);
        CALL(MPI_Isend_c, data, elements, MPI_INT, partner, 5, comm, &request), book("send", bytes);
    } else {
        CALL(MPI_Recv_c, data, elements, MPI_INT, partner, 5, comm, MPI_STATUS_IGNORE), book("recv", bytes);
        CALL(MPI_Irecv_c, data, elements, MPI_INT, partner, 5, comm, &request), book("recv", bytes);
    }
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE), waited();
    int other[elements];
    CALL(MPI_Sendrecv_c, data, elements, MPI_INT, partner, 9, other, elements, MPI_INT, partner, 9, comm, MPI_STATUS_IGNORE);
    book("send", bytes), book("recv", bytes);
}
#else
static void large_counts(void) {}
#endif

int main(int argc, char** argv)
{
    int provided;
    CALL(MPI_Init_thread, &argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CALL(MPI_Comm_split, MPI_COMM_WORLD, rank / 2, rank, &comm);
    CALL(MPI_Comm_set_name, comm, "pair");
    partner = 1 - rank % 2;
    sends = rank % 2 == 0;
    every_send();
    every_completion();
    persistent_pair();
    matched_probes();
    exchanges();
    cancelled();
    one_sided();
    large_counts();
    CALL(MPI_Comm_free, &comm);
    write_ledger(rank);
    MPI_Finalize();
    return 0;
}
