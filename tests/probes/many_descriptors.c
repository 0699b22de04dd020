// SPDX-License-Identifier: MIT
// A thousand files open at once, and one number beyond 65,536 where the limit allows it.
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    struct rlimit limit;
    char bytes[10];
    long total = 0;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < 1000; ++i) total += read(open("data.bin", O_RDONLY), bytes, 10);
    const int high = fcntl(open("data.bin", O_RDONLY), F_DUPFD, limit.rlim_max > 70000 ? 70000 : 1010);
    printf("%ld bytes, then %zd by a high number\n", total, read(high, bytes, 5));
    return 0;
}
