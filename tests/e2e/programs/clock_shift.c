// SPDX-License-Identifier: MIT
// Preloaded: on the host named CLOCK_SHIFT_HOST the time of day is CLOCK_SHIFT_NS later than it is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static long shiftNs;

__attribute__((constructor)) static void decide(void)
{
    struct utsname names;
    const char* const host = getenv("CLOCK_SHIFT_HOST");
    const char* const shift = getenv("CLOCK_SHIFT_NS");
    if (host != NULL && shift != NULL && uname(&names) == 0 && strcmp(names.nodename, host) == 0) shiftNs = atol(shift);
}

int clock_gettime(clockid_t clock, struct timespec* into)
{
    static int (*real)(clockid_t, struct timespec*);
    if (real == NULL) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
    const int result = real != NULL ? real(clock, into) : (int)syscall(SYS_clock_gettime, clock, into);
    if (result != 0 || clock != CLOCK_REALTIME || shiftNs == 0) return result;
    const long ns = into->tv_nsec + shiftNs % 1000000000L;
    into->tv_sec += shiftNs / 1000000000L + (ns >= 1000000000L ? 1 : 0);
    into->tv_nsec = ns >= 1000000000L ? ns - 1000000000L : ns;
    return 0;
}
