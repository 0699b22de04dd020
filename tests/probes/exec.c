// SPDX-License-Identifier: MIT
// Reads, then becomes another program that reads the same descriptor on.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char** arguments)
{
    char bytes[100], number[16];
    if (count > 1) {
        printf("after %zd\n", read(atoi(arguments[1]), bytes, 20));
        return 3;
    }
    const int fd = open("data.bin", O_RDONLY);
    printf("before %zd\n", read(fd, bytes, 10));
    fflush(stdout);
    snprintf(number, sizeof number, "%d", fd);
    execl(arguments[0], arguments[0], number, (char*)NULL);
    return 127;
}
