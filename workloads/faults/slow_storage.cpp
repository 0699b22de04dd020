// SPDX-License-Identifier: MIT
#include "workloads/faults/slow_storage.h"
#include <dlfcn.h>
#include <sys/types.h>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <ctime>

// The library must come before libc in the search order of the program: it is linked first. It stands after LD_PRELOAD.

static thread_local long long delayNs = 0;

extern "C" void slowStorageDelay(long long nanoseconds) { delayNs = nanoseconds; }

template <typename Function>
static Function nextOf(const char* name)
{
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

static void hesitate()
{
    if (delayNs <= 0) return;
    const int kept = errno;
    timespec left{static_cast<time_t>(delayNs / 1'000'000'000), static_cast<long>(delayNs % 1'000'000'000)};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
    errno = kept;
}

extern "C" {

ssize_t read(int fd, void* into, size_t count)
{
    static auto* const real = nextOf<ssize_t (*)(int, void*, size_t)>("read");
    hesitate();
    return real(fd, into, count);
}

ssize_t pread(int fd, void* into, size_t count, off_t offset)
{
    static auto* const real = nextOf<ssize_t (*)(int, void*, size_t, off_t)>("pread");
    hesitate();
    return real(fd, into, count, offset);
}

size_t fread(void* into, size_t size, size_t count, FILE* file)
{
    static auto* const real = nextOf<size_t (*)(void*, size_t, size_t, FILE*)>("fread");
    hesitate();
    return real(into, size, count, file);
}
}
