// SPDX-License-Identifier: MIT
// Closes every number as daemons do, opens anew, and writes: nothing of the library may end up in the program's files.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void openAndWrite(const char* when)
{
    char name[32], bytes[1000] = {0};
    for (int i = 0; i < 20; ++i) {
        snprintf(name, sizeof name, "out%d.bin", i);
        const int fd = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
        for (int part = 0; part < 50; ++part)
            if (write(fd, bytes, sizeof bytes) != sizeof bytes) printf("short\n");
        usleep(2000);
        printf("%s %s number %d length %ld\n", when, name, fd, (long)lseek(fd, 0, SEEK_END));
    }
}

int main(void)
{
    openAndWrite("first");
    for (int fd = 3; fd < 70000; ++fd) close(fd);
    openAndWrite("after a loop of close");
    close_range(3, ~0U, 0);
    openAndWrite("after close_range");
    return 0;
}
