// SPDX-License-Identifier: MIT
// Starts without descriptors 0 to 2: the first files that it opens get these numbers and must be its own.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char** arguments)
{
    char bytes[100], line[200];
    if (count == 1) {
        for (int fd = 0; fd < 3; ++fd) close(fd);
        execl(arguments[0], arguments[0], "again", (char*)NULL);
    }
    const int fd = open("data.bin", O_RDONLY), result = open("result.txt", O_CREAT | O_WRONLY, 0600), other = open("data.bin", O_RDONLY);
    snprintf(line, sizeof line, "numbers %d %d %d, read %zd %zd\n", fd, result, other, read(fd, bytes, 10), read(other, bytes, 20));
    return write(result, line, strlen(line)) == (ssize_t)strlen(line) ? 5 : 6;
}
