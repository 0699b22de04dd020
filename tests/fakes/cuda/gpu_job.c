// SPDX-License-Identifier: MIT
/* A job for the stand-in GPU: what it launches is the same on every run, and told as a ledger to the file FLOWGAUGE_LEDGER.
 *
 *   stand_in_gpu_job [--steps N] [--kernels N] [--threads N] [--streams N] [--devices N] [--pause MS] [--fork] [--exec]
 *                    [--end return|_exit|quick_exit|abort|kill|thread] [--graphs] [--no-init]
 * Built with OWN_PROFILER it is linked with CUPTI and profiles its second half itself, as PyTorch does; with --by-name it asks the
 * loaded library for cuptiSubscribe, as TensorFlow does. */
#define _GNU_SOURCE
#include "tests/fakes/cuda/stand_in.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALL(result, name, ...) static result (*name)(__VA_ARGS__);
CALL(int, cuInit, unsigned)
CALL(int, cuCtxCreate_v2, void**, unsigned, int)
CALL(int, cuCtxSetCurrent, void*)
CALL(int, cuModuleGetFunction, void**, void*, const char*)
CALL(int, cuLaunchKernel, void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**)
CALL(int, cuMemcpyHtoDAsync_v2, uint64_t, const void*, size_t, void*)
CALL(int, cuMemcpyDtoHAsync_v2, void*, uint64_t, size_t, void*)
CALL(int, cuMemcpyPeerAsync, uint64_t, void*, uint64_t, void*, size_t, void*)
CALL(int, cuMemsetD8Async, uint64_t, unsigned char, size_t, void*)
CALL(int, cuGraphLaunch, void*, void*)
CALL(int, cuStreamSynchronize, void*)
CALL(int, report, const char*)

static long steps = 10, kernels = 8, threads = 1, streams = 2, devices = 1, pause_ms = 0;
static int forks, execs, graphs, by_name;
static const char* end = "return";

/* Mangled, as CUPTI gives them; the middle one is NCCL's. */
static const char* const names[] = {"_Z9vectorAddPKfS0_Pfi", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "_ZN2at6native6reduceIfLi4EEEvT_",
                                    "gemm_64x64"};
static void* functions[4];
static void* contexts[8];

static void open_driver(void)
{
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!driver) {
        fprintf(stderr, "stand_in_gpu_job: %s\n", dlerror());
        exit(3);
    }
#define TAKE(name) *(void**)(&name) = dlsym(driver, #name);
    TAKE(cuInit)
        TAKE(cuCtxCreate_v2) TAKE(cuCtxSetCurrent) TAKE(cuModuleGetFunction) TAKE(cuLaunchKernel) TAKE(cuMemcpyHtoDAsync_v2)
            TAKE(cuMemcpyDtoHAsync_v2) TAKE(cuMemcpyPeerAsync) TAKE(cuMemsetD8Async) TAKE(cuGraphLaunch) TAKE(cuStreamSynchronize) *
        (void**)(&report) = dlsym(driver, "stand_in_report");
    if (!report) {
        fprintf(stderr, "stand_in_gpu_job: libcuda.so.1 is no stand-in\n");
        exit(3);
    }
}

static void wait_ms(long ms)
{
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&left, NULL);
}

static void one_step(long step)
{
    void* const stream = (void*)(uintptr_t)(7 + step % streams);
    cuMemcpyHtoDAsync_v2(0, NULL, 4096, stream);
    for (long i = 0; i < kernels; ++i) cuLaunchKernel(functions[i % 4], 1, 1, 1, (unsigned)(1 + i % 4), 1, 1, 0, stream, NULL, NULL);
    cuMemsetD8Async(0, 3, 1024, stream);
    if (devices > 1) cuMemcpyPeerAsync(0, contexts[1], 0, contexts[0], 512, stream);
    if (graphs) cuGraphLaunch((void*)(uintptr_t)5, stream);
    cuMemcpyDtoHAsync_v2(NULL, 0, 64, stream);
    cuStreamSynchronize(stream);
    if (pause_ms) wait_ms(pause_ms);
}

static void* worker(void* device)
{
    cuCtxSetCurrent(contexts[(uintptr_t)device]);
    for (long step = 0; step < steps; ++step) one_step(step);
    return NULL;
}

#ifdef OWN_PROFILER
extern int cuptiSubscribe(void**, void (*)(void*, uint32_t, uint32_t, const void*), void*);
extern int cuptiUnsubscribe(void*);
extern int cuptiActivityRegisterCallbacks(void (*)(uint8_t**, size_t*, size_t*), void (*)(void*, uint32_t, uint8_t*, size_t, size_t));
extern int cuptiActivityEnable(uint32_t);
extern int cuptiActivityDisable(uint32_t);
extern int cuptiActivityFlushAll(uint32_t);
extern int cuptiActivityGetNextRecord(uint8_t*, size_t, uint8_t**);

