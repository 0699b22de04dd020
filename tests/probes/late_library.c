// SPDX-License-Identifier: MIT
// A library that is loaded, used and unloaded again reads the data file: its callers' hooks must outlive it.
#include <fcntl.h>
#include <unistd.h>

long readIt(void);
long readIt(void)
{
    char bytes[100];
    const int fd = open("data.bin", O_RDONLY);
    const long got = read(fd, bytes, sizeof bytes);
    close(fd);
    return got;
}
