// SPDX-License-Identifier: MIT
// Another library that stands in front of read, as a user may have one: counts, and says so at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static long calls;

ssize_t read(int fd, void* into, size_t count)
{
    ssize_t (*next)(int, void*, size_t);
    *(void**)&next = dlsym(RTLD_NEXT, "read");
    calls += 1;
    return next(fd, into, count);
}

__attribute__((destructor)) static void tell(void) { printf("%ld calls of read\n", calls); }