static long seen_by_profiler, foreign;
static void ignore(void* user, uint32_t domain, uint32_t id, const void* data) { (void)user, (void)domain, (void)id, (void)data; }
static uint8_t* mine[64];
static unsigned mines;
static void asks(uint8_t** buffer, size_t* bytes, size_t* most)
{
    *buffer = mine[mines++ % 64] = malloc(65536);
    *bytes = 65536, *most = 0;
}
static void takes(void* context, uint32_t stream, uint8_t* buffer, size_t bytes, size_t valid)
{
    (void)context, (void)stream, (void)bytes;
    int known = 0;
    for (unsigned i = 0; i < 64; ++i) known |= mine[i] == buffer;
    if (!known) {
        foreign++; /* a buffer of somebody else must never come here: freeing it would end the program */
        return;
    }
    for (uint8_t* record = NULL; cuptiActivityGetNextRecord(buffer, valid, &record) == 0;) seen_by_profiler++;
    free(buffer);
}

static void profile_second_half(void)
{
    void* subscriber = NULL;
    int (*subscribe)(void**, void (*)(void*, uint32_t, uint32_t, const void*), void*) = cuptiSubscribe;
    if (by_name) *(void**)(&subscribe) = dlsym(dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD), "cuptiSubscribe");
    const int status = subscribe(&subscriber, ignore, NULL);
    if (status == 0) cuptiActivityRegisterCallbacks(asks, takes);
    if (status == 0) cuptiActivityEnable(10);
    for (long step = 0; step < steps; ++step) one_step(step);
    if (status == 0) cuptiActivityFlushAll(1), cuptiActivityDisable(10), cuptiUnsubscribe(subscriber);
    printf("own profiler: status %d, %ld kernels, %ld foreign buffers\n", status, seen_by_profiler, foreign);
    for (long step = 0; step < steps; ++step) one_step(step);
}
#endif

static void options(int count, char** words)
{
    for (int i = 1; i < count; ++i) {
        const char* const value = i + 1 < count ? words[i + 1] : "";
        long* const into = !strcmp(words[i], "--steps")     ? &steps
                           : !strcmp(words[i], "--kernels") ? &kernels
                           : !strcmp(words[i], "--threads") ? &threads
                           : !strcmp(words[i], "--streams") ? &streams
                           : !strcmp(words[i], "--devices") ? &devices
                           : !strcmp(words[i], "--pause")   ? &pause_ms
                                                            : NULL;
        if (into)
            *into = atol(value), ++i;
        else if (!strcmp(words[i], "--end"))
            end = value, ++i;
        forks |= !strcmp(words[i], "--fork"), execs |= !strcmp(words[i], "--exec"), graphs |= !strcmp(words[i], "--graphs");
        by_name |= !strcmp(words[i], "--by-name");
    }
}

/* As a data loader's worker: it must not touch the GPU, and whatever it does must end. */
static void forked_worker(void)
{
    const pid_t child = fork();
    if (child == 0) {
        if (cuInit(0) != 304) _exit(9);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("forked worker: %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    if (!execs) return;
    const pid_t other = fork();
    if (other == 0) {
        unsetenv("FLOWGAUGE_LEDGER");
        execl("/proc/self/exe", "stand_in_gpu_job", "--steps", "3", "--kernels", "2", (char*)NULL);
        _exit(8);
    }
    waitpid(other, &status, 0);
    printf("started job: %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
}

static void leave(void)
{
    if (!strcmp(end, "_exit")) _exit(0);
    if (!strcmp(end, "quick_exit")) quick_exit(0);
    if (!strcmp(end, "abort")) abort();
    if (!strcmp(end, "kill")) raise(SIGKILL);
}

static void* leave_by_thread(void* nothing)
{
    (void)nothing;
    exit(0);
}

int main(int count, char** words)
{
    options(count, words);
    open_driver();
    const int status = cuInit(0);
    if (cuInit(0) != status) return 4;
    printf("stand-in GPU job: cuInit %d\n", status);
    if (status != 0) return 0;
    for (long device = devices - 1; device >= 0; --device) cuCtxCreate_v2(&contexts[device], 0, (int)device);
    for (int i = 0; i < 4; ++i) cuModuleGetFunction(&functions[i], NULL, names[i]);
    pthread_t others[64];
    for (long i = 1; i < threads && i < 64; ++i) pthread_create(&others[i], NULL, worker, (void*)(uintptr_t)(i % devices));
    worker(NULL);
    for (long i = 1; i < threads && i < 64; ++i) pthread_join(others[i], NULL);
#ifdef OWN_PROFILER
    profile_second_half();
#endif
    if (forks) forked_worker();
    if (getenv("FLOWGAUGE_LEDGER")) report(getenv("FLOWGAUGE_LEDGER"));
    fflush(stdout);
    leave();
    if (!strcmp(end, "thread")) {
        pthread_create(&others[0], NULL, leave_by_thread, NULL);
        pthread_join(others[0], NULL);
    }
    return 0;
}
