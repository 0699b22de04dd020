// SPDX-License-Identifier: MIT
// The plainest program: opens, reads to the end, closes, says how much it read, and who it is for the kernel.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char bytes[4096];
    long total = 0, got;
    const int fd = open("data.bin", O_RDONLY);
    while ((got = read(fd, bytes, sizeof bytes)) > 0) total += got;
    close(fd);
    printf("%ld bytes, as user %d\n", total, (int)geteuid());
    return 0;
}
