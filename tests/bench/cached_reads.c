// SPDX-License-Identifier: MIT
// A loop of 4 KiB preads of a file that lies in the page cache. Prints ns of processor time a call; run bare and injected.
//
//   cached_reads FILE [CALLS]
#include <fcntl.h>
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

int main(int argc, char** argv)
{
    static char page[4096];
    const long calls = argc > 2 ? atol(argv[2]) : 200000;
    const int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    const long pages = fd < 0 ? 0 : (long)lseek(fd, 0, SEEK_END) / 4096;
    if (pages <= 0) return 2;
    for (long i = 0; i < pages; ++i)
        if (pread(fd, page, sizeof page, i * 4096) != 4096) return 2;
    const double begin = processorNs();
    for (long i = 0; i < calls; ++i)
        if (pread(fd, page, sizeof page, i % pages * 4096) != 4096) return 2;
    printf("%.2f\n", (processorNs() - begin) / (double)calls);
    close(fd);
    return 0;
}
