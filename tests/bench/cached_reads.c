// SPDX-License-Identifier: MIT
// A loop of 4 KiB preads of a file that lies in the page cache. Prints ns of processor time a call; run bare and injected.
//
//   cached_reads FILE [CALLS [stamped]]     stamped: with the least that any recorder does to a call
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double processorNs(void)
{
    struct timespec at;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static uint64_t stamp(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
#endif
}

typedef ssize_t (*pread_function)(int, void*, size_t, off_t);

/* The call by an address that is looked up, a time stamp on either side, and a cache line written that goes out of the cache later. */
static ssize_t stamped(int fd, void* into, size_t count, off_t at)
{
    enum { lines = 1 << 16 };
    static volatile pread_function real = pread;
    static struct {
        volatile uint64_t words[8];
    } ring[lines];
    static unsigned next;
    const uint64_t begin = stamp();
    const ssize_t done = real(fd, into, count, at);
    const uint64_t end = stamp();
    volatile uint64_t* const line = ring[next++ % lines].words;
    line[0] = begin, line[1] = end, line[2] = (uint64_t)fd, line[3] = count, line[4] = (uint64_t)at, line[5] = (uint64_t)done;
    return done;
}

int main(int argc, char** argv)
{
    static char page[4096];
    const pread_function call = argc > 3 ? stamped : pread;
    const long calls = argc > 2 ? atol(argv[2]) : 200000;
    const int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    const long pages = fd < 0 ? 0 : (long)lseek(fd, 0, SEEK_END) / 4096;
    if (pages <= 0) return 2;
    for (long i = 0; i < pages; ++i)
        if (pread(fd, page, sizeof page, i * 4096) != 4096) return 2;
    const double begin = processorNs();
    for (long i = 0; i < calls; ++i)
        if (call(fd, page, sizeof page, i % pages * 4096) != 4096) return 2;
    printf("%.2f\n", (processorNs() - begin) / (double)calls);
    close(fd);
    return 0;
}
