// SPDX-License-Identifier: MIT
#pragma once
#include <stddef.h>

/* STAND-IN for NCCL, no NCCL: names and arguments of the real one, and nothing behind them. */
#ifdef FAKE_NCCL_HIDDEN
#define FAKE_NCCL_API __attribute__((visibility("hidden")))
#else
#define FAKE_NCCL_API __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
extern "C" {
#endif
typedef struct FakeComm* ncclComm_t;
typedef struct {
    char internal[128];
} ncclUniqueId;
#define FAKE_NCCL_FUNCTION(name, ...)          \
    FAKE_NCCL_API int nccl##name(__VA_ARGS__); \
    FAKE_NCCL_API int pnccl##name(__VA_ARGS__);
FAKE_NCCL_FUNCTION(GetVersion, int*)
FAKE_NCCL_FUNCTION(CommInitRank, ncclComm_t*, int, ncclUniqueId, int)
FAKE_NCCL_FUNCTION(CommInitAll, ncclComm_t*, int, const int*)
FAKE_NCCL_FUNCTION(CommSplit, ncclComm_t, int, int, ncclComm_t*, void*)
FAKE_NCCL_FUNCTION(CommCount, ncclComm_t, int*)
FAKE_NCCL_FUNCTION(CommUserRank, ncclComm_t, int*)
FAKE_NCCL_FUNCTION(CommDestroy, ncclComm_t)
FAKE_NCCL_FUNCTION(CommAbort, ncclComm_t)
FAKE_NCCL_FUNCTION(GroupStart, void)
FAKE_NCCL_FUNCTION(GroupEnd, void)
FAKE_NCCL_FUNCTION(AllReduce, const void*, void*, size_t, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(Reduce, const void*, void*, size_t, int, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(Broadcast, const void*, void*, size_t, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(Bcast, void*, size_t, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(AllGather, const void*, void*, size_t, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(ReduceScatter, const void*, void*, size_t, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(AlltoAll, const void*, void*, size_t, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(Gather, const void*, void*, size_t, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(Scatter, const void*, void*, size_t, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(Send, const void*, size_t, int, int, ncclComm_t, void*)
FAKE_NCCL_FUNCTION(Recv, void*, size_t, int, int, ncclComm_t, void*)
#ifdef __cplusplus
}
#endif
