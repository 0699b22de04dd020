// SPDX-License-Identifier: MIT
// Writes to a device that is always full: by write, and by a stream whose error shows when it is closed.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    const int fd = open("/dev/full", O_WRONLY);
    FILE* const stream = fopen("/dev/full", "w");
    const long written = write(fd, "x", 1);
    const int error = errno;
    const int put = fputs("text", stream), closed = fclose(stream);
    printf("write %ld errno %d, fputs %d, fclose %d errno %d\n", written, error, put >= 0, closed, errno);
    return 0;
}
