// SPDX-License-Identifier: MIT
/* STAND-IN for libcuda.so.1: no GPU is behind it. It honours CUDA_INJECTION64_PATH as the real driver does (measured with 535 and 550):
 * at the first cuInit of a process, before anything else; a library that answers 0 is unloaded and asked again; and its exit handler and
 * destructor run where the real ones are believed to.
 *
 * STAND_IN_DRIVER: words, comma separated. devices=N (0: cuInit fails with 100 after the injection), version=12040. */
#define _GNU_SOURCE
#include "tests/fakes/cuda/stand_in.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

struct function {
    char name[256];
    struct function* before;
};

static struct stand_in_tracer tracer;
static struct function* functions; // they live as long as their module, which is never unloaded
static int initialized, deinitialized, injected;
static pid_t initializer;
static uint64_t kernels, kernel_ns, copies, copy_bytes, fills, fill_bytes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread uint32_t current_device;

static long setting(const char* word, long standard)
{
    const char* const all = getenv("STAND_IN_DRIVER");
    const char* const found = all ? strstr(all, word) : NULL;
    return found ? atol(found + strlen(word)) : standard;
}

static uint64_t now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

SHOWN void stand_in_register(const struct stand_in_tracer* shown) { tracer = *shown; }

static void inject(void)
{
    const char* const path = getenv("CUDA_INJECTION64_PATH");
    if (injected || !path) return;
    void* const library = dlopen(path, RTLD_LAZY);
    if (!library) return;
    int (*const initialize)(void) = (int (*)(void))dlsym(library, "InitializeInjection");
    if (initialize && initialize() != 0)
        injected = 1;
    else
        dlclose(library);
}

static void at_exit(void) { deinitialized = 1; }
__attribute__((destructor)) static void unloaded(void) { deinitialized = 2; }

SHOWN int cuInit(unsigned flags)
{
    (void)flags;
    if (initialized) return initializer == getpid() ? 0 : 304;
    const struct stand_in_tracer* (*const ask)(void) = (const struct stand_in_tracer* (*)(void))dlsym(RTLD_DEFAULT, "cupti_stand_in");
    if (ask) stand_in_register(ask());
    inject();
    if (setting("devices=", 1) == 0) return 100;
    initializer = getpid();
    initialized = 1;
    atexit(at_exit);
    if (tracer.initialized) tracer.initialized();
    return 0;
}

static int usable(void) { return initialized && !deinitialized && initializer == getpid(); }

SHOWN int cuDriverGetVersion(int* version) { return *version = (int)setting("version=", 13000), 0; }
SHOWN int cuDeviceGetCount(int* count)
{
    if (!usable()) return 3;
    return *count = (int)setting("devices=", 1), 0;
}
SHOWN int cuDeviceGet(int* device, int ordinal) { return *device = ordinal, usable() ? 0 : 3; }
SHOWN int cuDeviceGetName(char* name, int size, int device)
{
    (void)device;
    snprintf(name, (size_t)size, "Stand-in GPU");
    return 0;
}
SHOWN int cuDeviceGetUuid(unsigned char* uuid, int device)
{
    for (int i = 0; i < 16; ++i) uuid[i] = (unsigned char)(i * 16 + device);
    return 0;
}
SHOWN int cuDeviceGetPCIBusId(char* text, int size, int device) { return snprintf(text, (size_t)size, "0000:%02x:00.0", device + 1), 0; }
SHOWN int cuCtxCreate_v2(void** context, unsigned flags, int device)
{
    (void)flags;
    if (!usable()) return 3;
    *context = (void*)(uintptr_t)(device + 1);
    current_device = (uint32_t)device;
    if (tracer.context_created) tracer.context_created();
    return 0;
}
SHOWN int cuCtxSetCurrent(void* context) { return current_device = (uint32_t)(uintptr_t)context - 1, 0; }
SHOWN int cuModuleGetFunction(void** function, void* module, const char* name)
{
    (void)module;
    struct function* const made = calloc(1, sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    pthread_mutex_lock(&lock);
    made->before = functions, functions = made;
    pthread_mutex_unlock(&lock);
    return *function = made, 0;
}

static int done(struct stand_in_work work, uint32_t driver_call)
{
    if (!usable()) return 4;
    const uint64_t begin = now();
    work.device = current_device;
    pthread_mutex_lock(&lock);
    if (work.kind == 10) kernels++, kernel_ns += work.duration_ns;
    if (work.kind == 1 || work.kind == 22) copies++, copy_bytes += work.bytes;
    if (work.kind == 2) fills++, fill_bytes += work.bytes;
    pthread_mutex_unlock(&lock);
    const uint32_t correlation = tracer.work ? tracer.work(&work) : 0;
    if (tracer.call) tracer.call(1, driver_call, correlation, begin, now(), 0);
    return 0;
}

/* The duration of a kernel is its block size in us: the program that launches it knows it too. */
SHOWN int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                         void* stream, void** arguments, void** extra)
{
    (void)gx, (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)arguments, (void)extra;
    const struct stand_in_work work = {10, ((struct function*)function)->name, 0, 0, 0, (uint32_t)(uintptr_t)stream, bx * 1000u};
    return done(work, 307);
}
SHOWN int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream)
{
    (void)to, (void)from;
    const struct stand_in_work work = {1, NULL, bytes, 1, 0, (uint32_t)(uintptr_t)stream, bytes / 16 + 1};
    return done(work, 277);
}
SHOWN int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream)
{
    (void)to, (void)from;
    const struct stand_in_work work = {1, NULL, bytes, 2, 0, (uint32_t)(uintptr_t)stream, bytes / 16 + 1};
    return done(work, 279);
}
SHOWN int cuMemcpyPeerAsync(uint64_t to, void* to_context, uint64_t from, void* from_context, size_t bytes, void* stream)
{
    (void)to, (void)to_context, (void)from, (void)from_context;
    const struct stand_in_work work = {22, NULL, bytes, 10, 0, (uint32_t)(uintptr_t)stream, bytes / 64 + 1};
    return done(work, 290);
}
SHOWN int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void* stream)
{
    (void)to;
    const struct stand_in_work work = {2, NULL, bytes, value, 0, (uint32_t)(uintptr_t)stream, bytes / 64 + 1};
    return done(work, 246);
}
SHOWN int cuGraphLaunch(void* graph, void* stream)
{
    const struct stand_in_work work = {51, NULL, 0, (uint32_t)(uintptr_t)graph, 0, (uint32_t)(uintptr_t)stream, 5000};
    return done(work, 514);
}
SHOWN int cuStreamSynchronize(void* stream)
{
    if (!usable()) return 4;
    const uint64_t begin = now();
    if (tracer.synchronized) tracer.synchronized(3, (uint32_t)(uintptr_t)stream, begin, now());
    return 0;
}

SHOWN int stand_in_report(const char* path)
{
    FILE* const file = fopen(path, "w");
    if (!file) return -1;
    fprintf(file,
            "{\"stand_in\": \"driver\", \"kernels\": %lu, \"kernel_ns\": %lu, \"copies\": %lu, \"copy_bytes\": %lu, \"fills\": %lu, "
            "\"fill_bytes\": %lu",
            (unsigned long)kernels, (unsigned long)kernel_ns, (unsigned long)copies, (unsigned long)copy_bytes, (unsigned long)fills,
            (unsigned long)fill_bytes);
    if (tracer.report) tracer.report(file);
    fprintf(file, "}\n");
    return fclose(file);
}
