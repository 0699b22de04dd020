// SPDX-License-Identifier: MIT
// Uses every descriptor that it is allowed: the library must not take any of them, and the last open must fail as it would bare.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    const struct rlimit few = {32, 32};
    char bytes[10];
    int opened = 0, fd, last = -1;
    setrlimit(RLIMIT_NOFILE, &few);
    while ((fd = open("data.bin", O_RDONLY)) >= 0) {
        opened += read(fd, bytes, 10) == 10;
        last = fd;
    }
    printf("%d files, last number %d, errno %d\n", opened, last, errno);
    return 0;
}
